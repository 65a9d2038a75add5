package inspect

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
	"terrarium/core/loop"
	"terrarium/core/projection/wire"
	"terrarium/core/scheduler"
)

// A world is a cluster reduced to the newest states.
type world struct {
	all map[kinds.Key]kinds.Object
	in  *Inspector
}

func (w *world) Get(key kinds.Key) (kinds.Object, bool) { o, ok := w.all[key]; return o, ok }

func (w *world) List(resource, namespace string) ([]kinds.Object, kinds.Revision) {
	var out []kinds.Object
	for _, key := range slices.SortedFunc(maps.Keys(w.all), func(a, b kinds.Key) int { return strings.Compare(a.String(), b.String()) }) {
		if key.Resource == resource && (namespace == "" || key.Namespace == namespace) {
			out = append(out, w.all[key])
		}
	}
	return out, 0
}

func (w *world) LastDecision(types.UID) *scheduler.Decision { return nil }

func (w *world) put(resource string, obj kinds.Object) {
	key := kinds.Key{Resource: resource, Namespace: obj.GetNamespace(), Name: obj.GetName()}
	w.all[key] = obj
	w.in.Commit(key, obj)
}

func meta(name, ownerKind, owner string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name)}
	if owner != "" {
		m.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: ownerKind, Name: owner, UID: types.UID("uid-" + owner), Controller: ptr.To(true)}}
	}
	return m
}

func newWorld() (*world, *loop.Loop) {
	l := loop.New(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 1)
	w := &world{all: make(map[kinds.Key]kinds.Object)}
	reg := all.Registry()
	w.in = New(Deps{Objects: w, Kinds: reg, Printer: codec.New(reg), Clock: l, Decisions: w})
	w.put("deployments.apps", &appsv1.Deployment{ObjectMeta: meta("web", "", ""), Spec: appsv1.DeploymentSpec{Replicas: ptr.To(int32(3))}})
	w.put("replicasets.apps", &appsv1.ReplicaSet{ObjectMeta: meta("web-1", "Deployment", "web"), Spec: appsv1.ReplicaSetSpec{Replicas: ptr.To(int32(1))}, Status: appsv1.ReplicaSetStatus{ReadyReplicas: 1}})
	w.put("replicasets.apps", &appsv1.ReplicaSet{ObjectMeta: meta("web-2", "Deployment", "web"), Spec: appsv1.ReplicaSetSpec{Replicas: ptr.To(int32(0))}})
	w.put("pods", &corev1.Pod{ObjectMeta: meta("web-1-a", "ReplicaSet", "web-1"), Spec: corev1.PodSpec{NodeName: "node-1"}, Status: corev1.PodStatus{Phase: corev1.PodRunning}})
	return w, l
}

// A reader is a subscription with the decoder that belongs to it.
type reader struct {
	*Subscription
	decoder wire.Decoder
}

func (w *world) subscribe(resource, name string, wake func()) *reader {
	return &reader{Subscription: w.in.Subscribe(wire.Ref{Resource: resource, Namespace: "default", Name: name}, wake)}
}

