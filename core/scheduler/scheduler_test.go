package scheduler

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
	"terrarium/core/trace"
)

func expect(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// What kube-scheduler 1.37 writes into the event and the condition, word for word.
func TestFailedSchedulingMessages(t *testing.T) {
	node, pod := schedtest.Node, schedtest.Pod("p")
	full := schedtest.Pod("big").Container("cpu", "4").Node("n1")
	tests := []struct {
		name  string
		nodes []schedtest.NodeBuilder
		on    []schedtest.PodBuilder
		pod   schedtest.PodBuilder
		want  string
	}{
		{
			"no nodes", nil, nil, pod,
			"no nodes available to schedule pods",
		},
		{
			"bigger than any node", []schedtest.NodeBuilder{node("n1"), node("n2")}, nil, pod.Container("cpu", "5"),
			"0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
		},
		{
			"full of pods that matter as much", []schedtest.NodeBuilder{node("n1")}, []schedtest.PodBuilder{full}, pod.Container("cpu", "1"),
			"0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
		},
		{
			"the mixture everyone knows",
			[]schedtest.NodeBuilder{node("n1"), node("n2").Taint("a", "b", "NoSchedule"), node("n3").Cordoned(), node("n4").Taint("c", "d", "NoExecute"), node("n5").Can("cpu", "1", "memory", "1", "pods", "0")},
			[]schedtest.PodBuilder{full}, pod.Container("cpu", "2", "memory", "1Gi"),
			"0/5 nodes are available: 1 Insufficient memory, 1 Too many pods, 1 node(s) were unschedulable, 2 Insufficient cpu, 2 node(s) had untolerated taint(s). preemption: 0/5 nodes are available: 1 No preemption victims found for incoming pod, 4 Preemption is not helpful for scheduling.",
		},
		{
			"selector", []schedtest.NodeBuilder{node("n1"), node("n2")}, nil, pod.Selector("disk", "ssd"),
			"0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
		},
		{
			"host port taken", []schedtest.NodeBuilder{node("n1")}, []schedtest.PodBuilder{schedtest.Pod("o").HostPort("", "", 80).Node("n1")}, pod.HostPort("", "", 80),
			"0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
		},
		{
			"affinity to a node that is not there", []schedtest.NodeBuilder{node("n1"), node("n2")}, nil, pod.With(onNode("n9")),
			"0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
		},
		{
			"affinity to conflicting nodes", []schedtest.NodeBuilder{node("n1"), node("n2")}, nil, pod.With(onNode("n1", "n2")),
			"0/2 nodes are available: pod affinity terms conflict. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
		},
		{
			"never preempts", []schedtest.NodeBuilder{node("n1")}, []schedtest.PodBuilder{full}, pod.Priority(1).Container("cpu", "1").With(neverPreempt),
			"0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.",
		},
		{
			"preempts", []schedtest.NodeBuilder{node("n1")}, []schedtest.PodBuilder{full}, pod.Priority(1).Container("cpu", "1"),
			"0/1 nodes are available: 1 Insufficient cpu. preemption: found a potential placement for pod on node n1, preempting 1 victims",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, 1, loop.Range{})
			for _, n := range tt.nodes {
				w.node(n.Obj())
			}
			for _, p := range tt.on {
				w.put(p.Obj())
			}
			w.put(tt.pod.Obj())
			w.run(0)
			var failed string
			for _, e := range w.events {
				if strings.HasPrefix(e, "Warning") {
					failed = e
				}
			}
			expect(t, "event", failed, "Warning FailedScheduling p: "+tt.want)
			expect(t, "condition", w.condition("p"), "False Unschedulable: "+tt.want)
		})
	}
}

// onNode demands all of the names, each by a requirement of its own.
func onNode(names ...string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		var term corev1.NodeSelectorTerm
		for _, n := range names {
			term.MatchFields = append(term.MatchFields, corev1.NodeSelectorRequirement{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{n}})
		}
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{term},
		}}}
	}
}

func neverPreempt(p *corev1.Pod) {
	never := corev1.PreemptNever
	p.Spec.PreemptionPolicy = &never
}

