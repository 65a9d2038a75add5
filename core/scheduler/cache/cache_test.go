package cache

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

func TestNodesTakeTurnsByZone(t *testing.T) {
	c := New()
	zone := func(name, z string) schedtest.NodeBuilder {
		return schedtest.Node(name).Label(corev1.LabelTopologyZone, z)
	}
	for _, n := range []schedtest.NodeBuilder{zone("a1", "a"), zone("a2", "a"), zone("a3", "a"), zone("b1", "b"), schedtest.Node("x1"), zone("b2", "b")} {
		c.SetNode(n.Obj())
	}
	check := func(what string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, c.Names()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		for i, n := range c.Nodes() {
			if n.Index != i || n.Name != want[i] {
				t.Errorf("%s: node %d is %s with index %d", what, i, n.Name, n.Index)
			}
		}
	}
	check("all", "a1", "b1", "x1", "a2", "b2", "a3")
	before := c.Names()
	c.RemoveNode("b1")
	check("one gone", "a1", "b2", "x1", "a2", "a3")
	c.SetNode(zone("a1", "b").Obj())
	check("one moved", "a2", "b2", "x1", "a3", "a1")
	if before[1] != "b1" {
		t.Error("an old list of names changed")
	}
}

func TestAssume(t *testing.T) {
	c := New()
	c.SetNode(schedtest.Node("n").Obj())
	pod := schedtest.Pod("p").Container("cpu", "1")
	if err := c.Assume(framework.NewPodInfo(pod.Obj()), "n"); err != nil {
		t.Fatal(err)
	}
	if err := c.Assume(framework.NewPodInfo(pod.Obj()), "n"); err == nil {
		t.Error("assumed twice")
	}
	cpu := func(node string) int64 { return c.Node(node).Requested.MilliCPU }
	if cpu("n") != 1000 || !c.IsAssumed("p") {
		t.Errorf("assumed: %d, %v", cpu("n"), c.IsAssumed("p"))
	}
	c.Forget("p")
	if cpu("n") != 0 || c.IsAssumed("p") {
		t.Errorf("forgotten: %d, %v", cpu("n"), c.IsAssumed("p"))
	}
	c.Assume(framework.NewPodInfo(pod.Obj()), "n")
	c.SetPod(pod.Node("n").Obj())
	c.Forget("p") // too late
	if cpu("n") != 1000 || c.IsAssumed("p") {
		t.Errorf("seen: %d, %v", cpu("n"), c.IsAssumed("p"))
	}
	c.SetNode(schedtest.Node("m").Obj())
	c.Assume(framework.NewPodInfo(schedtest.Pod("q").Container("cpu", "1").Obj()), "n")
	c.SetPod(schedtest.Pod("q").Container("cpu", "2").Node("m").Obj())
	if cpu("n") != 1000 || cpu("m") != 2000 {
		t.Errorf("seen elsewhere: %d, %d", cpu("n"), cpu("m"))
	}
}

func TestPodsBeforeTheirNode(t *testing.T) {
	c := New()
	c.SetPod(schedtest.Pod("p").Container("cpu", "1").Node("n").Obj())
	if c.Node("n") != nil || len(c.Nodes()) != 0 {
		t.Error("a node that is not there is offered")
	}
	c.SetNode(schedtest.Node("n").Obj())
	if got := c.Node("n").Requested.MilliCPU; got != 1000 {
		t.Errorf("got %d", got)
	}
	c.RemoveNode("n")
	if c.Node("n") != nil || c.NodeCount() != 0 {
		t.Error("a removed node is offered")
	}
	c.SetNode(schedtest.Node("n").Obj())
	if got := c.Node("n").Requested.MilliCPU; got != 1000 {
		t.Errorf("back again: got %d", got)
	}
	c.RemovePod("p")
	c.RemoveNode("n")
	if len(c.nodes) != 0 || len(c.pods) != 0 {
		t.Errorf("left behind: %d nodes, %d pods", len(c.nodes), len(c.pods))
	}
}

// Random changes against the simplest model: the pods by node.
func TestSumsMatchModel(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	c := New()
	pods := map[string]*corev1.Pod{}
	present := map[string]bool{}
	for step := range 5000 {
		name, node := "p"+strconv.Itoa(r.IntN(30)), "n"+strconv.Itoa(r.IntN(5))
		switch r.IntN(5) {
		case 0:
			c.SetNode(schedtest.Node(node).Image("img"+strconv.Itoa(r.IntN(4)), 1<<20).Obj())
			present[node] = true
		case 1:
			c.RemoveNode(node)
			delete(present, node)
		case 2, 3:
			if old := pods[name]; old != nil {
				node = old.Spec.NodeName
			}
			p := schedtest.Pod(name).Container("cpu", strconv.Itoa(r.IntN(4)), "example.com/x", strconv.Itoa(r.IntN(3))).Node(node).Obj()
			c.SetPod(p)
			pods[name] = p
		case 4:
			c.RemovePod(types.UID(name))
			delete(pods, name)
		}
		var names []string
		for n := range present {
			names = append(names, n)
		}
		got := slices.Sorted(slices.Values(c.Names()))
		slices.Sort(names)
		if !slices.Equal(got, names) {
			t.Fatalf("seed %d, step %d: nodes %v, want %v", seed, step, got, names)
		}
		for _, n := range names {
			want := framework.NewNodeInfo(nil)
			for _, p := range pods {
				if p.Spec.NodeName == n {
					want.AddPod(framework.NewPodInfo(p))
				}
			}
			info := c.Node(n)
			x, _ := info.Requested.Scalar("example.com/x")
			wantX, _ := want.Requested.Scalar("example.com/x")
			if info.Requested.MilliCPU != want.Requested.MilliCPU || x != wantX || len(info.Pods) != len(want.Pods) || info.NonZero.MilliCPU != want.NonZero.MilliCPU {
				t.Fatalf("seed %d, step %d: node %s: got %+v, want %+v", seed, step, n, info.Requested, want.Requested)
			}
		}
		checkImages(t, c)
	}
}

func checkImages(t *testing.T, c *Cache) {
	t.Helper()
	count := map[string]int{}
	for _, n := range c.Nodes() {
		for _, i := range n.Node().Status.Images {
			count[i.Names[0]]++
			if !c.Image(i.Names[0]).On(n) {
				t.Fatalf("%s is not on %s", i.Names[0], n.Name)
			}
		}
	}
	if len(count) != len(c.images) {
		t.Fatalf("images: got %d, want %d", len(c.images), len(count))
	}
	for name, n := range count {
		if got := c.Image(name).Nodes; got != n {
			t.Fatalf("%s: got %d nodes, want %d", name, got, n)
		}
	}
}
