package noderesources

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

func newFit(t *testing.T, args FitArgs) *Fit {
	t.Helper()
	f, err := NewFit(&framework.Slots{}, args)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The cases of upstream's TestEnoughRequests and TestNotEnoughRequests: a node with 10m CPU, 20 bytes and 5
// of an extended resource, and what is on it already.
func TestFit(t *testing.T) {
	const ext = "example.com/aaa"
	pod := func(requests ...string) schedtest.PodBuilder { return schedtest.Pod("p").Container(requests...) }
	on := func(requests ...string) *corev1.Pod { return schedtest.Pod("other").Container(requests...).Obj() }
	tests := []struct {
		name    string
		pod     schedtest.PodBuilder
		on      *corev1.Pod
		args    FitArgs
		code    framework.Code
		reasons []string
	}{
		{name: "no resources requested always fits", pod: schedtest.Pod("p"), on: on("cpu", "10m", "memory", "20")},
		{
			name: "too many resources fails", pod: pod("cpu", "1m", "memory", "1"), on: on("cpu", "10m", "memory", "20"),
			code: framework.Unschedulable, reasons: []string{"Insufficient cpu", "Insufficient memory"},
		},
		{
			name: "highest init container cpu", pod: pod("cpu", "1m", "memory", "1").Init("cpu", "3m", "memory", "1").Init("cpu", "2m", "memory", "1"), on: on("cpu", "8m", "memory", "19"),
			code: framework.Unschedulable, reasons: []string{"Insufficient cpu"},
		},
		{
			name: "highest init container memory", pod: pod("cpu", "1m", "memory", "1").Init("cpu", "1m", "memory", "3"), on: on("cpu", "9m", "memory", "19"),
			code: framework.Unschedulable, reasons: []string{"Insufficient memory"},
		},
		{name: "init container fits because it's the max, not sum", pod: pod("cpu", "1m", "memory", "1").Init("cpu", "1m", "memory", "1"), on: on("cpu", "9m", "memory", "19")},
		{name: "both resources fit", pod: pod("cpu", "1m", "memory", "1"), on: on("cpu", "5m", "memory", "5")},
		{name: "equal edge case", pod: pod("cpu", "5m", "memory", "1"), on: on("cpu", "5m", "memory", "19")},
		{name: "extended resource fits", pod: pod(ext, "1"), on: on()},
		{
			name: "extended resource capacity enforced", pod: pod(ext, "10"), on: on(),
			code: framework.UnschedulableAndUnresolvable, reasons: []string{"Insufficient " + ext},
		},
		{
			name: "extended resource allocatable enforced", pod: pod(ext, "1"), on: on(ext, "5"),
			code: framework.Unschedulable, reasons: []string{"Insufficient " + ext},
		},
		{
			name: "extended resource of multiple containers", pod: pod(ext, "3").Container(ext, "3"), on: on(ext, "2"),
			code: framework.UnschedulableAndUnresolvable, reasons: []string{"Insufficient " + ext},
		},
		{name: "extended resource admits multiple init containers", pod: schedtest.Pod("p").Init(ext, "3").Init(ext, "3"), on: on(ext, "2")},
		{
			name: "unknown resource", pod: pod("example.com/bbb", "1"), on: on(),
			code: framework.UnschedulableAndUnresolvable, reasons: []string{"Insufficient example.com/bbb"},
		},
		{
			name: "unknown native resource", pod: pod("kubernetes.io/something", "1"), on: on(),
			code: framework.UnschedulableAndUnresolvable, reasons: []string{"Insufficient kubernetes.io/something"},
		},
		{
			name: "huge pages", pod: pod("hugepages-2Mi", "10"), on: on(),
			code: framework.UnschedulableAndUnresolvable, reasons: []string{"Insufficient hugepages-2Mi"},
		},
		{name: "skip checking ignored extended resource", pod: pod("example.com/bbb", "1"), on: on(), args: FitArgs{IgnoredResources: []string{"example.com/bbb"}}},
		{
			name: "skip checking ignored resource group", pod: pod("example.com/bbb", "1", "kubernetes.io/something", "1"), on: on(), args: FitArgs{IgnoredResourceGroups: []string{"example.com"}},
			code: framework.UnschedulableAndUnresolvable, reasons: []string{"Insufficient kubernetes.io/something"},
		},
		{
			name: "bigger than the node", pod: pod("cpu", "11m"), on: on(),
			code: framework.UnschedulableAndUnresolvable, reasons: []string{"Insufficient cpu"},
		},
		{
			name: "ephemeral storage", pod: pod("ephemeral-storage", "20"), on: on("ephemeral-storage", "1"),
			code: framework.Unschedulable, reasons: []string{"Insufficient ephemeral-storage"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			node := framework.NewNodeInfo(schedtest.Node("n").Can("cpu", "10m", "memory", "20", ext, "5", "ephemeral-storage", "20", "pods", "32").Obj(), tt.on)
			got := newFit(t, tt.args).Filter(nil, framework.NewPodInfo(tt.pod.Obj()), node)
			if got.Code() != tt.code {
				t.Errorf("code: got %v, want %v", got.Code(), tt.code)
			}
			if diff := cmp.Diff(tt.reasons, got.Reasons()); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFitPodCount(t *testing.T) {
	node := framework.NewNodeInfo(schedtest.Node("n").Can("cpu", "1", "pods", "1").Obj(), schedtest.Pod("other").Obj())
	got := newFit(t, FitArgs{}).Filter(nil, framework.NewPodInfo(schedtest.Pod("p").Container("cpu", "2").Obj()), node)
	if diff := cmp.Diff([]string{"Too many pods", "Insufficient cpu"}, got.Reasons()); diff != "" || got.Code() != framework.UnschedulableAndUnresolvable {
		t.Errorf("%v (-want +got):\n%s", got.Code(), diff)
	}
	if got := newFit(t, FitArgs{}).Filter(nil, framework.NewPodInfo(schedtest.Pod("p").Obj()), node); got.Message() != "Too many pods" || got.Code() != framework.Unschedulable {
		t.Errorf("without requests: got %v %q", got.Code(), got.Message())
	}
}

func TestFitHints(t *testing.T) {
	fit := newFit(t, FitArgs{})
	pod := schedtest.Pod("p").Container("cpu", "2").Obj()
	node := schedtest.Node("n")
	on := schedtest.Pod("other").Container("cpu", "3").Node("n")
	tests := []struct {
		name     string
		event    framework.ClusterEvent
		old, new kinds.Object
		want     framework.Hint
	}{
		{"another waiting pod deleted", ev(framework.AssignedPod, framework.Delete), schedtest.Pod("other").Obj(), nil, framework.QueueSkip},
		{"a pod deleted from a node", ev(framework.AssignedPod, framework.Delete), on.Obj(), nil, framework.Queue},
		{"a nominated pod deleted", ev(framework.AssignedPod, framework.Delete), schedtest.Pod("other").Nominated("n").Obj(), nil, framework.Queue},
		{"a pod shrinks", ev(framework.AssignedPod, framework.UpdatePodScaleDown), on.Obj(), schedtest.Pod("other").Container("cpu", "1").Node("n").Obj(), framework.Queue},
		{"a pod grows", ev(framework.AssignedPod, framework.UpdatePodScaleDown), on.Obj(), schedtest.Pod("other").Container("cpu", "4").Node("n").Obj(), framework.QueueSkip},
		{"small node added", ev(framework.Node, framework.Add), nil, node.Can("cpu", "1", "pods", "10").Obj(), framework.QueueSkip},
		{"node added", ev(framework.Node, framework.Add), nil, node.Obj(), framework.Queue},
		{"node grows", ev(framework.Node, framework.UpdateNodeAllocatable), node.Can("cpu", "1", "pods", "10").Obj(), node.Can("cpu", "3", "pods", "10").Obj(), framework.Queue},
		{"node shrinks and still fits", ev(framework.Node, framework.UpdateNodeAllocatable), node.Obj(), node.Can("cpu", "3", "pods", "10").Obj(), framework.QueueSkip},
		{"node takes more pods", ev(framework.Node, framework.UpdateNodeAllocatable), node.Can("cpu", "3", "pods", "1").Obj(), node.Can("cpu", "3", "pods", "2").Obj(), framework.Queue},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := hint(t, fit, tt.event, pod, tt.old, tt.new); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func ev(r framework.EventResource, a framework.ActionType) framework.ClusterEvent {
	return framework.ClusterEvent{Resource: r, Action: a}
}

func hint(t *testing.T, p framework.EnqueueExtensions, e framework.ClusterEvent, pod *corev1.Pod, old, new kinds.Object) framework.Hint {
	t.Helper()
	for _, r := range p.EventsToRegister() {
		if r.Event.Matches(e) {
			return r.Hint(pod, old, new)
		}
	}
	t.Fatalf("%s is not registered for %s", p.Name(), e.Label())
	return false
}
