package informer

import (
	"math/rand/v2"
	"time"

	"terrarium/core/apiserver"
	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/store"
)

// relistBase and relistMax bound the delay before a failed list is tried again.
const (
	relistBase = 800 * time.Millisecond
	relistMax  = 30 * time.Second
)

// A reflector lists the objects of one kind and follows their changes into a FIFO; it lists again when its
// place in history is gone.
//
// Models client-go tools/cache reflector.go ListAndWatch.
type reflector[T kinds.Object] struct {
	cfg      Config
	resource string
	source   Source[T]
	fifo     *fifo[T]
	known    func() []T // what the indexer holds
	process  func()
	luck     *rand.Rand

	watch    *apiserver.WatchStream
	revision kinds.Revision // everything up to here has been read
	listed   bool
	posted   bool // a task that reads the watch is on the loop
	failures int
}

func newReflector[T kinds.Object](cfg Config, resource string, source Source[T], f *fifo[T], known func() []T, process func()) reflector[T] {
	return reflector[T]{
		cfg: cfg, resource: resource, source: source, fifo: f, known: known, process: process,
		luck: cfg.Loop.Rand("watch " + cfg.Name + " " + resource),
	}
}

func (r *reflector[T]) label(action string) loop.Label {
	return loop.Label{Component: r.cfg.Name, Action: action, Object: r.resource}
}

func (r *reflector[T]) key(obj T) kinds.Key {
	return kinds.Key{Resource: r.resource, Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

func (r *reflector[T]) start() {
	r.cfg.Loop.After(r.cfg.Latency.Draw(r.luck), r.label("list"), r.list)
}

// list reads everything, makes the FIFO say how that differs from what was known, and starts the watch.
func (r *reflector[T]) list() {
	objs, rev, err := r.source.List("", nil)
	if err != nil {
		r.retry()
		return
	}
	r.failures = 0
	r.revision = rev
	r.fifo.replace(objs, r.key, r.known())
	r.listed = true
	r.process()
	r.follow()
}

func (r *reflector[T]) retry() {
	d := min(relistBase<<min(r.failures, 10), relistMax)
	r.failures++
	r.cfg.Loop.After(d, r.label("list again"), r.list)
}

// follow watches from the last revision read; where that is gone it lists again.
func (r *reflector[T]) follow() {
	w, err := r.source.Watch("", r.revision, nil, nil)
	if err != nil {
		r.retry()
		return
	}
	r.watch = w
	w.OnWake(r.wake)
	r.wake() // what happened between the list and now
}

// wake arranges for the watch to be read after the latency of the wire.
func (r *reflector[T]) wake() {
	if r.posted {
		return
	}
	r.posted = true
	r.cfg.Loop.After(r.cfg.Latency.Draw(r.luck), r.label("watch event"), func() {
		r.posted = false
		if !r.fill() {
			r.drop()
			r.retry()
		}
		r.process()
	})
}

// fill moves everything that the watch has into the FIFO. It reports false when the watch has ended.
func (r *reflector[T]) fill() bool {
	if r.watch == nil {
		return true
	}
	for {
		ev, ok, err := r.watch.Next()
		if err != nil {
			return false
		}
		if !ok {
			r.revision = r.watch.Revision()
			return true
		}
		r.fifo.add(ev.Key, deltaOf[T](ev))
	}
}

func deltaOf[T kinds.Object](ev store.Event) delta[T] {
	d := delta[T]{obj: ev.Object.(T), revision: ev.Revision, span: ev.Span}
	switch ev.Type {
	case store.Added:
		d.typ = Added
	case store.Modified:
		d.typ = Updated
	case store.Deleted:
		d.typ = Deleted
	}
	return d
}

// drop ends the watch.
func (r *reflector[T]) drop() {
	if r.watch != nil {
		r.watch.Close()
		r.watch = nil
	}
}
