package scheduler

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/loop"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

func TestBest(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		totals := make([]int64, 1+r.IntN(40))
		for i := range totals {
			totals[i] = r.Int64N(6)
		}
		pick, n := r.IntN(len(totals)), 1+r.IntN(12)
		want := make([]int, 0, len(totals))
		for i := range totals {
			if i != pick {
				want = append(want, i)
			}
		}
		slices.SortStableFunc(want, func(a, b int) int { return int(totals[b] - totals[a]) })
		want = append([]int{pick}, want...)[:min(n, len(totals))]
		if got := best(totals, pick, n); !slices.Equal(got, want) {
			t.Fatalf("seed %d: best %d of %v with pick %d: got %v, want %v", seed, n, totals, pick, got, want)
		}
	}
}

func TestOldDecisionsAreCondensed(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.s.decisions = newDecisions(2000)
	for i := range 12 {
		w.node(schedtest.Node("n" + strconv.Itoa(i)).Obj())
	}
	w.node(schedtest.Node("cordoned").Cordoned().Obj())
	for i := range 20 {
		w.put(schedtest.Pod("p"+strconv.Itoa(i)).Container("cpu", "1").Obj())
		w.run(0)
	}
	first, last := w.s.LastDecision("p0"), w.s.LastDecision("p19")
	if !first.Condensed || len(first.Scores()) != topScoresOld || len(first.Refused()) != 0 {
		t.Errorf("the first: condensed %v, %d scores, %d refusals", first.Condensed, len(first.Scores()), len(first.Refused()))
	}
	if !slices.ContainsFunc(first.Scores(), func(s NodeScore) bool { return s.Node == first.Node }) {
		t.Errorf("the pick %s is not among %+v", first.Node, first.Scores())
	}
	expect(t, "reasons stay", first.Reasons, []framework.ReasonCount{
		{Reason: "node(s) were unschedulable", Plugin: "NodeUnschedulable", Code: framework.UnschedulableAndUnresolvable, Nodes: 1},
	})
	if last.Condensed || len(last.Scores()) != 12 || len(last.Refused()) != 1 {
		t.Errorf("the last: condensed %v, %d scores, %d refusals", last.Condensed, len(last.Scores()), len(last.Refused()))
	}
	if w.s.decisions.used > 2000 {
		t.Errorf("%d bytes of details are kept", w.s.decisions.used)
	}
}

// A decision stays readable when the nodes it was about are long gone.
func TestDecisionKeepsNames(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	w.node(schedtest.Node("a").Obj())
	w.node(schedtest.Node("b").Cordoned().Obj())
	w.put(schedtest.Pod("p").Obj())
	w.run(0)
	w.s.cache.RemoveNode("a")
	w.s.cache.RemoveNode("b")
	w.node(schedtest.Node("c").Obj())
	d := w.s.LastDecision(types.UID("p"))
	expect(t, "refused", []string{d.Node, d.Refused()[0].Node}, []string{"a", "b"})
}

// Nodes that a PreFilter plugin rules out have a reason too.
func TestRefusedByPreFilter(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	for _, n := range []string{"n1", "n2", "n3"} {
		w.node(schedtest.Node(n).Obj())
	}
	w.put(schedtest.Pod("p").With(onNode("n2")).Obj())
	w.put(schedtest.Pod("q").With(onNode("n2", "n3")).Obj())
	w.run(0)
	reasons := func(uid types.UID) (out []string) {
		for _, r := range w.s.LastDecision(uid).Refused() {
			out = append(out, r.Node+": "+r.Reasons[0])
		}
		return out
	}
	expect(t, "one node left", reasons("p"), []string{"n1: node(s) didn't satisfy plugin(s) [NodeAffinity]", "n3: node(s) didn't satisfy plugin(s) [NodeAffinity]"})
	expect(t, "none left", reasons("q"), []string{"n1: pod affinity terms conflict", "n2: pod affinity terms conflict", "n3: pod affinity terms conflict"})
}

func TestExplain(t *testing.T) {
	w := newWorld(t, 1, loop.Range{})
	pod := schedtest.Pod("p").Container("cpu", "3").Obj()
	if d := w.s.Explain(pod); d.Message != "no nodes available to schedule pods" {
		t.Errorf("without nodes: %q", d.Message)
	}
	for i := range 150 {
		n := schedtest.Node("n" + strconv.Itoa(i))
		if i%3 == 0 {
			n = n.Cordoned()
		}
		w.node(n.Obj())
	}
	w.put(schedtest.Pod("o").Container("cpu", "2").Node("n1").Obj())
	w.run(0)
	before := w.trace.Hash()
	d := w.s.Explain(pod)
	if len(d.Refused()) != 51 || len(d.Scores()) != 99 || d.Feasible != 99 || d.Condensed || d.Outcome != Scheduled {
		t.Errorf("%d refused, %d scored, %d feasible, condensed %v, %v", len(d.Refused()), len(d.Scores()), d.Feasible, d.Condensed, d.Outcome)
	}
	for _, r := range d.Refused() {
		if (r.Node == "n1") != (r.Reasons[0] == "Insufficient cpu") {
			t.Errorf("%+v", r)
		}
	}
	d = w.s.Explain(schedtest.Pod("p").With(onNode("n1", "n2")).Obj())
	if len(d.Refused()) != 150 || d.Message != "0/150 nodes are available: pod affinity terms conflict." {
		t.Errorf("%d refused: %s", len(d.Refused()), d.Message)
	}
	d = w.s.Explain(schedtest.Pod("p").With(onNode("n2")).Obj())
	if d.Feasible != 1 || d.Refused()[0].Reasons[0] != "node(s) didn't satisfy plugin(s) [NodeAffinity]" {
		t.Errorf("%d feasible, %+v", d.Feasible, d.Refused()[0])
	}
	if w.s.Explain(schedtest.Pod("p").With(func(p *corev1.Pod) { p.Spec.SchedulerName = "mine" }).Obj()) != nil {
		t.Error("a foreign pod is explained")
	}
	if w.trace.Hash() != before || w.s.LastDecision("p") != nil || len(w.s.Queue()) != 0 {
		t.Error("explaining changed something")
	}
}
