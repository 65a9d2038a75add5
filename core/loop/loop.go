// Package loop holds the cluster's only clock and only source of randomness.
//
// A Loop is a heap of tasks ordered by (virtual time, sequence number). Everything that happens in a
// cluster is a task; waiting is "return and be called again".
//
// It promises: tasks run one at a time, in order of due time and then in the order they were added; the
// clock never goes back and stands still while a task runs; one seed and one order of calls give one
// history, natively and in wasm.
//
// It does not promise to be safe for concurrent use: one goroutine owns a Loop.
package loop

import (
	"container/heap"
	"time"
)

// A Label says, to a person, what a task is for.
type Label struct {
	Component string // who: "replicaset-controller", "kubelet"
	Action    string // what, in a few words: "reconcile", "heartbeat", "crash-loop back-off ends"
	Object    string // on what: "default/web-x", or empty
}

// A Loop runs tasks in virtual time.
type Loop struct {
	now   time.Time
	seq   uint64
	ran   uint64
	tasks taskHeap
	rand  streams
}

// New returns a loop whose clock stands at start. Everything random in it follows from seed.
func New(start time.Time, seed uint64) *Loop {
	return &Loop{now: start, rand: newStreams(seed)}
}

// Now returns the virtual time.
func (l *Loop) Now() time.Time { return l.now }

// Ran returns how many tasks have run.
func (l *Loop) Ran() uint64 { return l.ran }

// A Timer is a task that has not run yet.
type Timer struct {
	loop  *Loop
	at    time.Time
	nanos int64 // at, since 1970: quicker to compare
	seq   uint64
	label Label
	fn    func()
	index int // in the heap; -1 once it ran or was stopped
}

// Due returns when the timer's task runs.
func (t *Timer) Due() time.Time { return t.at }

// Stop takes the task off the loop. It reports whether the task was still waiting.
func (t *Timer) Stop() bool {
	if t == nil || t.index < 0 {
		return false
	}
	heap.Remove(&t.loop.tasks, t.index)
	t.fn = nil
	return true
}

// At adds a task that is due at the given time, or now if that has passed.
func (l *Loop) At(at time.Time, label Label, fn func()) *Timer {
	if at.Before(l.now) {
		at = l.now
	}
	l.seq++
	t := &Timer{loop: l, at: at, nanos: at.UnixNano(), seq: l.seq, label: label, fn: fn}
	heap.Push(&l.tasks, t)
	return t
}

// After adds a task that is due d from now.
func (l *Loop) After(d time.Duration, label Label, fn func()) *Timer {
	return l.At(l.now.Add(d), label, fn)
}

// Post adds a task that is due now, behind those already due now.
func (l *Loop) Post(label Label, fn func()) *Timer { return l.At(l.now, label, fn) }

// Next returns when the next task is due; ok is false when there is none.
func (l *Loop) Next() (at time.Time, ok bool) {
	if len(l.tasks) == 0 {
		return time.Time{}, false
	}
	return l.tasks[0].at, true
}

// Step runs the next task if it is due at or before limit, moving the clock to its time. It returns the
// task's label and whether there was one.
func (l *Loop) Step(limit time.Time) (Label, bool) {
	if len(l.tasks) == 0 || l.tasks[0].at.After(limit) {
		return Label{}, false
	}
	t := heap.Pop(&l.tasks).(*Timer)
	l.now = t.at
	l.ran++
	fn := t.fn
	t.fn = nil
	fn()
	return t.label, true
}

// Run runs every task due at or before until, those added meanwhile included, and leaves the clock at
// until.
func (l *Loop) Run(until time.Time) {
	for {
		if _, ok := l.Step(until); !ok {
			break
		}
	}
	l.AdvanceTo(until)
}

// AdvanceTo moves the clock forward to t without running anything. It does nothing when t has passed or
// when a task is due before t: no task is ever late by its own clock.
func (l *Loop) AdvanceTo(t time.Time) {
	if next, ok := l.Next(); ok && next.Before(t) {
		return
	}
	if t.After(l.now) {
		l.now = t
	}
}

// Slice runs tasks due at or before limit until more returns false, which it asks after every task; the
// caller measures wall time there. It reports whether tasks due by limit are left.
func (l *Loop) Slice(limit time.Time, more func() bool) (left bool) {
	for {
		if _, ok := l.Step(limit); !ok {
			return false
		}
		if !more() {
			next, ok := l.Next()
			return ok && !next.After(limit)
		}
	}
}

// A Pending is a task that waits.
type Pending struct {
	At time.Time
	Label
}

// Pending returns the tasks that wait, in the order they will run, at most limit of them.
func (l *Loop) Pending(limit int) []Pending {
	tasks := l.tasks.sorted(limit)
	out := make([]Pending, len(tasks))
	for i, t := range tasks {
		out[i] = Pending{t.at, t.label}
	}
	return out
}
