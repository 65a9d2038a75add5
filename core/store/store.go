package store

import (
	"iter"
	"slices"
	"strconv"

	"terrarium/core/kinds"
	"terrarium/core/trace"
)

// Config says how a Store behaves; its zero value works.
type Config struct {
	// History is how many commits are kept for slow readers and for reads in the past. More memory,
	// fewer lists from anew. Default 20000. It may be exceeded by an eighth before the oldest go.
	History int
	// CheckMutation finds code that changes committed objects, and panics. It copies and compares
	// every object: for tests.
	CheckMutation bool
	// OnCommit is told of every commit, before any cursor is woken. It must not write to the store.
	OnCommit func(Event)
}

// A Store holds objects by key at every kept revision.
type Store struct {
	cfg       Config
	rev       kinds.Revision // of the last commit; commits take rev+1
	compacted kinds.Revision // reads need a revision >= this; events of later revisions are all kept
	entries   map[kinds.Key]*entry
	byName    map[string]*table
	tables    []*table // by resource
	inCommit  bool
	detector  *detector // nil unless Config.CheckMutation
}

// New returns an empty store at revision 0.
func New(cfg Config) *Store {
	if cfg.History <= 0 {
		cfg.History = 20000
	}
	s := &Store{cfg: cfg, entries: make(map[kinds.Key]*entry), byName: make(map[string]*table)}
	if cfg.CheckMutation {
		s.detector = newDetector()
	}
	return s
}

// Create commits obj under a key that has none. It sets obj's resourceVersion; from then on obj is
// immutable. Possible error: ErrExists.
func (s *Store) Create(key kinds.Key, obj kinds.Object, span trace.SpanID) (kinds.Revision, error) {
	e := s.entries[key]
	if e == nil {
		e = &entry{key: key, table: s.table(key.Resource)}
		s.entries[key] = e
	} else if e.cur.obj != nil {
		return 0, &KeyError{key, ErrExists}
	}
	e.table.raise(e)
	return s.commit(e, Event{Type: Added, Key: key, Object: obj, Span: span}), nil
}

// Update commits obj in place of the key's object. Expected is the revision the caller read, or 0 for
// whatever is there. It sets obj's resourceVersion; from then on obj is immutable.
// Possible errors: ErrNotFound, ErrConflict.
func (s *Store) Update(key kinds.Key, obj kinds.Object, expected kinds.Revision, span trace.SpanID) (kinds.Revision, error) {
	e, err := s.expect(key, expected)
	if err != nil {
		return 0, err
	}
	if obj == e.cur.obj {
		panic("BUG: " + key.String() + " is updated with the committed object itself; it must be copied to be changed")
	}
	return s.commit(e, Event{Type: Modified, Key: key, Object: obj, Old: e.cur.obj, Span: span}), nil
}

// Delete commits that the key has no object any more. Expected is as for Update.
// Possible errors: ErrNotFound, ErrConflict.
func (s *Store) Delete(key kinds.Key, expected kinds.Revision, span trace.SpanID) (kinds.Revision, error) {
	e, err := s.expect(key, expected)
	if err != nil {
		return 0, err
	}
	e.table.bury(e)
	return s.commit(e, Event{Type: Deleted, Key: key, Object: shallowCopy(e.cur.obj), Old: e.cur.obj, Span: span}), nil
}

// expect returns the key's entry if it has an object of the expected revision.
func (s *Store) expect(key kinds.Key, expected kinds.Revision) (*entry, error) {
	e := s.entries[key]
	if e == nil || e.cur.obj == nil {
		return nil, &KeyError{key, ErrNotFound}
	}
	if expected != 0 && expected != e.cur.rev {
		return nil, &ConflictError{Key: key, Want: expected, Got: e.cur.rev}
	}
	return e, nil
}

// commit gives ev the next revision, records it and tells everyone.
func (s *Store) commit(e *entry, ev Event) kinds.Revision {
	if s.inCommit {
		panic("BUG: " + ev.Key.String() + " is written from within another commit")
	}
	s.inCommit = true
	s.rev++
	ev.Revision = s.rev
	ev.Object.SetResourceVersion(strconv.FormatInt(int64(s.rev), 10))
	v := version{rev: s.rev}
	if ev.Type != Deleted {
		v.obj = ev.Object
	}
	e.push(v)
	if s.detector != nil {
		s.detector.commit(ev)
	}
	t := e.table
	seq := t.log.end()
	t.log.events = append(t.log.events, ev)
	if s.cfg.OnCommit != nil {
		s.cfg.OnCommit(ev)
	}
	for _, c := range t.cursors {
		c.notify(&ev, seq)
	}
	s.inCommit = false
	if kept := int(s.rev - s.compacted); kept > s.cfg.History+s.cfg.History/8 {
		s.Compact(s.rev - kinds.Revision(s.cfg.History))
	}
	return s.rev
}

func (s *Store) table(resource string) *table {
	t := s.byName[resource]
	if t == nil {
		t = newTable(resource)
		s.byName[resource] = t
		i, _ := slices.BinarySearchFunc(s.tables, t, resourceLess)
		s.tables = slices.Insert(s.tables, i, t)
	}
	return t
}

// Revision returns the revision of the last commit.
func (s *Store) Revision() kinds.Revision { return s.rev }

// Compacted returns the oldest revision that can be read, and watched from.
func (s *Store) Compacted() kinds.Revision { return s.compacted }

// Compact forgets the states before rev and the events up to it.
func (s *Store) Compact(rev kinds.Revision) {
	rev = min(rev, s.rev)
	if rev <= s.compacted {
		return
	}
	s.compacted = rev
	for _, t := range s.tables {
		end := t.log.after(rev)
		for seq := t.log.first; seq < end; seq++ {
			ev := t.log.at(seq)
			if s.detector != nil {
				s.detector.forget(ev)
			}
			e := s.entries[ev.Key]
			if e != nil && e.compact(rev) {
				t.dead.Delete(e)
				delete(s.entries, ev.Key)
			}
		}
		t.log.drop(end)
	}
}

// Load fills an empty store with the objects that were live at rev. Each keeps the revision in its
// resourceVersion. History starts at rev: watches from before it get ErrTooOld.
func (s *Store) Load(rev kinds.Revision, objs iter.Seq2[kinds.Key, kinds.Object]) {
	if s.rev != 0 || len(s.entries) != 0 {
		panic("BUG: a store that is not empty is loaded")
	}
	for key, obj := range objs {
		own, err := strconv.ParseInt(obj.GetResourceVersion(), 10, 64)
		if err != nil || own <= 0 || kinds.Revision(own) > rev || s.entries[key] != nil {
			panic("BUG: " + key.String() + " is loaded twice or with resourceVersion " +
				strconv.Quote(obj.GetResourceVersion()) + " at revision " + format(rev))
		}
		e := &entry{key: key, table: s.table(key.Resource)}
		s.entries[key] = e
		e.table.raise(e)
		e.push(version{kinds.Revision(own), obj})
		if s.detector != nil {
			s.detector.remember(key, obj)
		}
	}
	s.rev, s.compacted = rev, rev
}
