package noderesources

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

// scores rates nodes n1, n2, ... of the given capacities with what is on them.
func scores(t *testing.T, p interface {
	framework.PreScorePlugin
	framework.ScorePlugin
}, pod *corev1.Pod, nodes [][]string, on []*corev1.Pod) ([]int64, framework.Code) {
	t.Helper()
	var infos []*framework.NodeInfo
	for i, can := range nodes {
		n := framework.NewNodeInfo(schedtest.Node("node" + string(rune('1'+i))).Can(can...).Obj())
		for _, o := range on {
			if o.Spec.NodeName == n.Name {
				n.AddPod(framework.NewPodInfo(o))
			}
		}
		infos = append(infos, n)
	}
	state, info := framework.NewCycleState(), framework.NewPodInfo(pod)
	if s := p.PreScore(state, info, infos); !s.IsSuccess() {
		return nil, s.Code()
	}
	var out []int64
	for _, n := range infos {
		v, s := p.Score(state, info, n)
		if !s.IsSuccess() {
			t.Fatal(s.Message())
		}
		out = append(out, v)
	}
	return out, framework.Success
}

type scoreTest struct {
	name  string
	pod   schedtest.PodBuilder
	nodes [][]string
	on    []*corev1.Pod
	want  []int64
}

func node(cpu, memory string) []string { return []string{"cpu", cpu, "memory", memory} }

func on(node string, requests ...string) *corev1.Pod {
	return schedtest.Pod("on").Container(requests...).Node(node).Obj()
}

var (
	empty = schedtest.Pod("p")
	asks  = schedtest.Pod("p").Container("cpu", "1000", "memory", "2000").Container("cpu", "2000", "memory", "3000")
)