func next(t *testing.T, s *reader) *wire.Inspect {
	t.Helper()
	data, ok := s.Next()
	if !ok {
		t.Fatal("nothing new")
	}
	i, err := s.decoder.Inspect(data)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func refs(r []wire.Ref) (out []string) {
	for _, x := range r {
		out = append(out, x.Kind+" "+x.ID())
	}
	return out
}

func TestADeploymentAndItsFamily(t *testing.T) {
	w, l := newWorld()
	l.After(time.Minute, loop.Label{Component: "deployment-controller", Action: "progress deadline", Object: "default/web"}, func() {})
	l.After(time.Second, loop.Label{Component: "kubelet", Action: "back-off ends", Object: "default/web-1-a"}, func() {})
	l.After(time.Second, loop.Label{Component: "kubelet", Action: "heartbeat", Object: "node-1"}, func() {})
	i := next(t, w.subscribe("deployments.apps", "web", func() {}))

	if i.Kind != "Deployment" || i.Path != "/apis/apps/v1/namespaces/default/deployments/web" || !i.Found || !i.Scalable || i.Replicas != 3 || !i.Undoable {
		t.Errorf("got %+v", i)
	}
	if !strings.Contains(i.YAML, "kind: Deployment\n") || !strings.Contains(i.YAML, "replicas: 3\n") {
		t.Errorf("YAML:\n%s", i.YAML)
	}
	want := []wire.Branch{
		{Ref: wire.Ref{Resource: "replicasets.apps", Kind: "ReplicaSet", Namespace: "default", Name: "web-1"}, Depth: 1, Status: "1/1 ready"},
		{Ref: wire.Ref{Resource: "pods", Kind: "Pod", Namespace: "default", Name: "web-1-a"}, Depth: 2, Status: "Running"},
		{Ref: wire.Ref{Resource: "replicasets.apps", Kind: "ReplicaSet", Namespace: "default", Name: "web-2"}, Depth: 1, Status: "0/0 ready"},
	}
	if diff := cmp.Diff(want, i.Down); diff != "" {
		t.Errorf("below (-want +got):\n%s", diff)
	}
	var waits []string
	for _, x := range i.Timers {
		waits = append(waits, x.Component+" "+x.Action)
	}
	if diff := cmp.Diff([]string{"kubelet back-off ends", "deployment-controller progress deadline"}, waits); diff != "" {
		t.Errorf("timers (-want +got):\n%s", diff)
	}
}

func TestAPodKnowsItsOwnersAndNode(t *testing.T) {
	w, _ := newWorld()
	i := next(t, w.subscribe("pods", "web-1-a", func() {}))
	if diff := cmp.Diff([]string{"ReplicaSet replicasets.apps/default/web-1", "Deployment deployments.apps/default/web"}, refs(i.Up)); diff != "" {
		t.Errorf("above (-want +got):\n%s", diff)
	}
	if i.Summary[0] != (wire.Fact{Name: "Status", Value: "Running"}) || i.Summary[1].Open != "nodes/node-1" {
		t.Errorf("facts: %+v", i.Summary)
	}
}

func TestOnlyWhatConcernsItIsNews(t *testing.T) {
	w, l := newWorld()
	woken := 0
	s := w.subscribe("replicasets.apps", "web-1", func() { woken++ })
	next(t, s)

	event := func(name, about string) {
		w.put("events", &corev1.Event{ObjectMeta: meta(name, "", ""), Reason: "SuccessfulCreate", Message: name,
			InvolvedObject: corev1.ObjectReference{Kind: "ReplicaSet", Namespace: "default", Name: about}})
	}
	event("e1", "web-2")
	w.put("pods", &corev1.Pod{ObjectMeta: meta("web-2-a", "ReplicaSet", "web-2")})
	if _, ok := s.Next(); woken != 0 || ok {
		t.Errorf("woken %d times by what is not its own", woken)
	}
	event("e2", "web-1")
	event("e3", "web-1")
	if woken != 1 {
		t.Errorf("woken %d times before it asked, want once", woken)
	}
	if i := next(t, s); len(i.Events) != 2 {
		t.Errorf("events: %+v", i.Events)
	}
	w.put("pods", &corev1.Pod{ObjectMeta: meta("web-1-b", "ReplicaSet", "web-1")})
	if i := next(t, s); len(i.Down) != 2 {
		t.Errorf("below: %+v", i.Down)
	}
	w.in.Tick()
	if _, ok := s.Next(); ok {
		t.Error("a tick without new timers is not news")
	}
	l.After(time.Second, loop.Label{Component: "replicaset-controller", Action: "retry", Object: "default/web-1"}, func() {})
	w.in.Tick()
	if i := next(t, s); len(i.Timers) != 1 {
		t.Errorf("timers: %+v", i.Timers)
	}

	key := kinds.Key{Resource: "replicasets.apps", Namespace: "default", Name: "web-1"}
	last := w.all[key]
	delete(w.all, key)
	w.in.Commit(key, last)
	if i := next(t, s); i.Found || i.YAML != "" || i.Kind != "ReplicaSet" {
		t.Errorf("gone: %+v", i)
	}
	s.Close()
	if len(w.in.subs) != 0 {
		t.Error("the subscription is kept")
	}
}

func TestUnknownResourcesAndPods(t *testing.T) {
	w, _ := newWorld()
	if i := next(t, w.subscribe("gadgets", "x", func() {})); i.Found || i.Path != "" {
		t.Errorf("got %+v", i)
	}
	r, err := (&wire.Decoder{}).Refusal(w.in.Pending("default", "nobody"))
	if err != nil || r.Message != "" || r.Pod.Name != "nobody" {
		t.Errorf("got %+v, %v", r, err)
	}
}
