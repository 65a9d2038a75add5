// Package informer keeps a local copy of the objects of one kind and tells handlers what changed.
//
// The data flows reflector -> delta FIFO -> indexer -> handlers: the reflector lists once and then follows
// a watch; what it reads waits in the FIFO, by key; each delta is applied to the indexer before the
// handlers hear of it. Models client-go tools/cache.
//
// It promises: every handler hears of every change of an object in order; the indexer is at least as new
// as the change a handler hears of. It does not promise: an order across objects; that two quick changes
// of one object are told apart after a re-list; that the copy is as new as the store (it lags by the
// watch's latency).
package informer

import (
	"time"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"terrarium/core/apiserver"
	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/trace"
)

// A Source is where an informer reads from. client.Resource has it.
type Source[T kinds.Object] interface {
	List(namespace string, sel labels.Selector) ([]T, kinds.Revision, error)
	Watch(namespace string, from kinds.Revision, sel labels.Selector, f fields.Selector) (*apiserver.WatchStream, error)
}

// A Type says what happened to an object.
type Type uint8

const (
	Added   Type = iota + 1 // it is new to the informer
	Updated                 // it changed
	Deleted                 // it is gone; New and Old are the last state known
	Sync                    // nothing happened: a periodic resync, or a re-list found it unchanged
)

// String returns the watch event type that t stands for.
func (t Type) String() string {
	switch t {
	case Added:
		return "ADDED"
	case Updated:
		return "MODIFIED"
	case Deleted:
		return "DELETED"
	}
	return "SYNC"
}

// An Event is one change of one object as handlers hear of it.
type Event[T kinds.Object] struct {
	Type     Type
	Key      kinds.Key
	Old, New T // Old is nil for Added
	Revision kinds.Revision
	Span     trace.SpanID // the span that made the change, 0 if unknown
}

// Trigger returns the event as a reason for a reconcile.
func (e Event[T]) Trigger() trace.Trigger {
	return trace.Trigger{Key: e.Key, Revision: e.Revision, Type: e.Type.String(), Span: e.Span}
}

// Config says how an informer reads.
type Config struct {
	Name    string // of the component that the informer serves, for the loop's labels
	Loop    *loop.Loop
	Latency loop.Range // how long a change takes to arrive
	// Resync is how often handlers hear of every object again; 0 is never.
	Resync time.Duration
}

// An Informer keeps a copy of the objects of one kind.
type Informer[T kinds.Object] struct {
	reflector reflector[T]
	fifo      fifo[T]
	indexer   indexer[T]
	handlers  []func(Event[T])
	onSync    []func()
	synced    bool
	name      string
	loop      *loop.Loop
	resync    time.Duration
}

// New returns an informer on the objects of the kind kept under resource. It reads nothing before Start.
func New[T kinds.Object](cfg Config, resource string, source Source[T]) *Informer[T] {
	i := &Informer[T]{indexer: newIndexer[T](), fifo: newFIFO[T](), name: cfg.Name, loop: cfg.Loop, resync: cfg.Resync}
	i.reflector = newReflector(cfg, resource, source, &i.fifo, i.indexer.all, i.process)
	return i
}

// AddHandler makes h hear of every change from now on; it first hears of what is already there.
func (i *Informer[T]) AddHandler(h func(Event[T])) {
	i.handlers = append(i.handlers, h)
	for _, obj := range i.indexer.all() {
		h(Event[T]{Type: Added, Key: i.reflector.key(obj), New: obj, Revision: kinds.RevisionOf(obj)})
	}
}

// AddIndex makes the lister find objects by the values that of returns for them.
func (i *Informer[T]) AddIndex(name string, of func(T) []string) { i.indexer.addIndex(name, of) }

// Lister returns the view of the copy.
func (i *Informer[T]) Lister() Lister[T] { return Lister[T]{&i.indexer} }

// HasSynced reports whether the first list has been handed to the handlers.
func (i *Informer[T]) HasSynced() bool { return i.synced }

// OnSync calls f when the informer has synced, at once if it has.
func (i *Informer[T]) OnSync(f func()) {
	if i.synced {
		f()
		return
	}
	i.onSync = append(i.onSync, f)
}

// Start lists and begins to follow changes.
func (i *Informer[T]) Start() {
	i.reflector.start()
	if i.resync > 0 {
		i.scheduleResync()
	}
}

// Revision returns the revision up to which changes have been read.
func (i *Informer[T]) Revision() kinds.Revision { return i.reflector.revision }

// DropWatch ends the watch as a broken connection would; the reflector re-establishes it.
func (i *Informer[T]) DropWatch() {
	i.reflector.drop()
	i.reflector.retry()
}

// Queue returns the deltas that have not been processed, by key, for a person to look at.
func (i *Informer[T]) Queue() []Waiting {
	i.reflector.fill() // a watch that has ended is dealt with when its turn comes
	return i.fifo.waiting()
}

// process applies what waits in the FIFO to the indexer and tells the handlers.
func (i *Informer[T]) process() {
	for {
		q, ok := i.fifo.pop()
		if !ok {
			break
		}
		for _, d := range q.rest {
			i.apply(q.key, d)
		}
		i.apply(q.key, q.last)
	}
	if !i.synced && i.reflector.listed {
		i.synced = true
		for _, f := range i.onSync {
			f()
		}
		i.onSync = nil
	}
}

func (i *Informer[T]) apply(key kinds.Key, d delta[T]) {
	n := name{key.Namespace, key.Name}
	old, had := i.indexer.get(n)
	ev := Event[T]{Key: key, New: d.obj, Revision: d.revision, Span: d.span}
	switch {
	case d.typ == Deleted && !had:
		return
	case d.typ == Deleted:
		ev.Type, ev.Old = Deleted, d.obj
		i.indexer.remove(n)
	case !had:
		ev.Type = Added
		i.indexer.put(n, d.obj)
	case d.typ == Sync || old.GetResourceVersion() == d.obj.GetResourceVersion():
		ev.Type, ev.Old = Sync, old
		i.indexer.put(n, d.obj)
	default:
		ev.Type, ev.Old = Updated, old
		i.indexer.put(n, d.obj)
	}
	for _, h := range i.handlers {
		h(ev)
	}
}

func (i *Informer[T]) scheduleResync() {
	i.loop.After(i.resync, loop.Label{Component: i.name, Action: "resync"}, func() {
		for _, obj := range i.indexer.all() {
			i.fifo.add(i.reflector.key(obj), delta[T]{typ: Sync, obj: obj, revision: kinds.RevisionOf(obj)})
		}
		i.process()
		i.scheduleResync()
	})
}
