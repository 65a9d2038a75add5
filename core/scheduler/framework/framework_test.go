package framework_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

func TestFitError(t *testing.T) {
	one := framework.NewStatus(framework.Unschedulable, "A", "Node(s) failed Filter plugin FalseFilter-1")
	two := framework.NewStatus(framework.Unschedulable, "B", "Node(s) failed Filter plugin FalseFilter-2")
	both := framework.NewStatus(framework.Unschedulable, "NodeResourcesFit", "Insufficient cpu", "Insufficient memory")
	cpu := framework.NewStatus(framework.Unschedulable, "NodeResourcesFit", "Insufficient cpu")
	tests := []struct {
		name               string
		nodes              int
		refused            []framework.Status
		absent             framework.Status
		preFilter, postMsg string
		want               string
	}{
		{
			name: "nodes failed PreFilter", nodes: 3, preFilter: "Node(s) failed PreFilter plugin FalsePreFilter", refused: []framework.Status{one, one, one},
			want: "0/3 nodes are available: Node(s) failed PreFilter plugin FalsePreFilter.",
		},
		{
			name: "PreFilter and PostFilter failed", nodes: 3, preFilter: "Node(s) failed PreFilter plugin FalsePreFilter", postMsg: "Error running PostFilter plugin FailedPostFilter",
			want: "0/3 nodes are available: Node(s) failed PreFilter plugin FalsePreFilter. Error running PostFilter plugin FailedPostFilter",
		},
		{
			name: "one Filter", nodes: 3, refused: []framework.Status{one, one, one},
			want: "0/3 nodes are available: 3 Node(s) failed Filter plugin FalseFilter-1.",
		},
		{
			name: "two Filters and PostFilter", nodes: 3, refused: []framework.Status{one, one, two}, postMsg: "Error running PostFilter plugin FailedPostFilter",
			want: "0/3 nodes are available: 1 Node(s) failed Filter plugin FalseFilter-2, 2 Node(s) failed Filter plugin FalseFilter-1. Error running PostFilter plugin FailedPostFilter",
		},
		{
			name: "several reasons a node, the same from different statuses", nodes: 3, refused: []framework.Status{both, cpu, both},
			want: "0/3 nodes are available: 2 Insufficient memory, 3 Insufficient cpu.",
		},
		{
			name: "absent nodes count", nodes: 4, refused: []framework.Status{one}, absent: framework.Names{"NodeAffinity"}.AbsentReason(),
			want: "0/4 nodes are available: 1 Node(s) failed Filter plugin FalseFilter-1, 3 node(s) didn't satisfy plugin(s) [NodeAffinity].",
		},
		{
			name: "counts sort as text", nodes: 12, absent: framework.NewStatus(framework.Unschedulable, "", "b"), refused: []framework.Status{cpu, cpu},
			want: "0/12 nodes are available: 10 b, 2 Insufficient cpu.",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := framework.NewNodeStatuses()
			for _, s := range tt.refused {
				st.Add(&framework.NodeInfo{}, s)
			}
			if !tt.absent.IsSuccess() {
				st.Absent = tt.absent
			}
			e := &framework.FitError{NumAllNodes: tt.nodes, Diagnosis: framework.Diagnosis{
				NodeStatuses: st, PreFilterMsg: tt.preFilter, PostFilterMsg: tt.postMsg,
			}}
			if diff := cmp.Diff(tt.want, e.Error()); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	boom := errors.New("boom")
	tests := []struct {
		name              string
		s                 framework.Status
		success, rejected bool
		message           string
		err               string
	}{
		{"zero", framework.Status{}, true, false, "", ""},
		{"skip", framework.SkipStatus(), false, false, "", ""},
		{"unschedulable", framework.NewStatus(framework.Unschedulable, "P", "a", "b"), false, true, "a, b", "a, b"},
		{"pending", framework.NewStatus(framework.Pending, "P", "a"), false, true, "a", "a"},
		{"error", framework.AsStatus(boom), false, false, "boom", "boom"},
		{"no error", framework.AsStatus(nil), true, false, "", ""},
		{"with error", framework.NewStatus(framework.Unschedulable, "P").WithError(boom), false, true, "boom", "boom"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := tt.s.Err(); err != nil {
				got = err.Error()
			}
			if tt.s.IsSuccess() != tt.success || tt.s.IsRejected() != tt.rejected || tt.s.Message() != tt.message || got != tt.err {
				t.Errorf("got success %v, rejected %v, message %q, error %q", tt.s.IsSuccess(), tt.s.IsRejected(), tt.s.Message(), got)
			}
		})
	}
}

func TestEventMatches(t *testing.T) {
	ev := func(r framework.EventResource, a framework.ActionType) framework.ClusterEvent {
		return framework.ClusterEvent{Resource: r, Action: a}
	}
	tests := []struct {
		name           string
		registered, in framework.ClusterEvent
		want           bool
	}{
		{"same", ev(framework.Node, framework.Add), ev(framework.Node, framework.Add), true},
		{"one of several", ev(framework.Node, framework.Add|framework.UpdateNodeTaint), ev(framework.Node, framework.UpdateNodeTaint), true},
		{"other action", ev(framework.Node, framework.Add), ev(framework.Node, framework.Delete), false},
		{"other resource", ev(framework.Node, framework.Add), ev(framework.AssignedPod, framework.Add), false},
		{"general update covers a special one", ev(framework.Node, framework.Update), ev(framework.Node, framework.UpdateNodeLabel), true},
		{"special update does not cover the general one", ev(framework.Node, framework.UpdateNodeLabel), ev(framework.Node, framework.Update), false},
		{"Pod covers AssignedPod", ev(framework.Pod, framework.Delete), ev(framework.AssignedPod, framework.Delete), true},
		{"AssignedPod does not cover TargetPod", ev(framework.AssignedPod, framework.Update), ev(framework.TargetPod, framework.Update), false},
		{"wildcard covers all", ev(framework.WildCard, framework.All), ev(framework.Node, framework.Delete), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.registered.Matches(tt.in); got != tt.want {
				t.Errorf("%s matches %s: got %v, want %v", tt.registered.Label(), tt.in.Label(), got, tt.want)
			}
		})
	}
	if got := ev(framework.Node, framework.UpdateNodeTaint).Label(); got != "NodeUpdateNodeTaint" {
		t.Errorf("label: got %q", got)
	}
}

