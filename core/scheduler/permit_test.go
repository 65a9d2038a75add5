package scheduler

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/loop"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

// A gatekeeper takes part in everything behind the decision.
type gatekeeper struct {
	reserve, permit, preBind framework.Status
	timeout                  time.Duration
	log                      *[]string
}

func (gatekeeper) Name() string { return "Gatekeeper" }

func (g gatekeeper) Reserve(_ *framework.CycleState, p *framework.PodInfo, node string) framework.Status {
	*g.log = append(*g.log, "reserve "+node)
	return g.reserve
}

func (g gatekeeper) Unreserve(_ *framework.CycleState, p *framework.PodInfo, node string) {
	*g.log = append(*g.log, "unreserve "+node)
}

func (g gatekeeper) Permit(_ *framework.CycleState, p *framework.PodInfo, _ string) (framework.Status, time.Duration) {
	*g.log = append(*g.log, "permit")
	return g.permit, g.timeout
}

func (g gatekeeper) PreBind(_ *framework.CycleState, p *framework.PodInfo, _ string) framework.Status {
	*g.log = append(*g.log, "prebind")
	return g.preBind
}

func (g gatekeeper) PostBind(_ *framework.CycleState, p *framework.PodInfo, _ string) {
	*g.log = append(*g.log, "postbind")
}

// EventsToRegister would have a pod tried again for what it gives back itself, if that were not seen to.
func (gatekeeper) EventsToRegister() []framework.EventWithHint {
	return []framework.EventWithHint{{
		Event: assignedPod(framework.Delete),
		Hint: framework.On(func(_, gone, _ *corev1.Pod) framework.Hint {
			return framework.Hint(gone.Spec.NodeName != "")
		}),
	}}
}

func guarded(t *testing.T, g gatekeeper) (*world, *[]string) {
	g.log = &[]string{}
	w := newWorld(t, 1, loop.Range{}, Profile{Change: func(e []framework.Enabled) []framework.Enabled {
		return append(e, framework.Enabled{Plugin: g})
	}})
	w.node(schedtest.Node("n1").Obj())
	w.put(schedtest.Pod("p").Container("cpu", "3").Obj())
	w.run(0)
	return w, g.log
}

func TestBehindTheDecision(t *testing.T) {
	no := framework.NewStatus(framework.Unschedulable, "", "not today")
	tests := []struct {
		name      string
		keeper    gatekeeper
		log       []string
		condition string
		part      string // of the queue, afterwards
	}{
		{"all well", gatekeeper{}, []string{"reserve n1", "permit", "prebind", "postbind"}, "", ""},
		{"reserve refuses", gatekeeper{reserve: no}, []string{"reserve n1", "unreserve n1"}, "False Unschedulable: 0/1 nodes are available: 1 not today.", "unschedulable"},
		{"permit refuses", gatekeeper{permit: no}, []string{"reserve n1", "permit", "unreserve n1"}, "False Unschedulable: 0/1 nodes are available: 1 not today.", "unschedulable"},
		{"prebind refuses", gatekeeper{preBind: no}, []string{"reserve n1", "permit", "prebind", "unreserve n1"}, "False Unschedulable: not today", "backoff"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, log := guarded(t, tt.keeper)
			expect(t, "calls", *log, tt.log)
			expect(t, "condition", w.condition("p"), tt.condition)
			expect(t, "counted in", w.s.cache.Node("n1").Requested.MilliCPU > 0, tt.condition == "")
			part := ""
			for _, e := range w.s.Queue() {
				part = e.Part
			}
			expect(t, "part of the queue", part, tt.part)
		})
	}
}

func TestPermitWaits(t *testing.T) {
	keeper := gatekeeper{permit: framework.NewStatus(framework.Wait, ""), timeout: time.Minute}
	t.Run("allowed", func(t *testing.T) {
		w, _ := guarded(t, keeper)
		w.run(30 * time.Second)
		expect(t, "bound too early", w.bound, []string(nil))
		expect(t, "known to others", w.pods["p"].Status.NominatedNodeName, "n1")
		expect(t, "outcome", w.s.LastDecision("p").Outcome, Waiting)
		w.put(schedtest.Pod("q").Container("cpu", "3").Obj()) // must see what p holds
		w.run(0)
		w.s.AllowWaiting("p", "Gatekeeper")
		w.run(0)
		expect(t, "bound", w.bound, []string{"p -> n1"})
		expect(t, "outcome", w.s.LastDecision("p").Outcome, Scheduled)
		expect(t, "q", w.s.LastDecision("q").Outcome, Unschedulable)
	})
	t.Run("runs out", func(t *testing.T) {
		w, _ := guarded(t, keeper)
		w.run(time.Minute)
		expect(t, "condition", w.condition("p"),
			"False Unschedulable: 0/1 nodes are available: 1 rejected due to timeout after waiting 1m0s at plugin Gatekeeper.")
		expect(t, "nomination", w.pods["p"].Status.NominatedNodeName, "")
		expect(t, "given back", w.s.cache.Node("n1").Requested.MilliCPU, int64(0))
		expect(t, "not tried for what it gave back itself", w.s.Queue()[0].Part, "unschedulable")
	})
	t.Run("deleted meanwhile", func(t *testing.T) {
		w, _ := guarded(t, keeper)
		w.delete("p")
		w.run(0)
		expect(t, "given back", w.s.cache.Node("n1").Requested.MilliCPU, int64(0))
		expect(t, "bound", w.bound, []string(nil))
		expect(t, "left in the queue", len(w.s.Queue()), 0)
		expect(t, "timers", len(w.loop.Pending(9)), 0)
	})
	t.Run("preempted meanwhile", func(t *testing.T) {
		w, _ := guarded(t, keeper)
		w.put(schedtest.Pod("vip").Container("cpu", "3").Priority(100).Obj())
		w.run(0)
		expect(t, "event", w.events[0], "Normal Preempted p: Preempted by pod vip on node n1 (in kube-scheduler memory).")
		if w.pods["p"] == nil {
			t.Error("a pod that was not bound yet was deleted")
		}
	})
}

// Two profiles in one scheduler, each for the pods that name it.
func TestProfiles(t *testing.T) {
	most := Profile{SchedulerName: "packer"}
	most.Args.Fit.Strategy.Type = "MostAllocated"
	w := newWorld(t, 1, loop.Range{}, Profile{}, most)
	w.node(schedtest.Node("empty").Obj())
	w.node(schedtest.Node("used").Obj())
	w.put(schedtest.Pod("o").Container("cpu", "1", "memory", "2Gi").Node("used").Obj())
	w.put(schedtest.Pod("spread").Container("cpu", "1", "memory", "2Gi").Obj())
	w.run(0)
	w.delete("spread")
	w.put(schedtest.Pod("pack").Container("cpu", "1", "memory", "2Gi").With(func(p *corev1.Pod) { p.Spec.SchedulerName = "packer" }).Obj())
	w.run(0)
	expect(t, "bound", w.bound, []string{"spread -> empty", "pack -> used"})
	if _, err := newScheduler(Deps{Loop: w.loop, Profiles: []Profile{{}, {}}}, outside{}); err == nil {
		t.Error("two profiles of one name are accepted")
	}
}
