package nodeaffinity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

func req(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: op, Values: values}
}

func labelled(reqs ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: reqs}
}

func named(reqs ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchFields: reqs}
}

func required(terms ...corev1.NodeSelectorTerm) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms},
		}}
	}
}

const (
	in     = corev1.NodeSelectorOpIn
	notIn  = corev1.NodeSelectorOpNotIn
	exists = corev1.NodeSelectorOpExists
	absent = corev1.NodeSelectorOpDoesNotExist
	gt     = corev1.NodeSelectorOpGt
)

func TestFilter(t *testing.T) {
	pod, node := schedtest.Pod("p"), schedtest.Node("node1").Label("foo", "bar").Label("GPU", "NVIDIA-GRID-K1").Label("kernel-version", "0206")
	enforced := Args{AddedAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{labelled(req("zone", in, "bar"))},
	}}}
	tests := []struct {
		name      string
		pod       schedtest.PodBuilder
		args      Args
		skip      bool
		names     []string
		preFilter string
		want      string
	}{
		{name: "no selector", pod: pod, skip: true},
		{name: "missing labels", pod: pod.Selector("foo", "baz"), want: ErrReasonPod},
		{name: "same labels", pod: pod.Selector("foo", "bar")},
		{name: "In", pod: pod.With(required(labelled(req("foo", in, "bar", "value2"))))},
		{name: "Gt", pod: pod.With(required(labelled(req("kernel-version", gt, "0204"))))},
		{name: "NotIn", pod: pod.With(required(labelled(req("mem-type", notIn, "DDR", "DDR2"))))},
		{name: "Exists", pod: pod.With(required(labelled(req("GPU", exists))))},
		{name: "In with wrong values", pod: pod.With(required(labelled(req("foo", in, "value1")))), want: ErrReasonPod},
		{name: "no terms match nothing", pod: pod.With(required()), want: ErrReasonPod},
		{name: "an empty term matches nothing", pod: pod.With(required(corev1.NodeSelectorTerm{})), want: ErrReasonPod},
		{name: "all expressions of a term must match", pod: pod.With(required(labelled(req("GPU", exists), req("GPU", notIn, "NVIDIA-GRID-K1")))), want: ErrReasonPod},
		{name: "one term is enough", pod: pod.With(required(labelled(req("foo", in, "x")), labelled(req("GPU", exists))))},
		{name: "selector and affinity must both match", pod: pod.Selector("foo", "baz").With(required(labelled(req("foo", exists)))), want: ErrReasonPod},
		{name: "DoesNotExist", pod: pod.With(required(labelled(req("foo", absent)))), want: ErrReasonPod},
		{name: "an invalid value matches nothing", pod: pod.With(required(labelled(req("foo", gt, "x")))), want: ErrReasonPod},
		{name: "an invalid term does not spoil another", pod: pod.With(required(labelled(req("foo", gt, "x")), labelled(req("foo", exists))))},
		{name: "by name", pod: pod.With(required(named(req("metadata.name", in, "node1")))), names: []string{"node1"}},
		{name: "by other name", pod: pod.With(required(named(req("metadata.name", in, "node2")))), names: []string{"node2"}, want: ErrReasonPod},
		{name: "not by name", pod: pod.With(required(named(req("metadata.name", notIn, "node1")))), want: ErrReasonPod},
		{name: "names of all terms", pod: pod.With(required(named(req("metadata.name", in, "node2")), named(req("metadata.name", in, "node1")))), names: []string{"node1", "node2"}},
		{name: "a term without name opens all nodes", pod: pod.With(required(named(req("metadata.name", in, "node2")), labelled(req("foo", exists))))},
		{name: "conflicting names", pod: pod.With(required(named(req("metadata.name", in, "node1"), req("metadata.name", in, "node2")))), preFilter: "pod affinity terms conflict"},
		{name: "enforced by the profile", pod: pod, args: enforced, want: "node(s) didn't match scheduler-enforced node affinity"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := New(&framework.Slots{}, tt.args)
			if err != nil {
				t.Fatal(err)
			}
			state, info := framework.NewCycleState(), framework.NewPodInfo(tt.pod.Obj())
			names, s := p.PreFilter(state, info, nil)
			if s.IsSkip() != tt.skip || s.Message() != tt.preFilter {
				t.Fatalf("PreFilter: got %v %q", s.Code(), s.Message())
			}
			if diff := cmp.Diff(tt.names, names); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			if tt.skip || tt.preFilter != "" {
				return
			}
			got := p.Filter(state, info, framework.NewNodeInfo(node.Obj()))
			if got.Message() != tt.want || got.IsSuccess() != (tt.want == "") {
				t.Errorf("got %v %q, want %q", got.Code(), got.Message(), tt.want)
			}
		})
	}
}

