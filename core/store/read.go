package store

import (
	"iter"

	"terrarium/core/kinds"
)

// Get returns the key's object; ok is false when there is none.
func (s *Store) Get(key kinds.Key) (obj kinds.Object, ok bool) {
	e := s.entries[key]
	if e == nil || e.cur.obj == nil {
		return nil, false
	}
	s.check(key, e.cur.obj)
	return e.cur.obj, true
}

// GetAt returns what the key held at rev; ok is false when there was nothing.
// Possible errors: ErrTooOld, ErrFuture.
func (s *Store) GetAt(key kinds.Key, rev kinds.Revision) (obj kinds.Object, ok bool, err error) {
	if err := s.readable(rev); err != nil {
		return nil, false, err
	}
	e := s.entries[key]
	if e == nil {
		return nil, false, nil
	}
	obj = e.at(rev)
	return obj, obj != nil, nil
}

// readable says whether the state at rev is known.
func (s *Store) readable(rev kinds.Revision) error {
	if rev < s.compacted {
		return ErrTooOld
	}
	if rev > s.rev {
		return ErrFuture
	}
	return nil
}

// Count returns how many objects List would.
func (s *Store) Count(resource, namespace string) int {
	t := s.byName[resource]
	if t == nil {
		return 0
	}
	if namespace == "" {
		return t.live.Len()
	}
	return t.count[namespace]
}

// Len returns how many objects there are in all.
func (s *Store) Len() (n int) {
	for _, t := range s.tables {
		n += t.live.Len()
	}
	return n
}

// List returns the objects of a resource in a namespace ("" is all) by namespace and name, and the
// revision at which that is so.
func (s *Store) List(resource, namespace string) (objs []kinds.Object, rev kinds.Revision) {
	t := s.byName[resource]
	n := s.Count(resource, namespace)
	if n == 0 {
		return nil, s.rev
	}
	objs = make([]kinds.Object, 0, n)
	t.live.Ascend(&entry{key: kinds.Key{Namespace: namespace}}, func(e *entry) bool {
		if namespace != "" && e.key.Namespace != namespace {
			return false
		}
		s.check(e.key, e.cur.obj)
		objs = append(objs, e.cur.obj)
		return true
	})
	return objs, s.rev
}

// ListAt returns the objects that List would have returned at rev, from the first behind the key after
// (its namespace and name count; the zero Key is the start), at most limit of them if limit is positive,
// and how many more there were. Possible errors: ErrTooOld, ErrFuture.
func (s *Store) ListAt(resource, namespace string, rev kinds.Revision, after kinds.Key, limit int) (objs []kinds.Object, remaining int, err error) {
	all, err := s.ScanAt(resource, namespace, rev, after)
	if err != nil {
		return nil, 0, err
	}
	for _, obj := range all {
		if limit > 0 && len(objs) == limit {
			remaining++
			continue
		}
		objs = append(objs, obj)
	}
	return objs, remaining, nil
}

// ScanAt yields what ListAt would return, for a caller that stops by its own rule. The store may be written
// to only after the last one. Possible errors: ErrTooOld, ErrFuture.
func (s *Store) ScanAt(resource, namespace string, rev kinds.Revision, after kinds.Key) (iter.Seq2[kinds.Key, kinds.Object], error) {
	if err := s.readable(rev); err != nil {
		return nil, err
	}
	from := after
	if from.Namespace < namespace {
		from = kinds.Key{Namespace: namespace}
	}
	return func(yield func(kinds.Key, kinds.Object) bool) {
		t := s.byName[resource]
		if t == nil {
			return
		}
		for e := range t.from(from, rev == s.rev) {
			if namespace != "" && e.key.Namespace != namespace {
				return
			}
			if e.key.Namespace == after.Namespace && e.key.Name == after.Name {
				continue
			}
			if obj := e.at(rev); obj != nil && !yield(e.key, obj) {
				return
			}
		}
	}, nil
}

// from yields the entries at or behind key in order: the live ones and, unless liveOnly, the dead.
func (t *table) from(key kinds.Key, liveOnly bool) iter.Seq[*entry] {
	pivot := &entry{key: key}
	return func(yield func(*entry) bool) {
		live := t.live.Iter()
		defer live.Release()
		more := live.Seek(pivot)
		if !liveOnly {
			dead := t.dead.Iter()
			defer dead.Release()
			for ok := dead.Seek(pivot); ok; ok = dead.Next() {
				for more && entryLess(live.Item(), dead.Item()) {
					if !yield(live.Item()) {
						return
					}
					more = live.Next()
				}
				if !yield(dead.Item()) {
					return
				}
			}
		}
		for ; more; more = live.Next() {
			if !yield(live.Item()) {
				return
			}
		}
	}
}

// Resources returns the names of the resources that have or had objects, sorted.
func (s *Store) Resources() []string {
	names := make([]string, len(s.tables))
	for i, t := range s.tables {
		names[i] = t.resource
	}
	return names
}

// All yields every live object by resource, namespace and name.
func (s *Store) All() iter.Seq2[kinds.Key, kinds.Object] {
	return func(yield func(kinds.Key, kinds.Object) bool) {
		for _, t := range s.tables {
			for e := range t.from(kinds.Key{}, true) {
				if !yield(e.key, e.cur.obj) {
					return
				}
			}
		}
	}
}
