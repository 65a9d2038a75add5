// Package queue holds the pods that wait to be scheduled.
//
// The queue has three parts. The active part holds pods to schedule now, by the profile's order. The
// back-off part holds pods that were refused or failed and whose pause is not over: 1 s after the first
// failure, doubling to 10 s. The unschedulable part holds pods that no known change would help, and gated
// pods; a cluster event that a refusing plugin registered for, or five minutes, moves them on.
//
//	        Add, hint ┌────────┐ Pop
//	   ┌─────────────▶│ active │──────▶ in flight ──┐ AddUnschedulable
//	   │              └────────┘                    │
//	   │        pause over ▲ (or active empty)      │ an event came meanwhile
//	┌──┴────────────┐  ┌───┴──────┐◀────────────────┤
//	│ unschedulable │─▶│ back-off │                 │ nothing came
//	└───────────────┘  └──────────┘                 │
//	        ▲───────────────────────────────────────┘
//
// It promises: a pod is in at most one part; among pods that the profile's order calls equal, first come is
// first served.
//
// Models pkg/scheduler/backend/queue PriorityQueue.
// Differs: no pod groups; waiting pods are visited in a fixed order; there are no idle tickers: a timer
// stands only while something waits for it, at the tick at which upstream would act.
package queue

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/loop"
	"terrarium/core/scheduler/framework"
	"terrarium/core/trace"
)

// The defaults of kube-scheduler.
const (
	DefaultInitialBackoff   = 1 * time.Second
	DefaultMaxBackoff       = 10 * time.Second
	DefaultMaxUnschedulable = 5 * time.Minute
	flushInterval           = 30 * time.Second
	backoffWindow           = time.Second
)

// Config describes a queue. The zero durations mean the defaults.
type Config struct {
	Loop *loop.Loop
	// Component is who the queue's timers belong to.
	Component string
	// Profiles by spec.schedulerName.
	Profiles map[string]*framework.Framework
	// Wake is called when there may be something to Pop. It must only mark or post.
	Wake func()

	InitialBackoff   time.Duration
	MaxBackoff       time.Duration
	MaxUnschedulable time.Duration
}

// A Queue holds the pods that wait to be scheduled.
type Queue struct {
	cfg      Config
	loop     *loop.Loop
	started  time.Time
	seq      uint64
	profiles map[string]*profile

	pods     map[types.UID]*item // every pod known here, in whatever part
	active   heap
	backoff  heap
	errors   heap // back-off after errors: not popped early
	waiting  []*item
	inFlight inFlight

	*Nominator

	backoffTimer *loop.Timer
	flushTimer   *loop.Timer
}

// part says where an item is.
type part uint8

const (
	nowhere part = iota
	inActive
	inBackoff
	inErrorBackoff
	inUnschedulable
	isInFlight
)

// String names the part as kube-scheduler's metrics do.
func (p part) String() string {
	return [...]string{"none", "active", "backoff", "backoff", "unschedulable", "in-flight"}[p]
}

// An item is a pod of the queue.
type item struct {
	framework.QueuedPod
	seq     uint64 // order of arrival
	part    part
	index   int // in its part
	profile *profile
}

// New returns an empty queue.
func New(cfg Config) *Queue {
	orDefault := func(d *time.Duration, def time.Duration) {
		if *d == 0 {
			*d = def
		}
	}
	orDefault(&cfg.InitialBackoff, DefaultInitialBackoff)
	orDefault(&cfg.MaxBackoff, DefaultMaxBackoff)
	orDefault(&cfg.MaxUnschedulable, DefaultMaxUnschedulable)
	q := &Queue{
		cfg: cfg, loop: cfg.Loop, started: cfg.Loop.Now(),
		pods: make(map[types.UID]*item), profiles: make(map[string]*profile, len(cfg.Profiles)),
		Nominator: newNominator(),
	}
	for name, f := range cfg.Profiles {
		q.profiles[name] = newProfile(f)
	}
	q.active.less = lessActive
	q.backoff.less = func(a, b *item) bool { return q.lessBackoff(a, b, lessActive) }
	q.errors.less = func(a, b *item) bool { return q.lessBackoff(a, b, earlier) }
	return q
}

// Handles reports whether pods with that spec.schedulerName belong here.
func (q *Queue) Handles(schedulerName string) bool { return q.profiles[schedulerName] != nil }

// lessActive orders by the profile, then by arrival.
func lessActive(a, b *item) bool {
	f := a.profile.framework
	if f.Less(&a.QueuedPod, &b.QueuedPod) {
		return true
	}
	return a.seq < b.seq && !f.Less(&b.QueuedPod, &a.QueuedPod)
}

func earlier(a, b *item) bool { return a.seq < b.seq }

