package informer

import (
	"terrarium/core/client"
	"terrarium/core/kinds"
)

// A Factory makes one informer a kind and shares it among all who ask.
type Factory struct {
	cfg    Config
	client *client.Client
	made   map[string]shared
	order  []string // resources in the order they were first asked for
}

// shared is what a Factory needs of an informer whose type it does not know.
type shared interface {
	Start()
	HasSynced() bool
	OnSync(func())
	Queue() []Waiting
	DropWatch()
	observe(func(Event[kinds.Object]))
}

// NewFactory returns a factory whose informers read as c.
func NewFactory(cfg Config, c *client.Client) *Factory {
	return &Factory{cfg: cfg, client: c, made: make(map[string]shared)}
}

// Shared returns the factory's informer on the kind kept under resource. Everyone must ask for a resource
// by the same type: the kind's own, or kinds.Object for all through Any.
func Shared[T kinds.Object](f *Factory, resource string) *Informer[T] {
	if i, ok := f.made[resource]; ok {
		return i.(*Informer[T])
	}
	i := New(f.cfg, resource, client.Of[T](f.client, resource))
	f.made[resource] = i
	f.order = append(f.order, resource)
	return i
}

// Start starts every informer made so far, in the order they were asked for.
func (f *Factory) Start() {
	for _, r := range f.order {
		f.made[r].Start()
	}
}

// HasSynced reports whether every informer has synced.
func (f *Factory) HasSynced() bool {
	for _, r := range f.order {
		if !f.made[r].HasSynced() {
			return false
		}
	}
	return true
}

// OnSync calls fn once every informer made so far has synced.
func (f *Factory) OnSync(fn func()) {
	left := len(f.order)
	if left == 0 {
		fn()
		return
	}
	for _, r := range f.order {
		f.made[r].OnSync(func() {
			if left--; left == 0 {
				fn()
			}
		})
	}
}

// Queues returns, by resource in the order of the informers, the deltas that wait.
func (f *Factory) Queues() (resources []string, waiting [][]Waiting) {
	for _, r := range f.order {
		resources = append(resources, r)
		waiting = append(waiting, f.made[r].Queue())
	}
	return resources, waiting
}

// Observe makes h hear of every change of the kind kept under resource, whatever the Go type by which others
// ask for it. Call it after those others have asked.
func Observe(f *Factory, resource string, h func(Event[kinds.Object])) {
	if f.made[resource] == nil {
		Shared[kinds.Object](f, resource)
	}
	f.made[resource].observe(h)
}

func (i *Informer[T]) observe(h func(Event[kinds.Object])) {
	i.AddHandler(func(ev Event[T]) {
		any := Event[kinds.Object]{Type: ev.Type, Key: ev.Key, New: ev.New, Revision: ev.Revision, Span: ev.Span}
		if ev.Type != Added {
			any.Old = ev.Old
		}
		h(any)
	})
}