func TestPodRequests(t *testing.T) {
	const mi = 1024 * 1024
	tests := []struct {
		name             string
		pod              *corev1.Pod
		want             framework.Resource
		wantCPU, wantMem int64 // with defaults
	}{
		{"nothing", schedtest.Pod("p").Container().Obj(), framework.Resource{}, 100, 200 * mi},
		{"no containers", schedtest.Pod("p").Obj(), framework.Resource{}, 0, 0},
		{
			"sum, one without memory",
			schedtest.Pod("p").Container("cpu", "100m", "memory", "1Mi").Container("cpu", "200m").Obj(),
			framework.Resource{MilliCPU: 300, Memory: mi}, 300, 201 * mi,
		},
		{
			"explicit zero is not missing",
			schedtest.Pod("p").Container("cpu", "0", "memory", "0").Obj(), framework.Resource{}, 0, 0,
		},
		{
			"biggest init container",
			schedtest.Pod("p").Init("cpu", "2", "memory", "1Mi").Init("cpu", "1", "memory", "3Mi").Container("cpu", "1", "memory", "2Mi").Obj(),
			framework.Resource{MilliCPU: 2000, Memory: 3 * mi}, 2000, 3 * mi,
		},
		{
			"sidecars run beside containers and later init containers",
			schedtest.Pod("p").Sidecar("cpu", "1", "memory", "1Mi").Init("cpu", "3", "memory", "1Mi").Container("cpu", "1", "memory", "1Mi").Obj(),
			framework.Resource{MilliCPU: 4000, Memory: 2 * mi}, 4000, 2 * mi,
		},
		{
			"scalars and overhead",
			schedtest.Pod("p").Container("example.com/b", "2", "hugepages-2Mi", "4Mi", "cpu", "1", "memory", "1").
				With(func(p *corev1.Pod) { p.Spec.Overhead = schedtest.Resources("cpu", "250m", "example.com/b", "1") }).Obj(),
			framework.Resource{MilliCPU: 1250, Memory: 1, Scalars: []framework.Scalar{{"example.com/b", 3}, {"hugepages-2Mi", 4 * mi}}}, 1250, 1,
		},
		{
			"pod-level requests replace the sum",
			schedtest.Pod("p").Container("cpu", "1").Container().With(func(p *corev1.Pod) {
				p.Spec.Resources = &corev1.ResourceRequirements{Requests: schedtest.Resources("cpu", "5", "memory", "7Mi")}
			}).Obj(),
			framework.Resource{MilliCPU: 5000, Memory: 7 * mi}, 5000, 7 * mi,
		},
		{
			"a resize that is not done counts the greater",
			schedtest.Pod("p").Container("cpu", "1").With(func(p *corev1.Pod) {
				p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c0", AllocatedResources: schedtest.Resources("cpu", "3")}}
			}).Obj(),
			framework.Resource{MilliCPU: 3000}, 3000, 200 * mi,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := framework.NewPodInfo(tt.pod)
			if diff := cmp.Diff(tt.want, got.Requests); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if got.NonZeroCPU != tt.wantCPU || got.NonZeroMemory != tt.wantMem {
				t.Errorf("with defaults: got %d, %d, want %d, %d", got.NonZeroCPU, got.NonZeroMemory, tt.wantCPU, tt.wantMem)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	pod, node := schedtest.Pod("p").Container("cpu", "1").Gate("g"), schedtest.Node("n")
	podTests := []struct {
		name   string
		new    *corev1.Pod
		target bool
		want   []string
	}{
		{"status only", pod.With(func(p *corev1.Pod) { p.Status.Message = "x" }).Obj(), false, []string{"UnscheduledPodUpdate"}},
		{"label", pod.Label("a", "b").Obj(), true, []string{"TargetPodUpdatePodLabel"}},
		{"gates gone", pod.With(func(p *corev1.Pod) { p.Spec.SchedulingGates = nil }).Obj(), true, []string{"TargetPodUpdatePodSchedulingGatesEliminated"}},
		{"toleration", pod.Tolerate("a", "", "").Obj(), true, []string{"TargetPodUpdatePodToleration"}},
		{"smaller, on a node", pod.Node("n").With(func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Requests = schedtest.Resources("cpu", "500m")
		}).Obj(), false, []string{"AssignedPodUpdatePodScaleDown"}},
	}
	for _, tt := range podTests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, labels(framework.PodChanges(pod.Obj(), tt.new, tt.target))); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
	cond := func(status corev1.ConditionStatus, reason string) func(*corev1.Node) {
		return func(n *corev1.Node) {
			n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status, Reason: reason}}
		}
	}
	nodeTests := []struct {
		name     string
		old, new *corev1.Node
		want     []string
	}{
		{"heartbeat", node.With(cond("True", "a")).Obj(), node.With(cond("True", "b")).Obj(), nil},
		{"not ready", node.With(cond("True", "a")).Obj(), node.With(cond("False", "a")).Obj(), []string{"NodeUpdateNodeCondition"}},
		{"uncordoned", node.Cordoned().Obj(), node.Obj(), []string{"NodeUpdateNodeTaint"}},
		{"cordoned", node.Obj(), node.Cordoned().Obj(), nil},
		{"grown and labelled", node.Obj(), node.Can("cpu", "8").Label("a", "b").Obj(), []string{"NodeUpdateNodeAllocatable", "NodeUpdateNodeLabel"}},
	}
	for _, tt := range nodeTests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, labels(framework.NodeChanges(tt.old, tt.new))); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func labels(events []framework.ClusterEvent) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Label())
	}
	return out
}

