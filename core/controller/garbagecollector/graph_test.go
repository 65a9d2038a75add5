package garbagecollector

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A world is a graph with what it asked for since the last time.
type world struct {
	*graph
	looked, orphaned, misplaced []string
}

func newWorld() *world {
	w := &world{graph: newGraph()}
	w.look = func(n *node) { w.looked = append(w.looked, n.id.Name) }
	w.orphan = func(n *node) { w.orphaned = append(w.orphaned, n.id.Name) }
	w.graph.misplaced = func(n *node, _ types.UID) { w.misplaced = append(w.misplaced, n.id.Name) }
	return w
}

func (w *world) expect(t *testing.T, what string, looked ...string) {
	t.Helper()
	got := append([]string(nil), w.looked...)
	slices.Sort(got)
	slices.Sort(looked)
	if diff := cmp.Diff(looked, got); diff != "" {
		t.Errorf("%s: looked at (-want +got):\n%s", what, diff)
	}
	w.looked = nil
}

func id(kind, ns, name string) identity {
	return identity{APIVersion: "v1", Kind: kind, Namespace: ns, Name: name, UID: types.UID(name)}
}

func ownedBy(owners ...identity) metav1.Object {
	o := &corev1.Pod{}
	for _, id := range owners {
		yes := true
		o.OwnerReferences = append(o.OwnerReferences, metav1.OwnerReference{
			APIVersion: id.APIVersion, Kind: id.Kind, Name: id.Name, UID: id.UID, BlockOwnerDeletion: &yes,
		})
	}
	return o
}

func ending(o metav1.Object, finalizer string) metav1.Object {
	p := *o.(*corev1.Pod)
	p.DeletionTimestamp = &metav1.Time{}
	p.Finalizers = []string{finalizer}
	return &p
}

func TestOwnerGone(t *testing.T) {
	w, set, pod := newWorld(), id("ReplicaSet", "a", "set"), id("Pod", "a", "pod")
	w.seen(set, ownedBy(), nil)
	w.seen(pod, ownedBy(set), nil)
	w.expect(t, "all is well")
	w.gone(set, false)
	w.expect(t, "the owner is gone", "pod")
	if !w.isAbsent(set) {
		t.Error("the owner is not remembered as absent")
	}
	w.gone(pod, false)
	if len(w.nodes) != 0 {
		t.Errorf("%d nodes are left", len(w.nodes))
	}
}

func TestDependentFirst(t *testing.T) {
	w, set, pod := newWorld(), id("ReplicaSet", "a", "set"), id("Pod", "a", "pod")
	w.seen(pod, ownedBy(set), nil)
	w.expect(t, "a virtual owner is verified", "set")
	w.seen(set, ownedBy(), nil)
	w.expect(t, "the owner shows up as expected")
	if w.nodes["set"].virtual {
		t.Error("the owner is still virtual")
	}

	w.seen(id("Pod", "a", "pod-2"), ownedBy(id("ReplicaSet", "a", "never")), nil)
	w.expect(t, "another virtual owner", "never")
	w.gone(id("ReplicaSet", "a", "never"), true)
	w.expect(t, "the API knows of no such owner", "pod-2")
}

func TestForeground(t *testing.T) {
	w, set, pod := newWorld(), id("ReplicaSet", "a", "set"), id("Pod", "a", "pod")
	w.seen(set, ownedBy(), nil)
	w.seen(pod, ownedBy(set), nil)
	w.seen(set, ending(ownedBy(), metav1.FinalizerDeleteDependents), ownedBy())
	w.expect(t, "foreground deletion begins", "pod", "set")
	if n := w.nodes["set"]; !n.deletingDependents || len(n.blocking()) != 1 {
		t.Errorf("got %+v, want one blocking dependent", n)
	}
	w.gone(pod, false)
	w.expect(t, "the last dependent is gone", "set")
}

func TestUnblocked(t *testing.T) {
	w, set, pod := newWorld(), id("ReplicaSet", "a", "set"), id("Pod", "a", "pod")
	w.seen(set, ownedBy(), nil)
	w.seen(pod, ownedBy(set), nil)
	loose := ownedBy(set).(*corev1.Pod)
	loose.OwnerReferences[0].BlockOwnerDeletion = new(bool)
	w.seen(pod, loose, ownedBy(set))
	w.expect(t, "a reference no longer blocks", "set")
	w.seen(pod, ownedBy(), loose)
	w.expect(t, "a loose reference is removed")
	if len(w.nodes["set"].dependents.list) != 0 {
		t.Error("the pod is still a dependent")
	}
}

func TestOrphan(t *testing.T) {
	w, set := newWorld(), id("ReplicaSet", "a", "set")
	w.seen(set, ownedBy(), nil)
	w.seen(set, ending(ownedBy(), metav1.FinalizerOrphanDependents), ownedBy())
	if diff := cmp.Diff([]string{"set"}, w.orphaned); diff != "" {
		t.Errorf("orphaned (-want +got):\n%s", diff)
	}
	w.seen(set, ending(ownedBy(), metav1.FinalizerOrphanDependents), ending(ownedBy(), metav1.FinalizerOrphanDependents))
	if len(w.orphaned) != 1 {
		t.Error("an update in the middle of the deletion begins it again")
	}
}

func TestWrongNamespace(t *testing.T) {
	w, set, pod := newWorld(), id("ReplicaSet", "a", "set"), id("Pod", "b", "pod")
	w.seen(set, ownedBy(), nil)
	w.seen(pod, ownedBy(set), nil)
	w.expect(t, "good owner first", "pod")
	if diff := cmp.Diff([]string{"pod"}, w.misplaced); diff != "" {
		t.Errorf("misplaced (-want +got):\n%s", diff)
	}

	w = newWorld()
	w.seen(pod, ownedBy(set), nil)
	w.expect(t, "bad dependent first", "set")
	w.seen(set, ownedBy(), nil)
	w.expect(t, "then the owner in its own namespace", "pod")
	if got := w.nodes["set"].id.Namespace; got != "a" {
		t.Errorf("the owner's namespace: got %q, want a", got)
	}
}

// Two dependents name one UID in different ways; the API says that the first does not exist.
func TestWrongCoordinates(t *testing.T) {
	w := newWorld()
	right, wrong := id("ReplicaSet", "a", "set"), id("Deployment", "a", "set")
	w.seen(id("Pod", "a", "bad"), ownedBy(wrong), nil)
	w.seen(id("Pod", "a", "good"), ownedBy(right), nil)
	w.expect(t, "a virtual owner, and one who disagrees", "set", "good")
	w.gone(wrong, true)
	w.expect(t, "the wrong one is absent: its dependent, and the owner under its other name", "bad", "set")
	if n := w.nodes["set"]; n.id != right || !n.virtual {
		t.Errorf("the node now: got %v", n.id)
	}
	w.seen(right, ownedBy(), nil)
	w.expect(t, "the right one is seen")
}

func TestNodeSet(t *testing.T) {
	var s nodeSet
	a, b, c := &node{}, &node{}, &node{}
	for _, n := range []*node{a, b, c, b} {
		s.add(n)
	}
	s.remove(a)
	s.remove(a)
	if len(s.list) != 2 || s.list[0] != c || s.list[1] != b || s.at[c] != 0 || s.at[b] != 1 {
		t.Errorf("got %v, %v", s.list, s.at)
	}
}