func TestScheduled(t *testing.T) {
	w := newWorld(t, 1, loop.Range{Min: 10 * time.Millisecond, Max: 10 * time.Millisecond})
	w.node(schedtest.Node("empty").Obj())
	w.node(schedtest.Node("used").Obj())
	w.put(schedtest.Pod("o").Container("cpu", "2", "memory", "4Gi").Node("used").Obj())
	w.put(schedtest.Pod("p").Container("cpu", "1", "memory", "2Gi").Obj())
	w.run(9 * time.Millisecond)
	expect(t, "bound before the decision is made", w.bound, []string(nil))
	expect(t, "what is to come", w.loop.Pending(1)[0].Label, loop.Label{Component: "default-scheduler", Action: "schedule", Object: "default/p"})
	w.run(time.Millisecond)
	expect(t, "bound", w.bound, []string{"p -> empty"})
	expect(t, "events", w.events, []string{"Normal Scheduled p: Successfully assigned default/p to empty"})

	span := w.trace.Spans(0)[0]
	expect(t, "span", []any{span.Component, span.Kind, span.Key, span.Triggers},
		[]any{"default-scheduler", trace.Schedule, kinds.Key{Resource: "pods", Namespace: "default", Name: "p"},
			[]trace.Trigger{{Key: kinds.Key{Resource: "pods", Namespace: "default", Name: "p"}, Type: "ADDED", Revision: 2}}})
	d := w.s.LastDecision("p")
	if span.Decision != d {
		t.Error("the span holds another decision")
	}
	expect(t, "decision", []any{d.Outcome, d.Node, d.Nodes, d.Feasible, d.Tied, d.Attempt, d.Condensed}, []any{Scheduled, "empty", 2, 2, 1, 1, false})
	expect(t, "columns", d.Columns(), []ScoreColumn{{"TaintToleration", 3}, {"NodeResourcesFit", 1}, {"NodeResourcesBalancedAllocation", 1}, {"ImageLocality", 1}})
	expect(t, "scores", d.Scores(), []NodeScore{
		{"empty", 450, []PluginScore{{0, 100}, {75, 75}, {75, 75}, {0, 0}}},
		{"used", 400, []PluginScore{{0, 100}, {25, 25}, {75, 75}, {0, 0}}},
	})
}

// A pod on one of two equal nodes: the seed decides, and every node gets its share.
func TestTiesAreBrokenAtRandom(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(300) {
		w := newWorld(t, seed, loop.Range{})
		for _, n := range []string{"a", "b", "c"} {
			w.node(schedtest.Node(n).Obj())
		}
		w.put(schedtest.Pod("p").Container("cpu", "1").Obj())
		w.run(0)
		count[w.s.LastDecision("p").Node]++
		if tied := w.s.LastDecision("p").Tied; tied != 3 {
			t.Fatalf("seed %d: %d tied", seed, tied)
		}
	}
	for _, n := range []string{"a", "b", "c"} {
		if count[n] < 70 || count[n] > 130 {
			t.Errorf("%s was picked %d of 300 times", n, count[n])
		}
	}
}

func TestNumFeasibleNodes(t *testing.T) {
	for _, tt := range []struct{ percentage, nodes, want int }{
		{0, 10, 10}, {0, 99, 99}, {0, 100, 100}, {0, 1000, 420}, {0, 5000, 500}, {0, 6000, 300}, {40, 1000, 400}, {100, 1000, 1000}, {1, 1000, 100},
	} {
		if got := numFeasibleNodes(tt.percentage, tt.nodes); got != tt.want {
			t.Errorf("%d%% of %d: got %d, want %d", tt.percentage, tt.nodes, got, tt.want)
		}
	}
}

