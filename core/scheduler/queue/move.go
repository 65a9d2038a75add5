package queue

import (
	"slices"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
	"terrarium/core/trace"
)

// Interested reports whether anyone may care for an event now: working one out can be spared otherwise.
func (q *Queue) Interested() bool { return len(q.waiting) > 0 || q.inFlight.any() }

// Move moves the pods on that an event may help. only, if not nil, limits it to the pods for which it
// returns true.
func (q *Queue) Move(e framework.ClusterEvent, old, new kinds.Object, cause trace.Trigger, only func(*framework.PodInfo) bool) {
	if !q.Interested() || !q.ofInterest(e) {
		return
	}
	ev := event{e, old, new, cause}
	q.move(ev, func(it *item) bool { return only == nil || only(it.PodInfo) })
	q.inFlight.note(ev)
}

func (q *Queue) ofInterest(e framework.ClusterEvent) bool {
	if e.IsWildCard() {
		return true
	}
	for _, p := range q.profiles {
		if p.registered(e) {
			return true
		}
	}
	return false
}

func (q *Queue) move(e event, only func(*item) bool) {
	moved := false
	for _, it := range slices.Clone(q.waiting) {
		if !only(it) || it.part != inUnschedulable {
			continue
		}
		if it.Gated() && !e.event.IsWildCard() && !it.profile.registeredBy(it.GatingPlugin, e.event) {
			continue
		}
		v := it.profile.worth(it, e)
		if v == skip {
			continue
		}
		it.Because(e.cause)
		moved = q.requeue(it, v) != inUnschedulable || moved
	}
	if moved {
		q.cfg.Wake()
	}
}
