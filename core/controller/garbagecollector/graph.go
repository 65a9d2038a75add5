package garbagecollector

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/lru"
)

// absentKept is how many identities that turned out not to exist are remembered.
const absentKept = 500

// A graph knows which object owns which, from what informers show. It decides which objects must be looked
// at; it reads and writes nothing. Models pkg/controller/garbagecollector GraphBuilder.
//
// A reference may name an object that has not been seen. Then a virtual node stands for it, and is looked
// at to find out whether the object exists:
//
//	pod seen first:      pod -> (ReplicaSet web-1, virtual)      look at: ReplicaSet web-1
//	ReplicaSet seen:     pod -> ReplicaSet web-1                 virtual no more
//	or found absent:     gone(ReplicaSet web-1)                  look at: pod, whose owner is absent
type graph struct {
	nodes  map[types.UID]*node
	absent *lru.Cache // identities that do not exist

	// look is called for a node that may have to be deleted, or whose deletion may go on.
	look func(*node)
	// orphan is called for an owner that is being deleted and lets its dependents live.
	orphan func(*node)
	// misplaced is called for a node with a reference to an owner in another namespace.
	misplaced func(n *node, owner types.UID)
}

func newGraph() *graph { return &graph{nodes: make(map[types.UID]*node), absent: lru.New(absentKept)} }

func (g *graph) isAbsent(id identity) bool {
	_, ok := g.absent.Get(id)
	return ok
}

// seen takes in an object as an informer shows it; old is its state before, nil if it is new.
// Models processGraphChanges for adds and updates.
func (g *graph) seen(id identity, obj, old metav1.Object) {
	n, known := g.nodes[id.UID]
	if !known {
		n = &node{
			id: id, owners: obj.GetOwnerReferences(), beingDeleted: obj.GetDeletionTimestamp() != nil,
			deletingDependents: deleting(obj, metav1.FinalizerDeleteDependents),
		}
		g.nodes[id.UID] = n
		g.addToOwners(n, n.owners)
	} else {
		if n.virtual {
			n = g.reveal(n, id)
		}
		g.reown(n, obj.GetOwnerReferences())
		n.beingDeleted = n.beingDeleted || obj.GetDeletionTimestamp() != nil
	}
	g.transitions(n, obj, old)
}

// reveal makes a virtual node a real one, with the identity that it turned out to have; dependents that
// expected another one are looked at.
func (g *graph) reveal(n *node, id identity) *node {
	if n.id != id {
		_, others := partition(n.dependents.list, id)
		for _, d := range others {
			if id.Namespace != "" && d.id.Namespace != id.Namespace {
				g.misplaced(d, id.UID)
			}
			g.look(d)
		}
		n = n.clone(id)
		g.nodes[id.UID] = n
	}
	n.virtual = false
	return n
}

// reown updates the node's owners.
func (g *graph) reown(n *node, refs []metav1.OwnerReference) {
	if sameRefs(n.owners, refs) {
		return
	}
	added, removed, unblocked := diffRefs(n.owners, refs)
	for _, ref := range unblocked {
		if o := g.nodes[ref.UID]; o != nil {
			g.look(o)
		}
	}
	n.owners = refs
	g.addToOwners(n, added)
	g.removeFromOwners(n, removed)
}

// sameRefs is a fast test: most updates of an object share its references.
func sameRefs(a, b []metav1.OwnerReference) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || equality.Semantic.DeepEqual(a, b))
}

// diffRefs returns the references that are new, those that are gone, and those that used to block their
// owner's deletion and no longer do.
func diffRefs(old, now []metav1.OwnerReference) (added, removed, unblocked []metav1.OwnerReference) {
	index := func(list []metav1.OwnerReference, uid types.UID) int {
		return slices.IndexFunc(list, func(r metav1.OwnerReference) bool { return r.UID == uid })
	}
	for _, ref := range now {
		if index(old, ref.UID) < 0 {
			added = append(added, ref)
		}
	}
	for _, ref := range old {
		i := index(now, ref.UID)
		if i < 0 {
			removed = append(removed, ref)
		}
		if blocks(ref) && (i < 0 || !blocks(now[i])) {
			unblocked = append(unblocked, ref)
		}
	}
	return added, removed, unblocked
}

// transitions notes that a deletion which waits for dependents has begun. Models processTransitions.
func (g *graph) transitions(n *node, obj, old metav1.Object) {
	begins := func(finalizer string) bool {
		return deleting(obj, finalizer) && (old == nil || !deleting(old, finalizer))
	}
	switch {
	case begins(metav1.FinalizerOrphanDependents):
		g.orphan(n)
	case begins(metav1.FinalizerDeleteDependents):
		n.deletingDependents = true
		for _, d := range n.dependents.list {
			g.look(d)
		}
		g.look(n)
	}
}

// deleting reports whether the object is being deleted and waits for the finalizer.
func deleting(obj metav1.Object, finalizer string) bool {
	return obj.GetDeletionTimestamp() != nil && slices.Contains(obj.GetFinalizers(), finalizer)
}

// addToOwners makes n a dependent of its owners, those not seen yet included. n itself is looked at when
// one of its references may be wrong. Models addDependentToOwners.
func (g *graph) addToOwners(n *node, refs []metav1.OwnerReference) {
	doubtful := false
	for _, ref := range refs {
		o, known := g.nodes[ref.UID]
		if !known {
			o = &node{id: identityOf(ref, n.id.Namespace), virtual: true}
			g.nodes[ref.UID] = o
		}
		o.dependents.add(n)
		switch {
		case !known:
			g.look(o)
		case doubtful:
		case o.id.Namespace != "" && o.id.Namespace != n.id.Namespace:
			doubtful = true
			if !o.virtual {
				g.misplaced(n, ref.UID)
			}
		case !names(ref, o.id), o.id.Namespace == "" && n.id.Namespace != "" && o.virtual:
			doubtful = true
		}
	}
	if doubtful {
		g.look(n)
	}
}

func (g *graph) removeFromOwners(n *node, refs []metav1.OwnerReference) {
	for _, ref := range refs {
		if o := g.nodes[ref.UID]; o != nil {
			o.dependents.remove(n)
		}
	}
}

// gone takes in that an object was deleted, as an informer shows it, or that nothing of that identity
// exists, as the API says of a node (verified). Models processGraphChanges for deletes.
func (g *graph) gone(id identity, verified bool) {
	n := g.nodes[id.UID]
	if n == nil || verified && !g.mayRemove(n, id) {
		return
	}
	delete(g.nodes, n.id.UID)
	g.removeFromOwners(n, n.owners)
	if len(n.dependents.list) > 0 {
		g.absent.Add(id, nil)
	}
	for _, d := range n.dependents.list {
		g.look(d)
	}
	for _, ref := range n.owners {
		if o := g.nodes[ref.UID]; o != nil && o.deletingDependents {
			g.look(o)
		}
	}
}
