package scheduler

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/loop"
	"terrarium/core/scheduler/framework"
	"terrarium/core/trace"
)

// A waitingPod has its node and waits until every Permit plugin that asked for it allows it, or one
// rejects it or runs out of time.
type waitingPod struct {
	cycle  *cycle
	timers []permitTimer // of the plugins that have not allowed it yet
}

type permitTimer struct {
	plugin string
	timer  *loop.Timer
}

// wait keeps a cycle until its Permit plugins have decided.
func (s *Scheduler) wait(c *cycle, waits []framework.PermitWait) {
	s.state = framework.NewCycleState() // c keeps the other
	w := &waitingPod{cycle: c}
	s.waiting[c.pod.UID] = w
	for _, p := range waits {
		why := fmt.Sprintf("rejected due to timeout after waiting %v at plugin %v", p.Timeout, p.Plugin)
		label := loop.Label{Component: Component, Action: "permit by " + p.Plugin + " runs out", Object: c.decision.Pod.ID()}
		timer := s.loop.After(p.Timeout, label, func() { s.RejectWaiting(c.pod.UID, p.Plugin, why) })
		w.timers = append(w.timers, permitTimer{p.Plugin, timer})
	}
	// Others (the cluster's operator, a person) should know where it is going to be.
	s.patchStatus(c.pod.Pod, nil, framework.Nomination{Override: true, Node: c.node})
}

// AllowWaiting is a Permit plugin's consent to a waiting pod. The last one needed has it bound.
func (s *Scheduler) AllowWaiting(uid types.UID, plugin string) {
	w := s.waiting[uid]
	if w == nil {
		return
	}
	w.timers = slices.DeleteFunc(w.timers, func(t permitTimer) bool {
		return t.plugin == plugin && (t.timer.Stop() || true)
	})
	if len(w.timers) == 0 {
		s.endWait(w, framework.Status{})
	}
}

// RejectWaiting ends the wait of a pod without binding it. It reports whether the pod was waiting.
func (s *Scheduler) RejectWaiting(uid types.UID, plugin, why string) bool {
	w := s.waiting[uid]
	if w == nil {
		return false
	}
	s.endWait(w, framework.NewStatus(framework.Unschedulable, plugin, why))
	return true
}

// endWait finishes the cycle in a task and span of its own.
func (s *Scheduler) endWait(w *waitingPod, st framework.Status) {
	c := w.cycle
	delete(s.waiting, c.pod.UID)
	for _, t := range w.timers {
		t.timer.Stop()
	}
	label := loop.Label{Component: Component, Action: "bind", Object: c.decision.Pod.ID()}
	s.loop.Post(label, func() {
		span := s.trace.Begin(Component, trace.Schedule, c.decision.Pod, []trace.Trigger{{Note: "permit"}})
		next := *c.decision
		c.decision = &next
		span.Decision = c.decision
		if st.IsSuccess() {
			st = s.bind(c)
		} else {
			refused := s.refusedOn(c, st)
			s.giveBack(c, st)
			st = refused
		}
		if c.decision.Outcome = Scheduled; !st.IsSuccess() {
			s.fail(c, st, framework.ClearNomination())
		}
		s.decisions.add(c.decision)
		s.trace.End(span, st.Err())
	})
}