// Add puts a new pod into the queue. It panics when no profile is named like the pod's scheduler: ask
// Handles.
func (q *Queue) Add(pod *corev1.Pod, cause trace.Trigger) {
	p := q.profiles[pod.Spec.SchedulerName]
	if p == nil {
		panic("BUG: queue: no profile " + pod.Spec.SchedulerName)
	}
	if old := q.pods[pod.UID]; old != nil {
		q.Update(old.Pod, pod, cause)
		return
	}
	q.seq++
	it := &item{seq: q.seq, profile: p}
	it.PodInfo = framework.NewPodInfo(pod)
	it.Timestamp = q.loop.Now()
	it.Because(cause)
	q.pods[pod.UID] = it
	q.Nominate(it.PodInfo, framework.Nomination{})
	q.toActive(it)
}

// Delete removes a pod that is gone or bound.
func (q *Queue) Delete(pod *corev1.Pod) {
	q.Unnominate(pod.UID)
	it := q.pods[pod.UID]
	if it == nil || it.part == isInFlight {
		return // the cycle that has it in hand says Done
	}
	q.take(it)
	delete(q.pods, pod.UID)
}

// Update takes in a newer state of a pod. A pod in the unschedulable part moves on if a plugin that
// refused it says that the update may help.
func (q *Queue) Update(old, new *corev1.Pod, cause trace.Trigger) {
	it := q.pods[new.UID]
	if it == nil {
		q.Add(new, cause)
		return
	}
	events := framework.PodChanges(old, new, true)
	if it.part == isInFlight {
		// The cycle goes on with the state it has. Should the pod come back, this may have helped.
		for _, e := range events {
			q.inFlight.note(event{e, old, new, cause})
		}
		return
	}
	it.PodInfo = it.PodInfo.Renew(new)
	q.renominate(old, it.PodInfo)
	if it.part != inUnschedulable {
		q.fix(it)
		return
	}
	for _, e := range events {
		v := it.profile.worth(it, event{e, old, new, cause})
		if v != skip {
			it.Because(cause)
		}
		if q.requeue(it, v) != inUnschedulable {
			q.cfg.Wake()
			return
		}
	}
}

// Activate moves a pod to the active part because a plugin says so. It reports whether the pod is here.
func (q *Queue) Activate(uid types.UID) bool {
	it := q.pods[uid]
	if it == nil {
		return false
	}
	switch it.part {
	case isInFlight:
		q.inFlight.note(event{event: framework.EventForceActivate(), new: it.Pod})
	case inUnschedulable, inBackoff, inErrorBackoff:
		q.take(it)
		q.toActive(it)
	}
	return true
}

// Peek returns the pod that Pop would return, or nil.
func (q *Queue) Peek() *framework.QueuedPod {
	if it := q.next(); it != nil {
		return &it.QueuedPod
	}
	return nil
}

// next is the first active pod or, when there is none, the one whose back-off ends first: nobody gains
// from an idle scheduler.
func (q *Queue) next() *item {
	if len(q.active.items) > 0 {
		return q.active.items[0]
	}
	if len(q.backoff.items) > 0 {
		return q.backoff.items[0]
	}
	return nil
}

// Pop takes the next pod to schedule, or nil. The caller must call AddUnschedulable or Done for it.
func (q *Queue) Pop() *framework.QueuedPod {
	it := q.next()
	if it == nil {
		return nil
	}
	q.take(it)
	it.Attempts++
	it.part = isInFlight
	q.inFlight.add(it)
	return &it.QueuedPod
}

// Done says that a popped pod does not come back.
func (q *Queue) Done(uid types.UID) {
	if it := q.pods[uid]; it != nil && it.part == isInFlight {
		q.inFlight.remove(it)
		it.part = nowhere
		delete(q.pods, uid)
	}
}

// AddUnschedulable puts a popped pod back that could not be scheduled. pod is its newest state; by and
// pending are the plugins that refused it, none when something unexpected happened.
func (q *Queue) AddUnschedulable(pod *corev1.Pod, by, pending framework.Names) {
	it := q.pods[pod.UID]
	if it == nil || it.part != isInFlight {
		return
	}
	it.Unschedulable, it.Pending = by, pending
	it.PodInfo = it.PodInfo.Renew(pod)
	if len(by) == 0 && len(pending) == 0 {
		it.ConsecutiveErrorsCount++
	} else {
		it.UnschedulableCount++
		it.ConsecutiveErrorsCount = 0
	}
	it.Timestamp = q.loop.Now()
	it.BackoffExpiration, it.FlushedAt = time.Time{}, time.Time{}
	it.Triggers = nil
	q.seq++
	it.seq = q.seq

	verdict := q.sinceInFlight(it)
	q.inFlight.remove(it)
	it.part = nowhere
	if q.requeue(it, verdict) != inUnschedulable {
		q.cfg.Wake()
	}
}

// sinceInFlight judges by the events that came while the pod was in flight.
func (q *Queue) sinceInFlight(it *item) verdict {
	if len(it.Unschedulable) == 0 && len(it.Pending) == 0 {
		it.Because(trace.Trigger{Note: "retry " + strconv.Itoa(it.ConsecutiveErrorsCount)})
		return afterBackoff
	}
	best := skip
	for _, e := range q.inFlight.since(it) {
		v := it.profile.worth(it, e)
		if v != skip {
			it.Because(e.cause)
		}
		if best = max(best, v); best == immediately {
			break
		}
	}
	return best
}
