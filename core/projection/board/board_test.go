package board

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/projection/wire"
)

// objects is a cluster reduced to the newest states.
type objects struct {
	all   map[kinds.Key]kinds.Object
	board *Board
}

func newObjects() *objects {
	o := &objects{all: make(map[kinds.Key]kinds.Object)}
	o.board = New(o)
	return o
}

func (o *objects) Get(key kinds.Key) (kinds.Object, bool) { obj, ok := o.all[key]; return obj, ok }

func (o *objects) List(resource, namespace string) ([]kinds.Object, kinds.Revision) {
	var out []kinds.Object
	for _, key := range slices.SortedFunc(maps.Keys(o.all), func(a, b kinds.Key) int { return strings.Compare(a.ID(), b.ID()) }) {
		if key.Resource == resource && (namespace == "" || key.Namespace == namespace) {
			out = append(out, o.all[key])
		}
	}
	return out, 0
}

func (o *objects) put(resource string, obj kinds.Object) {
	key := kinds.Key{Resource: resource, Namespace: obj.GetNamespace(), Name: obj.GetName()}
	o.all[key] = obj
	o.board.Commit(key)
}

func (o *objects) remove(key kinds.Key) {
	delete(o.all, key)
	o.board.Commit(key)
}

func controlled(kind, apiVersion, name string) []metav1.OwnerReference {
	return []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: name, UID: types.UID("uid-" + name), Controller: ptr.To(true)}}
}

func (o *objects) putReplicaSet(name, deployment string) {
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-" + name)}}
	if deployment != "" {
		rs.OwnerReferences = controlled("Deployment", "apps/v1", deployment)
	}
	o.put("replicasets.apps", rs)
}

func makePod(name, uid, owner, node string, phase corev1.PodPhase) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(uid)}}
	if owner != "" {
		p.OwnerReferences = controlled("ReplicaSet", "apps/v1", owner)
	}
	p.Spec.NodeName = node
	p.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("64Mi"),
	}}}}
	p.Status.Phase = phase
	return p
}

func makeNode(name string, ready corev1.ConditionStatus) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("8Gi"), corev1.ResourcePods: resource.MustParse("110")}
	n.Status.Capacity = n.Status.Allocatable
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready, Reason: "KubeletReady", Message: "kubelet is posting ready status"}, {Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse}}
	return n
}