func TestScore(t *testing.T) {
	preferred := func(terms ...corev1.PreferredSchedulingTerm) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: terms}}
		}
	}
	west := corev1.PreferredSchedulingTerm{Weight: 2, Preference: labelled(req("foo", in, "bar"))}
	fast := corev1.PreferredSchedulingTerm{Weight: 4, Preference: labelled(req("key", in, "value"))}
	both := corev1.PreferredSchedulingTerm{Weight: 5, Preference: labelled(req("foo", in, "bar"), req("key", in, "value"), req("az", in, "az1"))}
	n := schedtest.Node("n")
	nodes := []schedtest.NodeBuilder{n.Label("foo", "bar"), n.Label("key", "value").Label("foo", "bar"), n.Label("az", "az1").Label("foo", "bar").Label("key", "value"), n}
	added := Args{AddedAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{west}}}
	tests := []struct {
		name string
		pod  schedtest.PodBuilder
		args Args
		skip bool
		want []int64
	}{
		{name: "no preference", pod: schedtest.Pod("p"), skip: true},
		{name: "one term", pod: schedtest.Pod("p").With(preferred(west)), want: []int64{100, 100, 100, 0}},
		{name: "several terms add up", pod: schedtest.Pod("p").With(preferred(west, fast, both)), want: []int64{18, 54, 100, 0}},
		{name: "weight 0 counts for nothing", pod: schedtest.Pod("p").With(preferred(corev1.PreferredSchedulingTerm{Preference: west.Preference})), want: []int64{0, 0, 0, 0}},
		{name: "added by the profile", pod: schedtest.Pod("p"), args: added, want: []int64{100, 100, 100, 0}},
		{name: "added and own", pod: schedtest.Pod("p").With(preferred(fast)), args: added, want: []int64{33, 100, 100, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := New(&framework.Slots{}, tt.args)
			if err != nil {
				t.Fatal(err)
			}
			state, info := framework.NewCycleState(), framework.NewPodInfo(tt.pod.Obj())
			if s := p.PreScore(state, info, nil); s.IsSkip() != tt.skip {
				t.Fatalf("PreScore: got %v", s.Code())
			}
			if tt.skip {
				return
			}
			var got []int64
			for _, b := range nodes {
				s, _ := p.Score(state, info, framework.NewNodeInfo(b.Obj()))
				got = append(got, s)
			}
			p.NormalizeScore(state, info, nil, got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestHints(t *testing.T) {
	p, _ := New(&framework.Slots{}, Args{})
	pod, n := schedtest.Pod("p").Selector("foo", "bar").Obj(), schedtest.Node("n")
	match, other := n.Label("foo", "bar").Obj(), n.Obj()
	for name, tt := range map[string]struct {
		old, new *corev1.Node
		want     framework.Hint
	}{
		"matching node added": {nil, match, framework.Queue},
		"other node added":    {nil, other, framework.QueueSkip},
		"comes to match":      {other, match, framework.Queue},
		"matched before":      {match, match, framework.QueueSkip},
	} {
		if got := p.afterNodeChange(pod, tt.old, tt.new); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}
