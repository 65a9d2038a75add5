package scheduler

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/scheduler/schedtest"
)

// on is a running pod; started orders them, the first the oldest.
func on(name, node string, priority int32, started int, requests ...string) *corev1.Pod {
	return schedtest.Pod(name).Container(requests...).Node(node).Priority(priority).Label("app", name).With(func(p *corev1.Pod) {
		at := metav1.NewTime(start.Add(time.Duration(started) * time.Minute))
		p.Status.StartTime = &at
	}).Obj()
}

func budget(app string, allowed int32) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: app},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}},
		Status:     policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: allowed},
	}
}

func TestPreemption(t *testing.T) {
	tests := []struct {
		name    string
		nodes   int
		on      []*corev1.Pod
		pdbs    []*policyv1.PodDisruptionBudget
		pod     schedtest.PodBuilder
		node    string
		victims []string
	}{
		{
			name: "only as many as needed, the least important", nodes: 1,
			on:  []*corev1.Pod{on("a", "n1", 1, 0, "cpu", "2"), on("b", "n1", 2, 0, "cpu", "1"), on("c", "n1", 1, 1, "cpu", "1")},
			pod: schedtest.Pod("p").Priority(9).Container("cpu", "1"), node: "n1", victims: []string{"c"},
		},
		{
			name: "not its equals", nodes: 1,
			on:  []*corev1.Pod{on("a", "n1", 9, 0, "cpu", "2"), on("b", "n1", 8, 0, "cpu", "2")},
			pod: schedtest.Pod("p").Priority(9).Container("cpu", "2"), node: "n1", victims: []string{"b"},
		},
		{
			name: "the node with the least important victim", nodes: 3,
			on:  []*corev1.Pod{on("a", "n1", 5, 0, "cpu", "4"), on("b", "n2", 3, 0, "cpu", "4"), on("c", "n3", 4, 0, "cpu", "4")},
			pod: schedtest.Pod("p").Priority(9).Container("cpu", "4"), node: "n2", victims: []string{"b"},
		},
		{
			name: "the lowest sum of priorities", nodes: 2,
			on:  []*corev1.Pod{on("a", "n1", 3, 0, "cpu", "2"), on("b", "n1", 3, 0, "cpu", "2"), on("c", "n2", 3, 0, "cpu", "2"), on("d", "n2", 2, 0, "cpu", "2")},
			pod: schedtest.Pod("p").Priority(9).Container("cpu", "4"), node: "n2", victims: []string{"c", "d"},
		},
		{
			name: "the fewest victims", nodes: 2,
			on:  []*corev1.Pod{on("a", "n1", 0, 0, "cpu", "2"), on("b", "n1", 0, 0, "cpu", "2"), on("c", "n2", 0, 0, "cpu", "4")},
			pod: schedtest.Pod("p").Priority(9).Container("cpu", "4"), node: "n2", victims: []string{"c"},
		},
		{
			name: "the latest start", nodes: 2,
			on:  []*corev1.Pod{on("a", "n1", 0, 1, "cpu", "4"), on("b", "n2", 0, 2, "cpu", "4")},
			pod: schedtest.Pod("p").Priority(9).Container("cpu", "4"), node: "n2", victims: []string{"b"},
		},
		{
			name: "a budget protects even a less important pod", nodes: 2,
			on:   []*corev1.Pod{on("a", "n1", 1, 0, "cpu", "4"), on("b", "n2", 5, 0, "cpu", "4")},
			pdbs: []*policyv1.PodDisruptionBudget{budget("a", 0)},
			pod:  schedtest.Pod("p").Priority(9).Container("cpu", "4"), node: "n2", victims: []string{"b"},
		},
		{
			name: "a budget that allows it does not", nodes: 2,
			on:   []*corev1.Pod{on("a", "n1", 1, 0, "cpu", "4"), on("b", "n2", 5, 0, "cpu", "4")},
			pdbs: []*policyv1.PodDisruptionBudget{budget("a", 1)},
			pod:  schedtest.Pod("p").Priority(9).Container("cpu", "4"), node: "n1", victims: []string{"a"},
		},
		{
			name: "a budget gives way when there is no other node", nodes: 1,
			on:   []*corev1.Pod{on("a", "n1", 1, 0, "cpu", "4")},
			pdbs: []*policyv1.PodDisruptionBudget{budget("a", 0)},
			pod:  schedtest.Pod("p").Priority(9).Container("cpu", "4"), node: "n1", victims: []string{"a"},
		},
		{
			name: "host ports", nodes: 1, on: []*corev1.Pod{schedtest.Pod("a").HostPort("", "", 80).Node("n1").Obj()},
			pod: schedtest.Pod("p").Priority(9).HostPort("", "", 80), node: "n1", victims: []string{"a"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, 1, loop.Range{})
			w.pdbs = tt.pdbs
			for i := range tt.nodes {
				w.node(schedtest.Node("n" + string(rune('1'+i))).Obj())
			}
			for _, p := range tt.on {
				w.put(p)
			}
			w.put(tt.pod.Obj())
			for w.s.LastDecision("p") == nil {
				w.loop.Step(w.loop.Now())
			}
			d := w.s.LastDecision("p")
			var victims []string
			for _, v := range d.Victims {
				victims = append(victims, v.Pod.Name)
			}
			expect(t, "victims", victims, tt.victims)
			expect(t, "nominated", []string{d.Nominated, w.pods["p"].Status.NominatedNodeName}, []string{tt.node, tt.node})
			w.run(time.Minute)
			expect(t, "bound", w.bound, []string{"p -> " + tt.node})
			expect(t, "nominator", len(w.s.queue.Nominated(tt.node)), 0)
		})
	}
}

func TestPreemptionEvents(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.node(schedtest.Node("n1").Obj())
	victim := on("a", "n1", 0, 0, "cpu", "4")
	w.put(victim)
	w.put(schedtest.Pod("p").Priority(9).Container("cpu", "4").Obj())
	w.run(time.Minute)
	expect(t, "events", w.events, []string{
		"Normal Preempted a: Preempted by pod p on node n1",
		"Warning FailedScheduling p: 0/1 nodes are available: 1 Insufficient cpu. preemption: found a potential placement for pod on node n1, preempting 1 victims",
		"Normal Scheduled p: Successfully assigned default/p to n1",
	})
	expect(t, "victims", w.trace.Spans(0)[0].Decision.(*Decision).Victims, []Victim{{kinds.Key{Resource: "pods", Namespace: "default", Name: "a"}, "a", 0}})
}

// Room that is made for one pod is not for others, unless they matter more.
func TestNominatedRoomIsKept(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.node(schedtest.Node("n1").Obj())
	dying := on("a", "n1", 0, 0, "cpu", "4")
	now := metav1.NewTime(start)
	dying.DeletionTimestamp = &now
	dying.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler}}
	w.put(dying)
	w.put(schedtest.Pod("p").Priority(9).Container("cpu", "4").Nominated("n1").Obj())
	w.run(0)
	expect(t, "no second preemption", w.condition("p"),
		"False Unschedulable: 0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to a terminating pod on the nominated node.")
	expect(t, "nomination stays", w.pods["p"].Status.NominatedNodeName, "n1")
	// The victim is gone, but p's turn has not come: q must not slip in.
	w.s.cache.RemovePod("a")
	w.put(schedtest.Pod("q").Container("cpu", "4").Obj())
	w.run(0)
	expect(t, "bound", w.bound, []string(nil))
	w.put(schedtest.Pod("vip").Priority(10).Container("cpu", "4").Obj())
	w.run(0)
	expect(t, "bound", w.bound, []string{"vip -> n1"})
}