// In a big cluster the search goes on where the last one ended, so that all nodes get pods.
func TestSearchRotates(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	for i := range 1000 {
		w.node(schedtest.Node(fmt.Sprintf("n%03d", i)).Obj())
	}
	w.put(schedtest.Pod("p").Container("cpu", "1").Obj())
	w.put(schedtest.Pod("q").Container("cpu", "1").Obj())
	w.run(0)
	p, q := w.s.LastDecision("p"), w.s.LastDecision("q")
	expect(t, "feasible", []int{p.Feasible, q.Feasible}, []int{420, 420})
	number := func(d *Decision) int {
		n, _ := strconv.Atoi(d.Node[1:])
		return n
	}
	if number(p) >= 420 || number(q) < 420 || number(q) >= 840 {
		t.Errorf("picked %s, then %s", p.Node, q.Node)
	}
	if !p.Condensed || len(p.Scores()) != topScores || p.Scores()[0].Total != p.Scores()[9].Total {
		t.Errorf("kept %d scores", len(p.Scores()))
	}
	found := false
	for _, s := range q.Scores() {
		found = found || s.Node == q.Node
	}
	if !found {
		t.Error("the pick is not among the scores kept")
	}
}

func TestRefusalsAreKept(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.node(schedtest.Node("cordoned").Cordoned().Obj())
	w.node(schedtest.Node("small").Can("cpu", "1", "pods", "0").Obj())
	w.put(schedtest.Pod("p").Container("cpu", "2").Obj())
	w.run(0)
	d := w.s.LastDecision("p")
	expect(t, "refused", d.Refused(), []NodeRefusal{
		{"cordoned", "NodeUnschedulable", framework.UnschedulableAndUnresolvable, []string{"node(s) were unschedulable"}},
		{"small", "NodeResourcesFit", framework.UnschedulableAndUnresolvable, []string{"Too many pods", "Insufficient cpu"}},
	})
	expect(t, "outcome", []any{d.Outcome, d.Node, d.Message == strings.TrimPrefix(w.condition("p"), "False Unschedulable: ")}, []any{Unschedulable, "", true})
	w.delete("p")
	w.run(0)
	if w.s.LastDecision("p") != nil {
		t.Error("the decision outlives the pod")
	}
}

// Each way a cluster can change so that a waiting pod fits.
func TestWaitingPodIsRetried(t *testing.T) {
	node := schedtest.Node("n1")
	tests := []struct {
		name   string
		node   schedtest.NodeBuilder
		pod    schedtest.PodBuilder
		change func(w *world)
		why    string
	}{
		{"a node comes", node.Can("cpu", "1", "pods", "9"), schedtest.Pod("p").Container("cpu", "2"), func(w *world) { w.node(schedtest.Node("n2").Obj()) }, "n2"},
		{"the node grows", node.Can("cpu", "1", "pods", "9"), schedtest.Pod("p").Container("cpu", "2"), func(w *world) { w.node(node.Obj()) }, "n1"},
		{"a taint goes", node.Taint("a", "b", "NoSchedule"), schedtest.Pod("p"), func(w *world) { w.node(node.Obj()) }, "n1"},
		{"uncordoned", node.Cordoned(), schedtest.Pod("p"), func(w *world) { w.node(node.Obj()) }, "n1"},
		{"labelled", node, schedtest.Pod("p").Selector("a", "b"), func(w *world) { w.node(node.Label("a", "b").Obj()) }, "n1"},
		{"a pod goes", node, schedtest.Pod("p").Container("cpu", "3"), func(w *world) { w.delete("other") }, "other"},
		{"a pod ends", node, schedtest.Pod("p").Container("cpu", "3"), func(w *world) {
			w.put(schedtest.Pod("other").Container("cpu", "2").Node("n1").With(func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }).Obj())
		}, "other"},
		{"the pod's own toleration", node.Taint("a", "b", "NoSchedule"), schedtest.Pod("p"), func(w *world) {
			next := w.pods["p"].DeepCopy()
			next.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
			w.put(next)
		}, "p"},
		{"its gates go", node, schedtest.Pod("p").Gate("g"), func(w *world) {
			next := w.pods["p"].DeepCopy()
			next.Spec.SchedulingGates = nil
			w.put(next)
		}, "p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, 1, loop.Range{})
			w.node(tt.node.Obj())
			w.put(schedtest.Pod("other").Container("cpu", "2").Node("n1").Obj())
			w.put(tt.pod.Obj())
			w.run(time.Minute)
			expect(t, "bound too early", w.bound, []string(nil))
			tt.change(w)
			w.run(time.Second)
			if len(w.bound) != 1 {
				t.Fatalf("bound: %v; queue: %+v", w.bound, w.s.Queue())
			}
			spans := w.trace.Spans(0)
			triggers := spans[len(spans)-1].Triggers
			if last := triggers[len(triggers)-1]; last.Key.Name != tt.why {
				t.Errorf("why: got %+v, want %s", triggers, tt.why)
			}
		})
	}
}

