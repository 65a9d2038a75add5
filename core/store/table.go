package store

import (
	"slices"
	"strings"

	"github.com/tidwall/btree"

	"terrarium/core/kinds"
)

// A version is what a key held from a revision on; a nil obj is a tombstone.
type version struct {
	rev kinds.Revision
	obj kinds.Object
}

// An entry is the kept history of one key.
type entry struct {
	key   kinds.Key
	table *table
	cur   version   // the newest
	past  []version // those before cur, oldest first
}

func (e *entry) push(v version) {
	if e.cur.rev != 0 {
		e.past = append(e.past, e.cur)
	}
	e.cur = v
}

// at returns what the key held at rev; nil when nothing.
func (e *entry) at(rev kinds.Revision) kinds.Object {
	if e.cur.rev <= rev {
		return e.cur.obj
	}
	for i := len(e.past) - 1; i >= 0; i-- {
		if e.past[i].rev <= rev {
			return e.past[i].obj
		}
	}
	return nil
}

// compact drops the versions that no read at rev or later can see. It reports whether none is left.
func (e *entry) compact(rev kinds.Revision) (empty bool) {
	if e.cur.rev <= rev {
		e.past = nil
		return e.cur.obj == nil
	}
	drop := 0
	for drop < len(e.past) && e.past[drop].rev <= rev {
		drop++
	}
	if drop > 0 && e.past[drop-1].obj != nil {
		drop-- // a read at rev sees this one
	}
	e.past = slices.Delete(e.past, 0, drop)
	return false
}

func entryLess(a, b *entry) bool {
	if a.key.Namespace != b.key.Namespace {
		return a.key.Namespace < b.key.Namespace
	}
	return a.key.Name < b.key.Name
}

// A table holds what is kept of one resource.
type table struct {
	resource string
	live     *btree.BTreeG[*entry] // entries whose newest version is an object
	dead     *btree.BTreeG[*entry] // entries whose newest version is a tombstone
	count    map[string]int        // live entries by namespace
	log      eventLog
	cursors  []*Cursor // open ones, in the order they were opened
}

func newTable(resource string) *table {
	tree := func() *btree.BTreeG[*entry] {
		return btree.NewBTreeGOptions(entryLess, btree.Options{NoLocks: true})
	}
	return &table{resource: resource, live: tree(), dead: tree(), count: make(map[string]int)}
}

// bury moves e from the live entries to the dead ones.
func (t *table) bury(e *entry) {
	t.live.Delete(e)
	t.dead.Set(e)
	if t.count[e.key.Namespace]--; t.count[e.key.Namespace] == 0 {
		delete(t.count, e.key.Namespace)
	}
}

// raise makes e, new or dead, a live entry.
func (t *table) raise(e *entry) {
	if e.cur.rev != 0 {
		t.dead.Delete(e)
	}
	t.live.Set(e)
	t.count[e.key.Namespace]++
}

// An eventLog is the kept changes of one resource in revision order. Each has a sequence number of its
// own, so that a cursor's place stays right when old events go.
type eventLog struct {
	first  uint64 // sequence number of events[0]
	events []Event
}

func (l *eventLog) end() uint64 { return l.first + uint64(len(l.events)) }

func (l *eventLog) at(seq uint64) *Event { return &l.events[seq-l.first] }

// after returns the sequence number of the first event later than rev.
func (l *eventLog) after(rev kinds.Revision) uint64 {
	i, _ := slices.BinarySearchFunc(l.events, rev+1, func(ev Event, r kinds.Revision) int {
		return int(ev.Revision - r)
	})
	return l.first + uint64(i)
}

// drop forgets the events before seq.
func (l *eventLog) drop(seq uint64) {
	n := seq - l.first
	clear(l.events[:n]) // the array behind may live on
	l.events = l.events[n:]
	l.first = seq
}

func resourceLess(a, b *table) int { return strings.Compare(a.resource, b.resource) }
