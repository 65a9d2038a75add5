package plugins

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/plugins/nodename"
	"terrarium/core/scheduler/plugins/nodeports"
	"terrarium/core/scheduler/plugins/nodeunschedulable"
	"terrarium/core/scheduler/plugins/schedulinggates"
	"terrarium/core/scheduler/schedtest"
)

// Upstream's order and weights, less the plugins that are not there yet.
func TestDefaultProfile(t *testing.T) {
	enabled, err := Default(Deps{}, Args{})
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Name   string
		Weight int64
	}
	var got []row
	for _, e := range enabled {
		got = append(got, row{e.Plugin.Name(), e.Weight})
	}
	want := []row{
		{"SchedulingGates", 0}, {"PrioritySort", 0}, {"NodeName", 0}, {"NodeUnschedulable", 0}, {"TaintToleration", 3},
		{"NodeAffinity", 2}, {"NodePorts", 0}, {"NodeResourcesFit", 1}, {"DefaultPreemption", 0},
		{"NodeResourcesBalancedAllocation", 1}, {"ImageLocality", 1}, {"DefaultBinder", 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := framework.New(framework.Config{Name: "default-scheduler", Plugins: enabled}); err != nil {
		t.Error(err)
	}
}

func TestSmallFilters(t *testing.T) {
	ports := schedtest.Pod("p").HostPort("127.0.0.1", "UDP", 8080)
	tests := []struct {
		name   string
		plugin framework.FilterPlugin
		pod    schedtest.PodBuilder
		node   schedtest.NodeBuilder
		on     *corev1.Pod
		code   framework.Code
		want   string
	}{
		{name: "no host specified", plugin: nodename.New(), pod: schedtest.Pod("p"), node: schedtest.Node("foo")},
		{name: "host matches", plugin: nodename.New(), pod: schedtest.Pod("p").Node("foo"), node: schedtest.Node("foo")},
		{
			name: "host doesn't match", plugin: nodename.New(), pod: schedtest.Pod("p").Node("bar"), node: schedtest.Node("foo"),
			code: framework.UnschedulableAndUnresolvable, want: "node(s) didn't match the requested node name",
		},
		{name: "not cordoned", plugin: nodeunschedulable.New(), pod: schedtest.Pod("p"), node: schedtest.Node("n")},
		{
			name: "cordoned", plugin: nodeunschedulable.New(), pod: schedtest.Pod("p"), node: schedtest.Node("n").Cordoned(),
			code: framework.UnschedulableAndUnresolvable, want: "node(s) were unschedulable",
		},
		{
			name: "cordoned and tolerated", plugin: nodeunschedulable.New(), node: schedtest.Node("n").Cordoned(),
			pod: schedtest.Pod("p").Tolerate(corev1.TaintNodeUnschedulable, "", corev1.TaintEffectNoSchedule),
		},
		{name: "port free", plugin: nodeports.New(), pod: ports, node: schedtest.Node("n"), on: schedtest.Pod("o").HostPort("127.0.0.1", "UDP", 9090).Obj()},
		{
			name: "port taken", plugin: nodeports.New(), pod: ports, node: schedtest.Node("n"), on: schedtest.Pod("o").HostPort("0.0.0.0", "UDP", 8080).Obj(),
			code: framework.Unschedulable, want: "node(s) didn't have free ports for the requested pod ports",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			node := framework.NewNodeInfo(tt.node.Obj())
			if tt.on != nil {
				node.AddPod(framework.NewPodInfo(tt.on))
			}
			got := tt.plugin.Filter(framework.NewCycleState(), framework.NewPodInfo(tt.pod.Obj()), node)
			if got.Code() != tt.code || got.Message() != tt.want {
				t.Errorf("got %v %q, want %v %q", got.Code(), got.Message(), tt.code, tt.want)
			}
		})
	}
}

func TestSchedulingGates(t *testing.T) {
	p := schedulinggates.SchedulingGates{}
	if s := p.PreEnqueue(schedtest.Pod("p").Obj()); !s.IsSuccess() {
		t.Errorf("no gates: got %v", s.Code())
	}
	s := p.PreEnqueue(schedtest.Pod("p").Gate("foo").Gate("bar").Obj())
	if s.Code() != framework.UnschedulableAndUnresolvable || s.Message() != "waiting for scheduling gates: [foo bar]" {
		t.Errorf("got %v %q", s.Code(), s.Message())
	}
}

func TestSmallHints(t *testing.T) {
	n, port := schedtest.Node("n"), schedtest.Pod("o").HostPort("", "", 8080)
	node := func(a framework.ActionType) framework.ClusterEvent {
		return framework.ClusterEvent{Resource: framework.Node, Action: a}
	}
	gone := framework.ClusterEvent{Resource: framework.AssignedPod, Action: framework.Delete}
	tests := []struct {
		name     string
		plugin   framework.EnqueueExtensions
		event    framework.ClusterEvent
		pod      *corev1.Pod
		old, new kinds.Object
		want     framework.Hint
	}{
		{"uncordoned", nodeunschedulable.New(), node(framework.UpdateNodeTaint), nil, n.Cordoned().Obj(), n.Obj(), framework.Queue},
		{"still cordoned", nodeunschedulable.New(), node(framework.UpdateNodeTaint), nil, n.Cordoned().Obj(), n.Cordoned().Obj(), framework.QueueSkip},
		{"cordoned node added", nodeunschedulable.New(), node(framework.Add), nil, nil, n.Cordoned().Obj(), framework.QueueSkip},
		{"port freed", nodeports.New(), gone, port.Obj(), port.Node("n").Obj(), nil, framework.Queue},
		{"other port freed", nodeports.New(), gone, port.Obj(), schedtest.Pod("x").HostPort("", "", 1).Node("n").Obj(), nil, framework.QueueSkip},
		{"waiting pod deleted", nodeports.New(), gone, port.Obj(), port.Obj(), nil, framework.QueueSkip},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range tt.plugin.EventsToRegister() {
				if !r.Event.Matches(tt.event) {
					continue
				}
				if got := r.Hint(tt.pod, tt.old, tt.new); got != tt.want {
					t.Errorf("got %v, want %v", got, tt.want)
				}
				return
			}
			t.Error("not registered")
		})
	}
}
