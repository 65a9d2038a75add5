// Package board computes what the page draws of a cluster as a whole: nodes with what is asked of them,
// and pods with their owner, node and phase.
//
// It follows the commits of the API server but does nothing at them: Commit only remembers which objects
// changed. When a subscriber asks for its next frame, the changes since its last one are worked out and
// sent as one, so a thousand commits between two animation frames cost one frame.
//
// It promises: a subscriber that applies its frames in order, until there is none, has the board as of the
// newest commit; having subscribers changes nothing in the cluster, not even the order of its tasks.
package board

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
)

// Objects gives the newest states.
type Objects interface {
	Get(key kinds.Key) (kinds.Object, bool)
	List(resource, namespace string) ([]kinds.Object, kinds.Revision)
}

// A Board keeps what was last sent of each node and pod.
type Board struct {
	objects Objects
	subs    []*Subscription // no subscriber: nothing below is kept

	lastID  uint32
	things  map[uint32]any   // *node, *pod and *owner by number
	nodes   map[string]*node // those that exist, and those that pods name
	pods    map[types.NamespacedName]*pod
	owners  map[types.UID]*owner
	roots   map[rootKey]*root
	palette [hues]int // roots by hue

	dirty map[kinds.Key]bool
	order []kinds.Key // the keys of dirty, as they were committed first
}

// New returns a board of objects.
func New(objects Objects) *Board {
	b := &Board{objects: objects}
	b.clear()
	return b
}

func (b *Board) clear() {
	b.things = make(map[uint32]any)
	b.nodes, b.pods = make(map[string]*node), make(map[types.NamespacedName]*pod)
	b.owners, b.roots = make(map[types.UID]*owner), make(map[rootKey]*root)
	b.palette = [hues]int{}
	b.dirty, b.order = make(map[kinds.Key]bool), nil
}

// Commit notes that an object was created, changed or deleted.
func (b *Board) Commit(key kinds.Key) {
	if len(b.subs) == 0 || b.dirty[key] {
		return
	}
	switch key.Resource {
	case "pods", "nodes", "replicasets.apps", "jobs.batch":
	default:
		return
	}
	b.dirty[key] = true
	b.order = append(b.order, key)
	for _, s := range b.subs {
		s.wake()
	}
}

// number gives a thing the next number.
func (b *Board) number(thing any) uint32 {
	b.lastID++
	b.things[b.lastID] = thing
	return b.lastID
}

// load takes in everything there is.
func (b *Board) load() {
	b.clear()
	for _, resource := range []string{"nodes", "pods"} {
		list, _ := b.objects.List(resource, "")
		for _, o := range list {
			key := kinds.Key{Resource: resource, Namespace: o.GetNamespace(), Name: o.GetName()}
			b.dirty[key] = true
			b.order = append(b.order, key)
		}
	}
	b.sync()
}

// sync works out what the remembered commits changed, for every subscriber.
func (b *Board) sync() {
	for _, key := range b.order {
		obj, _ := b.objects.Get(key)
		switch key.Resource {
		case "nodes":
			b.syncNode(key.Name, obj)
		case "pods":
			b.syncPod(types.NamespacedName{Namespace: key.Namespace, Name: key.Name}, obj)
		default:
			if obj != nil {
				b.syncOwner(obj.GetUID())
			}
		}
	}
	clear(b.dirty)
	b.order = b.order[:0]
}

// Subscribe returns a stream of frames: the first is the whole board, each later one what changed since.
// wake is called when Next has something; it may be called from within a commit.
func (b *Board) Subscribe(wake func()) *Subscription {
	if len(b.subs) == 0 {
		b.load()
	} else {
		b.sync()
	}
	s := newSubscription(b, wake)
	b.subs = append(b.subs, s)
	return s
}

func (b *Board) unsubscribe(s *Subscription) {
	b.subs = slices.DeleteFunc(b.subs, func(x *Subscription) bool { return x == s })
	if len(b.subs) == 0 {
		b.clear()
	}
}
