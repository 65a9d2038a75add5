package garbagecollector

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// An identity is where an object is found, and which of those once found there it is.
type identity struct {
	APIVersion, Kind, Namespace, Name string
	UID                               types.UID
}

// String is how events name an identity.
func (i identity) String() string {
	return "[" + i.APIVersion + "/" + i.Kind + ", namespace: " + i.Namespace + ", name: " + i.Name + ", uid: " + string(i.UID) + "]"
}

// identityOf returns what a reference of an object in namespace names. Whether the owner is in the
// namespace or cluster-scoped the reference does not say.
func identityOf(ref metav1.OwnerReference, namespace string) identity {
	return identity{ref.APIVersion, ref.Kind, namespace, ref.Name, ref.UID}
}

// names reports whether the reference names id, namespaces aside.
func names(ref metav1.OwnerReference, id identity) bool {
	return ref.UID == id.UID && ref.Name == id.Name && ref.Kind == id.Kind && ref.APIVersion == id.APIVersion
}

// A node is an object in the graph of owners.
type node struct {
	id         identity
	owners     []metav1.OwnerReference
	dependents nodeSet

	beingDeleted bool // has a deletion timestamp: a one-way trip
	// deletingDependents: it is being deleted in the foreground, and waits for its dependents.
	deletingDependents bool
	// virtual: others name it as their owner, but no informer has shown it yet.
	virtual bool
}

// clone returns a copy with another identity; dependents are copied too.
func (n *node) clone(id identity) *node {
	c := *n
	c.id = id
	c.dependents = nodeSet{}
	for _, d := range n.dependents.list {
		c.dependents.add(d)
	}
	return &c
}

// blocking returns the dependents whose reference to n says that they block its deletion.
func (n *node) blocking() []*node {
	var out []*node
	for _, d := range n.dependents.list {
		for _, ref := range d.owners {
			if ref.UID == n.id.UID && blocks(ref) {
				out = append(out, d)
				break
			}
		}
	}
	return out
}

func blocks(ref metav1.OwnerReference) bool {
	return ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion
}

// A nodeSet is a set of nodes in an order that depends only on what was done to it.
type nodeSet struct {
	list []*node
	at   map[*node]int // list[at[n]] == n
}

func (s *nodeSet) add(n *node) {
	if _, ok := s.at[n]; ok {
		return
	}
	if s.at == nil {
		s.at = make(map[*node]int)
	}
	s.at[n] = len(s.list)
	s.list = append(s.list, n)
}

// remove puts the last node in the place of n.
func (s *nodeSet) remove(n *node) {
	i, ok := s.at[n]
	if !ok {
		return
	}
	last := len(s.list) - 1
	s.list[i] = s.list[last]
	s.at[s.list[i]] = i
	s.list[last] = nil
	s.list = s.list[:last]
	delete(s.at, n)
}
