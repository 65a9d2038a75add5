package tainttoleration

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

const (
	prefer  = corev1.TaintEffectPreferNoSchedule
	no      = corev1.TaintEffectNoSchedule
	execute = corev1.TaintEffectNoExecute
)

func TestFits(t *testing.T) {
	tests := []struct {
		name string
		pod  schedtest.PodBuilder
		node schedtest.NodeBuilder
		want bool
	}{
		{"no tolerations, tainted node", schedtest.Pod("p"), schedtest.Node("n").Taint("dedicated", "user1", no), false},
		{"tolerated", schedtest.Pod("p").Tolerate("dedicated", "user1", no), schedtest.Node("n").Taint("dedicated", "user1", no), true},
		{"other value", schedtest.Pod("p").Tolerate("dedicated", "user2", no), schedtest.Node("n").Taint("dedicated", "user1", no), false},
		{"Exists", schedtest.Pod("p").Tolerate("foo", "", no), schedtest.Node("n").Taint("foo", "bar", no), true},
		{"Exists without key", schedtest.Pod("p").Tolerate("", "", ""), schedtest.Node("n").Taint("foo", "bar", execute), true},
		{"all of several", schedtest.Pod("p").Tolerate("dedicated", "user2", no).Tolerate("foo", "", no), schedtest.Node("n").Taint("dedicated", "user2", no).Taint("foo", "bar", no), true},
		{"one of several missing", schedtest.Pod("p").Tolerate("foo", "", no), schedtest.Node("n").Taint("foo", "bar", no).Taint("x", "y", execute), false},
		{"other effect", schedtest.Pod("p").Tolerate("foo", "bar", prefer), schedtest.Node("n").Taint("foo", "bar", no), false},
		{"any effect", schedtest.Pod("p").Tolerate("foo", "bar", ""), schedtest.Node("n").Taint("foo", "bar", no), true},
		{"PreferNoSchedule does not refuse", schedtest.Pod("p"), schedtest.Node("n").Taint("foo", "bar", prefer), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Fits(tt.pod.Obj(), tt.node.Obj().Spec.Taints); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	s := New(&framework.Slots{}).Filter(nil, framework.NewPodInfo(tests[0].pod.Obj()), framework.NewNodeInfo(tests[0].node.Obj()))
	if s.Code() != framework.UnschedulableAndUnresolvable || s.Message() != "node(s) had untolerated taint(s)" {
		t.Errorf("got %v %q", s.Code(), s.Message())
	}
}

func TestScore(t *testing.T) {
	n := schedtest.Node("n")
	tests := []struct {
		name  string
		pod   schedtest.PodBuilder
		nodes []schedtest.NodeBuilder
		want  []int64
	}{
		{
			"tolerated before intolerable", schedtest.Pod("p").Tolerate("foo", "bar", prefer),
			[]schedtest.NodeBuilder{n.Taint("foo", "bar", prefer), n.Taint("foo", "blah", prefer)}, []int64{100, 0},
		},
		{
			"tolerated taints do not count", schedtest.Pod("p").Tolerate("cpu-type", "arm64", prefer).Tolerate("disk-type", "ssd", prefer),
			[]schedtest.NodeBuilder{n, n.Taint("cpu-type", "arm64", prefer), n.Taint("cpu-type", "arm64", prefer).Taint("disk-type", "ssd", prefer)}, []int64{100, 100, 100},
		},
		{
			"more intolerable, lower score", schedtest.Pod("p").Tolerate("foo", "bar", prefer),
			[]schedtest.NodeBuilder{n, n.Taint("cpu-type", "arm64", prefer), n.Taint("cpu-type", "arm64", prefer).Taint("disk-type", "ssd", prefer)}, []int64{100, 50, 0},
		},
		{
			"only PreferNoSchedule counts", schedtest.Pod("p").Tolerate("cpu-type", "arm64", no).Tolerate("disk-type", "ssd", no),
			[]schedtest.NodeBuilder{n, n.Taint("cpu-type", "arm64", no), n.Taint("cpu-type", "arm64", prefer).Taint("disk-type", "ssd", prefer)}, []int64{100, 100, 0},
		},
		{"no tolerations", schedtest.Pod("p"), []schedtest.NodeBuilder{n, n.Taint("cpu-type", "arm64", prefer)}, []int64{100, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, state, pod := New(&framework.Slots{}), framework.NewCycleState(), framework.NewPodInfo(tt.pod.Obj())
			p.PreScore(state, pod, nil)
			var got []int64
			for _, b := range tt.nodes {
				s, _ := p.Score(state, pod, framework.NewNodeInfo(b.Obj()))
				got = append(got, s)
			}
			p.NormalizeScore(state, pod, nil, got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHints(t *testing.T) {
	pod, n := schedtest.Pod("p").Obj(), schedtest.Node("n")
	tests := []struct {
		name     string
		old, new *corev1.Node
		want     framework.Hint
	}{
		{"node without taints added", nil, n.Obj(), framework.Queue},
		{"tainted node added", nil, n.Taint("foo", "bar", no).Obj(), framework.QueueSkip},
		{"taint removed", n.Taint("foo", "bar", no).Obj(), n.Obj(), framework.Queue},
		{"was fine already", n.Obj(), n.Taint("foo", "bar", prefer).Obj(), framework.QueueSkip},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := afterNodeChange(pod, tt.old, tt.new); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
