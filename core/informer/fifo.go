package informer

import (
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
	queue  []queued[T]
	taken  int               // how many at the front have come out
	places map[kinds.Key]int // of those that have not, in queue
}

// keepQueue is for how many keys room is kept.
const keepQueue = 1024

// A queued is what waits under one key.
type queued[T kinds.Object] struct {
	key  kinds.Key
	last delta[T]
	rest []delta[T] // the older ones, oldest first
}

func newFIFO[T kinds.Object]() fifo[T] { return fifo[T]{places: make(map[kinds.Key]int)} }

// add appends a delta; two deletions in a row are one.
func (f *fifo[T]) add(key kinds.Key, d delta[T]) {
	at, waits := f.places[key]
	if !waits {
		f.places[key] = len(f.queue)
		f.queue = append(f.queue, queued[T]{key: key, last: d})
		return
	}
	q := &f.queue[at]
	if d.typ == Deleted && q.last.typ == Deleted {
		return
	}
	q.rest = append(q.rest, q.last)
	q.last = d
}

// replace takes in a list: each object of it is an update, and what is known or waits here and is not in
// the list has been deleted.
func (f *fifo[T]) replace(objs []T, keyOf func(T) kinds.Key, known []T) {
	listed := make(map[kinds.Key]bool, len(objs))
	for _, o := range objs {
		listed[keyOf(o)] = true
	}
	for _, q := range f.queue[f.taken:] {
		if !listed[q.key] {
			gone := q.last
			gone.typ, gone.span = Deleted, 0
			f.add(q.key, gone)
			listed[q.key] = true
		}
	}
	for _, o := range known {
		if key := keyOf(o); !listed[key] {
			f.add(key, delta[T]{typ: Deleted, obj: o, revision: kinds.RevisionOf(o)})
		}
	}
	for _, o := range objs {
		f.add(keyOf(o), delta[T]{typ: Updated, obj: o, revision: kinds.RevisionOf(o)})
	}
}

// pop takes out the oldest key with all its deltas.
func (f *fifo[T]) pop() (q queued[T], ok bool) {
	if f.taken == len(f.queue) {
		clear(f.queue) // keeps the room, lets go of the objects
		f.queue, f.taken = f.queue[:0], 0
		if cap(f.queue) > keepQueue {
			f.queue = nil
		}
		return queued[T]{}, false
	}
	q = f.queue[f.taken]
	f.taken++
	delete(f.places, q.key)
	return q, true
}

// A Waiting says what waits in a FIFO under one key.
type Waiting struct {
	Key    kinds.Key
	Deltas []string // "ADDED", "MODIFIED", "DELETED", "SYNC", oldest first
}

func (f *fifo[T]) waiting() []Waiting {
	out := make([]Waiting, 0, len(f.queue)-f.taken)
	for _, q := range f.queue[f.taken:] {
		w := Waiting{Key: q.key}
		for _, d := range append(q.rest, q.last) {
			w.Deltas = append(w.Deltas, d.typ.String())
		}
		out = append(out, w)
	}
	return out
}