// What is certain not to help must not cost a cycle.
func TestNotRetriedForNothing(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.node(schedtest.Node("n1").Obj())
	w.put(schedtest.Pod("p").Container("cpu", "9").Obj())
	w.run(time.Minute)
	before := len(w.trace.Spans(0))
	w.node(schedtest.Node("n1").Label("x", "y").Obj())
	w.node(schedtest.Node("n2").Can("cpu", "2", "pods", "1").Obj())
	w.put(schedtest.Pod("q").Node("n1").Obj())
	w.run(time.Minute)
	expect(t, "cycles", len(w.trace.Spans(0))-before, 0)
}

func TestBindFails(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.node(schedtest.Node("n1").Obj())
	fails := 2
	w.onBind = func(string, string) (bool, error) {
		if fails--; fails >= 0 {
			return false, errors.New("etcd is gone")
		}
		return false, nil
	}
	w.put(schedtest.Pod("p").Container("cpu", "4").Obj())
	w.run(0)
	expect(t, "condition", w.condition("p"), `False SchedulerError: running Bind plugin "DefaultBinder": etcd is gone`)
	expect(t, "outcome", w.s.LastDecision("p").Outcome, Failed)
	expect(t, "the node is given back", w.s.cache.Node("n1").Requested.MilliCPU, int64(0))
	w.run(10 * time.Second)
	expect(t, "in the end", w.bound, []string{"p -> n1"})
	expect(t, "attempts", w.s.LastDecision("p").Attempt, 3)
}

func TestDeletedWhileWaiting(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.put(schedtest.Pod("p").Obj())
	w.run(0)
	w.delete("p")
	w.node(schedtest.Node("n1").Obj())
	w.run(time.Hour)
	expect(t, "bound", w.bound, []string(nil))
	expect(t, "queue", len(w.s.Queue()), 0)
	expect(t, "pending tasks", len(w.loop.Pending(9)), 0)
}

func TestForeignPodsAreLeftAlone(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.node(schedtest.Node("n1").Obj())
	w.put(schedtest.Pod("p").With(func(p *corev1.Pod) { p.Spec.SchedulerName = "mine" }).Obj())
	w.run(time.Minute)
	expect(t, "bound", w.bound, []string(nil))
}

// A pod that is deleted and made anew between two looks of the watch.
func TestRecreatedUnderTheSameName(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.node(schedtest.Node("n1").Obj())
	old := schedtest.Pod("p").Container("cpu", "4").Node("n1").Obj()
	w.put(old)
	w.run(0)
	next := schedtest.Pod("p").Container("cpu", "4").With(func(p *corev1.Pod) { p.UID = "other" }).Obj()
	w.pods["p"] = next
	w.s.onPod(informer.Event[*corev1.Pod]{Type: informer.Updated, Old: old, New: next})
	w.run(0)
	expect(t, "bound", w.bound, []string{"p -> n1"})
}

// One seed, one history.
func TestDeterministic(t *testing.T) {
	run := func(seed uint64) string {
		w := newWorld(t, seed, loop.Range{Min: 5 * time.Millisecond, Max: 20 * time.Millisecond})
		for i := range 20 {
			w.node(schedtest.Node(fmt.Sprintf("n%d", i)).Can("cpu", "3", "memory", "8Gi", "pods", "9").Obj())
		}
		for i := range 90 {
			w.put(schedtest.Pod(fmt.Sprintf("p%d", i)).Container("cpu", "1").Priority(int32(i % 3)).Obj())
		}
		w.run(time.Hour)
		return w.trace.Hash() + strings.Join(w.bound, ",")
	}
	a, b, c := run(1), run(1), run(2)
	if a != b {
		t.Error("two runs of one seed differ")
	}
	if a == c {
		t.Error("another seed makes no difference")
	}
}