// The cases and figures of upstream's least_allocated_test.go.
func TestLeastAllocated(t *testing.T) {
	tests := []scoreTest{
		{"nothing scheduled, nothing requested", empty, [][]string{node("4000", "10000"), node("4000", "10000")}, nil, []int64{100, 100}},
		{"nothing scheduled, differently sized nodes", asks, [][]string{node("4000", "10000"), node("6000", "10000")}, nil, []int64{37, 50}},
		{
			"no resources requested, pods scheduled with resources", empty, [][]string{node("10000", "20000"), node("10000", "20000")},
			[]*corev1.Pod{on("node1", "cpu", "3000", "memory", "0"), on("node1", "cpu", "3000", "memory", "0"), on("node2", "cpu", "3000", "memory", "0"), on("node2", "cpu", "3000", "memory", "5000")},
			[]int64{70, 57},
		},
		{
			"resources requested, pods scheduled with resources", asks, [][]string{node("10000", "20000"), node("10000", "20000")},
			[]*corev1.Pod{on("node1", "cpu", "3000", "memory", "0"), on("node2", "cpu", "3000", "memory", "5000")},
			[]int64{57, 45},
		},
		{
			"differently sized nodes", asks, [][]string{node("10000", "20000"), node("10000", "50000")},
			[]*corev1.Pod{on("node1", "cpu", "3000", "memory", "0"), on("node2", "cpu", "3000", "memory", "5000")},
			[]int64{57, 60},
		},
		{
			"requested resources exceed node capacity", schedtest.Pod("p").Container("cpu", "3000", "memory", "0"), [][]string{node("4000", "10000"), node("4000", "10000")},
			[]*corev1.Pod{on("node1", "cpu", "3000", "memory", "0"), on("node2", "cpu", "3000", "memory", "5000")},
			[]int64{50, 25},
		},
		{"zero node resources", empty, [][]string{nil, nil}, []*corev1.Pod{on("node1", "cpu", "3000", "memory", "0")}, []int64{0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := scores(t, newFit(t, FitArgs{}), tt.pod.Obj(), tt.nodes, tt.on)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("different weights", func(t *testing.T) {
		args := FitArgs{Strategy: Strategy{Resources: []ResourceSpec{{"memory", 2}, {"cpu", 1}}}}
		got, _ := scores(t, newFit(t, args), asks.Obj(), [][]string{node("4000", "10000"), node("6000", "10000")}, nil)
		if diff := cmp.Diff([]int64{41, 50}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestMostAllocated(t *testing.T) {
	tests := []scoreTest{
		{"nothing scheduled, nothing requested", empty, [][]string{node("4000", "10000"), node("4000", "10000")}, nil, []int64{0, 0}},
		{"differently sized nodes", asks, [][]string{node("4000", "10000"), node("6000", "10000")}, nil, []int64{62, 50}},
		{
			"pods scheduled with resources", empty, [][]string{node("10000", "20000"), node("10000", "20000")},
			[]*corev1.Pod{on("node1", "cpu", "3000", "memory", "0"), on("node1", "cpu", "3000", "memory", "0"), on("node2", "cpu", "3000", "memory", "0"), on("node2", "cpu", "3000", "memory", "5000")},
			[]int64{30, 42},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := scores(t, newFit(t, FitArgs{Strategy: Strategy{Type: MostAllocated}}), tt.pod.Obj(), tt.nodes, tt.on)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRequestedToCapacityRatio(t *testing.T) {
	shape := []ShapePoint{{0, 10}, {100, 0}}
	tests := []scoreTest{
		{"nothing requested", empty, [][]string{node("4000", "10000"), node("4000", "10000")}, nil, []int64{100, 100}},
		{"differently sized nodes", asks, [][]string{node("4000", "10000"), node("6000", "10000")}, nil, []int64{38, 50}},
		{
			"pods scheduled with resources", empty, [][]string{node("4000", "10000"), node("6000", "10000")},
			[]*corev1.Pod{on("node1", "cpu", "3000", "memory", "5000"), on("node2", "cpu", "3000", "memory", "5000")}, []int64{38, 50},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := scores(t, newFit(t, FitArgs{Strategy: Strategy{Type: RequestedToCapacityRatio, Shape: shape}}), tt.pod.Obj(), tt.nodes, tt.on)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestShape(t *testing.T) {
	shape := []ShapePoint{{0, 2}, {40, 10}, {100, 0}}
	for utilization, want := range map[int64]int64{-10: 20, 0: 20, 20: 60, 30: 80, 40: 100, 70: 50, 100: 0, 110: 0} {
		if got := at(shape, utilization); got != want {
			t.Errorf("at %d: got %d, want %d", utilization, got, want)
		}
	}
	for name, bad := range map[string]Strategy{
		"no shape":            {Type: RequestedToCapacityRatio},
		"falling utilization": {Type: RequestedToCapacityRatio, Shape: []ShapePoint{{50, 1}, {40, 2}}},
		"score above 10":      {Type: RequestedToCapacityRatio, Shape: []ShapePoint{{50, 11}}},
		"unknown type":        {Type: "Best"},
		"heavy weight":        {Resources: []ResourceSpec{{"cpu", 101}}},
	} {
		if _, err := NewFit(&framework.Slots{}, FitArgs{Strategy: bad}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The cases and figures of upstream's balanced_allocation_test.go.
func TestBalancedAllocation(t *testing.T) {
	asks := schedtest.Pod("p").Container("cpu", "1", "memory", "2000").Container("cpu", "2", "memory", "3000")
	gpu := []ResourceSpec{{"cpu", 1}, {"memory", 1}, {"nvidia.com/gpu", 1}}
	with := func(n []string, extra ...string) []string { return append(n, extra...) }
	tests := []struct {
		scoreTest
		resources []ResourceSpec
	}{
		{scoreTest{"differently sized nodes", asks, [][]string{node("4", "10000"), node("6", "10000")}, nil, []int64{68, 75}}, nil},
		{scoreTest{
			"pods scheduled with resources", asks, [][]string{node("10", "20000"), node("10", "20000")},
			[]*corev1.Pod{on("node1", "cpu", "3"), on("node2", "cpu", "3", "memory", "5000")}, []int64{73, 74},
		}, nil},
		{scoreTest{
			"pods scheduled, differently sized nodes", asks, [][]string{node("10", "20000"), node("10", "50000")},
			[]*corev1.Pod{on("node1", "cpu", "3"), on("node2", "cpu", "3", "memory", "5000")}, []int64{73, 70},
		}, nil},
		{scoreTest{
			"lowest and highest score", schedtest.Pod("p").Container("memory", "5000"), [][]string{node("3", "5000"), node("3", "5000")},
			[]*corev1.Pod{on("node1", "cpu", "3")}, []int64{100, 50},
		}, nil},
		{scoreTest{
			"requested resources at node capacity", schedtest.Pod("p").Container("cpu", "3"), [][]string{node("6", "10000"), node("6", "10000")},
			[]*corev1.Pod{on("node1", "cpu", "3"), on("node2", "cpu", "3", "memory", "5000")}, []int64{62, 62},
		}, nil},
		{scoreTest{
			"requested scalar counts", schedtest.Pod("p").Container("cpu", "0", "memory", "0", "nvidia.com/gpu", "1"),
			[][]string{with(node("3500m", "40000"), "nvidia.com/gpu", "8"), with(node("3500m", "40000"), "nvidia.com/gpu", "8")},
			[]*corev1.Pod{on("node1", "cpu", "3", "memory", "5000", "nvidia.com/gpu", "3"), on("node2", "cpu", "3", "memory", "5000")}, []int64{75, 76},
		}, gpu},
		{scoreTest{
			"scalar that is not requested does not count", asks,
			[][]string{with(node("3500m", "40000"), "nvidia.com/gpu", "8"), node("3500m", "40000")}, nil, []int64{56, 56},
		}, gpu},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := NewBalancedAllocation(&framework.Slots{}, BalancedAllocationArgs{Resources: tt.resources})
			if err != nil {
				t.Fatal(err)
			}
			got, _ := scores(t, p, tt.pod.Obj(), tt.nodes, tt.on)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	p, _ := NewBalancedAllocation(&framework.Slots{}, BalancedAllocationArgs{})
	if _, code := scores(t, p, schedtest.Pod("p").Container().Obj(), [][]string{node("4", "10000")}, nil); code != framework.Skip {
		t.Errorf("best-effort pod: got %v, want Skip", code)
	}
}