func next(t *testing.T, s *Subscription, d *wire.Decoder) *wire.Frame {
	t.Helper()
	data, ok := s.Next()
	if !ok {
		return &wire.Frame{}
	}
	f, err := d.Board(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFramesSayWhatChanged(t *testing.T) {
	o := newObjects()
	o.put("nodes", makeNode("node-1", corev1.ConditionTrue))
	o.putReplicaSet("web-1", "web")
	o.put("pods", makePod("a", "ua", "web-1", "", corev1.PodPending))

	woken := 0
	s, d := o.board.Subscribe(func() { woken++ }), &wire.Decoder{}
	first := next(t, s, d)
	want := &wire.Frame{
		Full:   true,
		Owners: []wire.Owner{{ID: 3, Namespace: "default", Kind: "ReplicaSet", Resource: "replicasets.apps", Name: "web-1", RootKind: "Deployment", RootResource: "deployments.apps", RootName: "web"}},
		Nodes: []wire.Node{{ID: 1, Name: "node-1", State: wire.NodeReady, Capacity: wire.Resources{MilliCPU: 4000, Memory: 8 << 30, Pods: 110},
			Allocatable: wire.Resources{MilliCPU: 4000, Memory: 8 << 30, Pods: 110}}},
		Pods: []wire.Pod{{ID: 2, UID: "ua", Namespace: "default", Name: "a", Owner: 3, Move: wire.Move{Pod: 2, Phase: "Pending"}}},
	}
	if diff := gocmp.Diff(want, first); diff != "" {
		t.Fatalf("the first frame (-want +got):\n%s", diff)
	}
	if f := next(t, s, d); !f.Empty() {
		t.Errorf("nothing happened, and yet: %+v", f)
	}

	// Two commits of one pod between two frames are one change.
	bound := makePod("a", "ua", "web-1", "node-1", corev1.PodPending)
	o.put("pods", bound)
	running := makePod("a", "ua", "web-1", "node-1", corev1.PodRunning)
	running.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	o.put("pods", running)
	if woken != 1 {
		t.Errorf("woken %d times by two commits of one pod, want once", woken)
	}
	want = &wire.Frame{
		Uses:  []wire.Use{{Node: 1, Requested: wire.Resources{MilliCPU: 100, Memory: 64 << 20, Pods: 1}}},
		Moves: []wire.Move{{Pod: 2, Node: 1, Phase: "Running", Ready: true}},
	}
	if diff := gocmp.Diff(want, next(t, s, d)); diff != "" {
		t.Errorf("bound and started (-want +got):\n%s", diff)
	}

	// A heartbeat is not news; a cordon is.
	o.put("nodes", makeNode("node-1", corev1.ConditionTrue))
	if f := next(t, s, d); !f.Empty() {
		t.Errorf("a heartbeat gave %+v", f)
	}
	cordoned := makeNode("node-1", corev1.ConditionUnknown)
	cordoned.Spec.Unschedulable = true
	cordoned.Annotations = map[string]string{"terrarium.dev/power": "off"}
	o.put("nodes", cordoned)
	f := next(t, s, d)
	if len(f.Nodes) != 1 || f.Nodes[0].State != wire.NodeCordoned|wire.NodeUnknown|wire.NodePoweredOff || len(f.Nodes[0].Conditions) != 1 {
		t.Errorf("cordoned, silent and off: %+v", f)
	}

	// The pod is replaced by another of its name; one that comes and goes in between is never seen.
	o.put("pods", makePod("b", "ub", "web-1", "", corev1.PodPending))
	o.remove(kinds.Key{Resource: "pods", Namespace: "default", Name: "b"})
	o.put("pods", makePod("a", "ua2", "", "", corev1.PodPending))
	f = next(t, s, d)
	if len(f.PodsGone) != 1 || f.PodsGone[0] != 2 || len(f.Pods) != 1 || f.Pods[0].UID != "ua2" || f.Pods[0].Owner != 0 {
		t.Errorf("replaced: %+v", f)
	}

	s.Close()
	if len(o.board.pods)+len(o.board.nodes)+len(o.board.owners)+len(o.board.roots)+len(o.board.things) != 0 {
		t.Error("something is kept for nobody")
	}
}

func TestBigBoardsComeInParts(t *testing.T) {
	o := newObjects()
	const pods = 2*maxChanges + 10
	for i := range pods {
		o.put("pods", makePod("p"+strconv.Itoa(i), "u"+strconv.Itoa(i), "web-1", "node-1", corev1.PodRunning))
	}
	woken := 0
	s, d, p := o.board.Subscribe(func() { woken++ }), &wire.Decoder{}, &page{}
	for _, want := range []int{maxChanges, 2 * maxChanges, pods} {
		p.apply(next(t, s, d))
		if len(p.pods) != want {
			t.Errorf("after a frame the page has %d pods, want %d", len(p.pods), want)
		}
	}
	if f := next(t, s, d); woken != 2 || !f.Empty() {
		t.Errorf("woken %d times, want twice; left: %+v", woken, f)
	}
}

func TestColorsFollowTheTopOfTheChain(t *testing.T) {
	o := newObjects()
	o.putReplicaSet("web-1", "web")
	o.putReplicaSet("web-2", "web")
	o.putReplicaSet("db-1", "db")
	for i, rs := range []string{"web-1", "web-2", "db-1"} {
		o.put("pods", makePod("p"+strconv.Itoa(i), "u"+strconv.Itoa(i), rs, "", corev1.PodPending))
	}
	s := o.board.Subscribe(func() {})
	f := next(t, s, &wire.Decoder{})
	got := make(map[string][2]uint32)
	for _, w := range f.Owners {
		got[w.Name] = [2]uint32{w.Hue, w.Shade}
	}
	if diff := gocmp.Diff(map[string][2]uint32{"web-1": {0, 0}, "web-2": {0, 1}, "db-1": {1, 0}}, got); diff != "" {
		t.Errorf("hue and shade (-want +got):\n%s", diff)
	}
}

// A page is what a subscriber makes of its frames.
type page struct {
	nodes map[uint32]wire.Node
	pods  map[uint32]wire.Pod
}

func (p *page) apply(f *wire.Frame) {
	if f.Full {
		p.nodes, p.pods = make(map[uint32]wire.Node), make(map[uint32]wire.Pod)
	}
	for _, id := range f.PodsGone {
		delete(p.pods, id)
	}
	for _, id := range f.NodesGone {
		delete(p.nodes, id)
	}
	for _, n := range f.Nodes {
		p.nodes[n.ID] = n
	}
	for _, u := range f.Uses {
		n := p.nodes[u.Node]
		n.Requested = u.Requested
		p.nodes[u.Node] = n
	}
	for _, pod := range f.Pods {
		p.pods[pod.ID] = pod
	}
	for _, m := range f.Moves {
		pod := p.pods[m.Pod]
		pod.Move = m
		p.pods[m.Pod] = pod
	}
}

// applyAll applies the frames there are.
func (p *page) applyAll(t *testing.T, s *Subscription, d *wire.Decoder) {
	for f := next(t, s, d); !f.Empty(); f = next(t, s, d) {
		p.apply(f)
	}
}

// what describes the page without numbers, which differ between subscribers of different times.
func (p *page) what() (nodes []wire.Node, pods []wire.Pod) {
	names := make(map[uint32]string)
	for _, n := range p.nodes {
		names[n.ID] = n.Name
		n.ID = 0
		nodes = append(nodes, n)
	}
	for _, pod := range p.pods {
		pod.ID, pod.Move.Pod, pod.Owner = 0, 0, 0
		pod.Namespace += "@" + names[pod.Node]
		pod.Node = 0
		pods = append(pods, pod)
	}
	slices.SortFunc(nodes, func(a, b wire.Node) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(pods, func(a, b wire.Pod) int { return cmp.Compare(a.UID, b.UID) })
	return nodes, pods
}

// Random commits: a page that got all frames, however seldom it asked, shows what a new page shows.
func TestFramesAddUp(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		o := newObjects()
		s, d, p := o.board.Subscribe(func() {}), &wire.Decoder{}, &page{}
		phases := []corev1.PodPhase{corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded}
		for i := range 300 {
			name, node := "p"+strconv.Itoa(r.IntN(20)), "node-"+strconv.Itoa(r.IntN(5))
			switch r.IntN(8) {
			case 0:
				o.put("nodes", makeNode(node, corev1.ConditionTrue))
			case 1:
				o.remove(kinds.Key{Resource: "nodes", Name: node})
			case 2:
				o.remove(kinds.Key{Resource: "pods", Namespace: "default", Name: name})
			case 3:
				o.put("pods", makePod(name, "u"+strconv.Itoa(i), "rs"+strconv.Itoa(r.IntN(4)), "", corev1.PodPending))
			default:
				uid, at := "u"+strconv.Itoa(i), node
				if old, ok := o.Get(kinds.Key{Resource: "pods", Namespace: "default", Name: name}); ok {
					uid = string(old.GetUID())
					if n := old.(*corev1.Pod).Spec.NodeName; n != "" {
						at = n
					}
				}
				o.put("pods", makePod(name, uid, "rs"+strconv.Itoa(r.IntN(4)), at, phases[r.IntN(3)]))
			}
			if r.IntN(10) == 0 {
				p.apply(next(t, s, d))
			}
		}
		p.applyAll(t, s, d)
		fresh := newObjects()
		fresh.all = o.all
		want := &page{}
		want.applyAll(t, fresh.board.Subscribe(func() {}), &wire.Decoder{})
		gotNodes, gotPods := p.what()
		wantNodes, wantPods := want.what()
		if diff := gocmp.Diff(wantNodes, gotNodes) + gocmp.Diff(wantPods, gotPods); diff != "" {
			t.Fatalf("seed %d: (-new page +old page):\n%s", seed, diff)
		}
	}
}

func TestPhase(t *testing.T) {
	waiting := func(reason string) corev1.ContainerState {
		return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}
	}
	running := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	tests := []struct {
		name string
		edit func(*corev1.Pod)
		want string
	}{
		{"pending", func(p *corev1.Pod) {}, "Pending"},
		{"creating", func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: waiting("ContainerCreating")}}
		}, "ContainerCreating"},
		{"crashing", func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodRunning
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: waiting("CrashLoopBackOff"), RestartCount: 4}}
		}, "CrashLoopBackOff"},
		{"running", func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodRunning
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: running, Ready: true}}
		}, "Running"},
		{"ended", func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodFailed
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 3}}}}
		}, "ExitCode:3"},
		{"evicted", func(p *corev1.Pod) { p.Status.Phase, p.Status.Reason = corev1.PodFailed, "Evicted" }, "Evicted"},
		{"terminating", func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }, "Terminating"},
		{"lost", func(p *corev1.Pod) { p.DeletionTimestamp, p.Status.Reason = &metav1.Time{}, "NodeLost" }, "Unknown"},
		{"gated", func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "SchedulingGated"}}
		}, "SchedulingGated"},
		{"initializing", func(p *corev1.Pod) {
			p.Spec.InitContainers = make([]corev1.Container, 2)
			p.Status.InitContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}}, {State: waiting("PodInitializing")}}
		}, "Init:1/2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := makePod("p", "u", "", "", corev1.PodPending)
			tt.edit(p)
			if got, _ := Phase(p); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Ten thousand pods on a thousand nodes come up: the cost of all frames, by pod.
func BenchmarkRollout(b *testing.B) {
	const pods = 10_000
	for b.Loop() {
		o := newObjects()
		s := o.board.Subscribe(func() {})
		s.Next()
		for i := range 1000 {
			o.put("nodes", makeNode("node-"+strconv.Itoa(i), corev1.ConditionTrue))
		}
		for round, phase := range []corev1.PodPhase{corev1.PodPending, corev1.PodPending, corev1.PodRunning} {
			for i := range pods {
				name, node := "web-"+strconv.Itoa(i), ""
				if round > 0 {
					node = "node-" + strconv.Itoa(i%1000)
				}
				o.put("pods", makePod(name, "u"+name, "web-1", node, phase))
				if i%500 == 0 {
					s.Next()
				}
			}
		}
		s.Next()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pods, "ns/pod")
}
