package informer

import (
	"slices"

	"terrarium/core/kinds"
	"terrarium/core/trace"
)

// A delta is one change of one object as the reflector read it.
type delta[T kinds.Object] struct {
	typ      Type
	obj      T
	revision kinds.Revision
	span     trace.SpanID
}

// A fifo holds, by key, the deltas that have not been processed. Keys come out in the order in which their
// oldest delta went in.
//
// Models client-go tools/cache delta_fifo.go.
type fifo[T kinds.Object] struct {
	queue []kinds.Key              // each has at least one delta in items
	items map[kinds.Key][]delta[T] // oldest first
}

func newFIFO[T kinds.Object]() fifo[T] {
	return fifo[T]{items: make(map[kinds.Key][]delta[T])}
}

// add appends a delta; two deletions in a row are one.
func (f *fifo[T]) add(key kinds.Key, d delta[T]) {
	deltas, queued := f.items[key]
	if n := len(deltas); n > 0 && d.typ == Deleted && deltas[n-1].typ == Deleted {
		return
	}
	if !queued {
		f.queue = append(f.queue, key)
	}
	f.items[key] = append(deltas, d)
}

// replace takes in a list: each object of it is an update, and what is known or waits here and is not in
// the list has been deleted.
func (f *fifo[T]) replace(objs []T, keyOf func(T) kinds.Key, known []T) {
	listed := make(map[kinds.Key]bool, len(objs))
	for _, o := range objs {
		listed[keyOf(o)] = true
	}
	for _, key := range slices.Clone(f.queue) {
		if deltas := f.items[key]; !listed[key] {
			last := deltas[len(deltas)-1]
			last.typ, last.span = Deleted, 0
			f.add(key, last)
			listed[key] = true
		}
	}
	for _, o := range known {
		if key := keyOf(o); !listed[key] {
			f.add(key, delta[T]{typ: Deleted, obj: o, revision: revisionOf(o)})
		}
	}
	for _, o := range objs {
		f.add(keyOf(o), delta[T]{typ: Updated, obj: o, revision: revisionOf(o)})
	}
}

// pop takes out the oldest key with all its deltas.
func (f *fifo[T]) pop() (key kinds.Key, deltas []delta[T], ok bool) {
	if len(f.queue) == 0 {
		return kinds.Key{}, nil, false
	}
	key = f.queue[0]
	f.queue = f.queue[1:]
	deltas = f.items[key]
	delete(f.items, key)
	return key, deltas, true
}

// A Waiting says what waits in a FIFO under one key.
type Waiting struct {
	Key    kinds.Key
	Deltas []string // "ADDED", "MODIFIED", "DELETED", "SYNC", oldest first
}

func (f *fifo[T]) waiting() []Waiting {
	out := make([]Waiting, 0, len(f.queue))
	for _, key := range f.queue {
		w := Waiting{Key: key}
		for _, d := range f.items[key] {
			w.Deltas = append(w.Deltas, d.typ.String())
		}
		out = append(out, w)
	}
	return out
}
