package queue

import (
	"time"

	"terrarium/core/loop"
	"terrarium/core/scheduler/framework"
	"terrarium/core/trace"
)

// requeue puts an item that is nowhere or unschedulable where the verdict says, and returns where that is.
func (q *Queue) requeue(it *item, v verdict) part {
	switch {
	case v == skip:
		if it.part != inUnschedulable {
			q.toUnschedulable(it)
		}
		return it.part
	case v == afterBackoff && q.isBackingOff(it):
		q.toBackoff(it)
	default:
		q.toActive(it)
	}
	return it.part
}

// toActive puts an item into the active part unless a plugin gates it.
func (q *Queue) toActive(it *item) {
	if q.gated(it) {
		return
	}
	q.take(it)
	if it.InitialAttempt.IsZero() {
		it.InitialAttempt = q.loop.Now()
	}
	it.part = inActive
	q.active.push(it)
	q.cfg.Wake()
}

// toBackoff puts an item into the back-off part unless a plugin gates it. Items come straight from there
// to the scheduler, so the gate is checked here.
func (q *Queue) toBackoff(it *item) {
	if q.gated(it) {
		return
	}
	q.take(it)
	if len(it.Unschedulable) == 0 && len(it.Pending) == 0 {
		it.part = inErrorBackoff
		q.errors.push(it)
	} else {
		it.part = inBackoff
		q.backoff.push(it)
	}
	q.armBackoff()
}

func (q *Queue) toUnschedulable(it *item) {
	q.take(it)
	it.part, it.index = inUnschedulable, len(q.waiting)
	q.waiting = append(q.waiting, it)
	q.armFlush()
}

// gated asks the PreEnqueue plugins, the one that gates the item first. A gated item goes to the
// unschedulable part.
func (q *Queue) gated(it *item) bool {
	plugins := it.profile.framework.PreEnqueue()
	gate := ""
	for pass := 0; pass < 2 && gate == ""; pass++ {
		for _, p := range plugins {
			if first := p.Name() == it.GatingPlugin; first != (pass == 0) {
				continue
			}
			if s := p.PreEnqueue(it.Pod); !s.IsSuccess() {
				gate = p.Name()
				break
			}
		}
	}
	it.GatingPlugin = gate
	if gate == "" {
		return false
	}
	it.Unschedulable = it.Unschedulable.Add(gate)
	if it.part != inUnschedulable {
		q.toUnschedulable(it)
	}
	return true
}

// take takes an item out of its part.
func (q *Queue) take(it *item) {
	switch it.part {
	case inActive:
		q.active.remove(it)
	case inBackoff:
		q.backoff.remove(it)
	case inErrorBackoff:
		q.errors.remove(it)
	case inUnschedulable:
		last := len(q.waiting) - 1
		q.waiting[it.index] = q.waiting[last]
		q.waiting[it.index].index = it.index
		q.waiting[last] = nil
		q.waiting = q.waiting[:last]
	}
	it.part = nowhere
}

// fix restores the order after an item changed.
func (q *Queue) fix(it *item) {
	switch it.part {
	case inActive:
		q.active.fix(it)
	case inBackoff:
		q.backoff.fix(it)
	case inErrorBackoff:
		q.errors.fix(it)
	}
}

func (q *Queue) lessBackoff(a, b *item, tie func(a, b *item) bool) bool {
	ta, tb := q.backoffTime(a), q.backoffTime(b)
	if !ta.Equal(tb) {
		return ta.Before(tb)
	}
	return tie(a, b)
}

// backoffTime returns the window in which the item's back-off ends; the zero time means that it has none.
// Models pkg/scheduler/backend/queue backoffQueue.getBackoffTime.
func (q *Queue) backoffTime(it *item) time.Time {
	count := it.UnschedulableCount
	if it.ConsecutiveErrorsCount > 0 {
		count = it.ConsecutiveErrorsCount
	}
	if count == 0 || q.cfg.MaxBackoff < 0 {
		return time.Time{}
	}
	if it.BackoffExpiration.IsZero() {
		it.BackoffExpiration = it.Timestamp.Add(q.backoffDuration(count)).Truncate(backoffWindow)
	}
	return it.BackoffExpiration
}

func (q *Queue) backoffDuration(count int) time.Duration {
	shift := count - 1
	if q.cfg.InitialBackoff > q.cfg.MaxBackoff>>shift {
		return q.cfg.MaxBackoff
	}
	return q.cfg.InitialBackoff << shift
}

func (q *Queue) isBackingOff(it *item) bool {
	return !q.backoffTime(it).Before(q.loop.Now().Truncate(backoffWindow))
}

// armBackoff sets the timer to the first whole second at which a back-off is over.
func (q *Queue) armBackoff() {
	var at time.Time
	var head *item
	for _, h := range [...]*heap{&q.backoff, &q.errors} {
		if len(h.items) == 0 {
			continue
		}
		if t := q.backoffTime(h.items[0]).Add(backoffWindow); head == nil || t.Before(at) {
			at, head = t, h.items[0]
		}
	}
	if head == nil || (q.backoffTimer != nil && q.backoffTimer.Due().Equal(at)) {
		return
	}
	q.backoffTimer.Stop()
	label := loop.Label{Component: q.cfg.Component, Action: "back-off ends", Object: head.Pod.Namespace + "/" + head.Pod.Name}
	q.backoffTimer = q.loop.At(at, label, q.flushBackoff)
}

func (q *Queue) flushBackoff() {
	q.backoffTimer = nil
	for _, h := range [...]*heap{&q.backoff, &q.errors} {
		for len(h.items) > 0 && !q.isBackingOff(h.items[0]) {
			it := h.items[0]
			q.take(it)
			it.part = inActive // gates were checked on the way into the back-off part
			q.active.push(it)
			q.cfg.Wake()
		}
	}
	q.armBackoff()
}

// armFlush sets the timer to the next of the half-minute ticks at which a pod has waited too long.
func (q *Queue) armFlush() {
	if q.flushTimer != nil || len(q.waiting) == 0 {
		return
	}
	oldest := q.waiting[0]
	for _, it := range q.waiting {
		if waitingSince(it).Before(waitingSince(oldest)) {
			oldest = it
		}
	}
	due := waitingSince(oldest).Add(q.cfg.MaxUnschedulable) // passed, not only reached
	ticks := due.Sub(q.started)/flushInterval + 1
	label := loop.Label{Component: q.cfg.Component, Action: "retry pods that wait too long", Object: oldest.Pod.Namespace + "/" + oldest.Pod.Name}
	q.flushTimer = q.loop.At(q.started.Add(ticks*flushInterval), label, q.flushUnschedulable)
}

func waitingSince(it *item) time.Time {
	if it.FlushedAt.After(it.Timestamp) {
		return it.FlushedAt
	}
	return it.Timestamp
}

func (q *Queue) flushUnschedulable() {
	q.flushTimer = nil
	now := q.loop.Now()
	late := make(map[*item]bool)
	for _, it := range q.waiting {
		if now.Sub(waitingSince(it)) > q.cfg.MaxUnschedulable {
			it.FlushedAt, late[it] = now, true
		}
	}
	timeout := event{event: framework.EventUnschedulableTimeout(), cause: trace.Trigger{Note: "waited " + q.cfg.MaxUnschedulable.String()}}
	q.move(timeout, func(it *item) bool { return late[it] })
	q.armFlush()
}