func TestHintOfOtherTypeQueues(t *testing.T) {
	never := framework.On(func(_ *corev1.Pod, _, _ *corev1.Node) framework.Hint { return framework.QueueSkip })
	for name, obj := range map[string]kinds.Object{"node": &corev1.Node{}, "pod": &corev1.Pod{}} {
		if got, want := never(nil, nil, obj), framework.Hint(name == "pod"); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestHostPorts(t *testing.T) {
	port := func(ip string, p corev1.Protocol, n int32) *corev1.Pod {
		return schedtest.Pod("p").HostPort(ip, p, n).Obj()
	}
	tests := []struct {
		name       string
		have, want *corev1.Pod
		conflict   bool
	}{
		{"other port", port("", "", 8080), port("", "", 9090), false},
		{"same port", port("127.0.0.1", "UDP", 8080), port("127.0.0.1", "UDP", 8080), true},
		{"other address", port("127.0.0.1", "TCP", 8001), port("127.0.0.2", "TCP", 8001), false},
		{"other protocol", port("127.0.0.1", "TCP", 8001), port("127.0.0.1", "UDP", 8001), false},
		{"any address wanted", port("127.0.0.1", "TCP", 8001), port("0.0.0.0", "TCP", 8001), true},
		{"any address taken, by default", port("", "", 8001), port("127.0.0.1", "TCP", 8001), true},
		{"no host port", port("", "", 0), port("", "", 0), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := framework.NewNodeInfo(schedtest.Node("n").Obj(), tt.have)
			if got := n.UsedPorts.Conflict(framework.PodHostPorts(tt.want)); got != tt.conflict {
				t.Errorf("got %v, want %v", got, tt.conflict)
			}
			n.RemovePod(n.Pods[0])
			if n.UsedPorts.Conflict(framework.PodHostPorts(tt.want)) {
				t.Error("still in conflict after the pod is gone")
			}
		})
	}
}

func TestNodeInfoSums(t *testing.T) {
	n := framework.NewNodeInfo(schedtest.Node("n").Obj(),
		schedtest.Pod("a").Container("cpu", "1", "example.com/x", "2").Obj(),
		schedtest.Pod("b").Container("memory", "5").Obj())
	clone := n.Clone()
	n.RemovePod(n.Pods[0])
	want := framework.Resource{Memory: 5, Scalars: []framework.Scalar{{"example.com/x", 0}}}
	if diff := cmp.Diff(want, n.Requested); diff != "" {
		t.Errorf("after removal (-want +got):\n%s", diff)
	}
	if clone.Requested.MilliCPU != 1000 || len(clone.Pods) != 2 || clone.Requested.Scalars[0].Value != 2 {
		t.Errorf("the clone changed: %+v", clone.Requested)
	}
}

func TestNormalizeByMax(t *testing.T) {
	tests := []struct {
		name    string
		in      []int64
		reverse bool
		want    []int64
	}{
		{"scaled", []int64{1, 2, 3, 4}, false, []int64{25, 50, 75, 100}},
		{"zeros stay", []int64{0, 0}, false, []int64{0, 0}},
		{"reversed", []int64{0, 1, 3}, true, []int64{100, 67, 0}},
		{"reversed zeros are best", []int64{0, 0}, true, []int64{100, 100}},
		{"big numbers", []int64{1000, 10, 20, 30}, false, []int64{100, 1, 2, 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			framework.NormalizeByMax(tt.in, tt.reverse)
			if diff := cmp.Diff(tt.want, tt.in); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
