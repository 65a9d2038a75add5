// Package workqueue holds the keys that a controller has still to look at.
//
// It promises, as client-go's work queue does: a key waits in the queue at most once however often it is
// added; a key handed out by Get is not handed out again before Done; a key added while it is worked on
// is handed out again after Done; keys come out in the order they went in; delays and retries keep to the
// loop's time. Beyond client-go, the reasons for which a key was added travel with it.
//
// Models client-go util/workqueue queue.go, delaying_queue.go, default_rate_limiters.go.
package workqueue

import (
	"time"

	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/trace"
)

// maxTriggers bounds the reasons kept for a key that waits; the newest are dropped.
const maxTriggers = 8

// Config says how a queue behaves. Its zero value is upstream's default controller rate limiter.
type Config struct {
	Name string // shown with pending retries
	// BaseDelay and MaxDelay bound the exponential delay of a key that keeps failing.
	BaseDelay time.Duration // default 5 ms
	MaxDelay  time.Duration // default 1000 s
}

// A Queue is a set of keys to work on, in order.
type Queue struct {
	cfg  Config
	loop *loop.Loop
	wake func() // called when a key became ready

	ready   []kinds.Key                   // each is in dirty and not in working
	dirty   map[kinds.Key][]trace.Trigger // must be looked at (again), and why
	working map[kinds.Key]bool            // handed out by Get and not yet Done; may also be dirty

	waiting  map[kinds.Key]*loop.Timer // delayed adds: at most one a key, the soonest
	failures map[kinds.Key]int
}

// An Item is a key handed out, with the reasons it was added.
type Item struct {
	Key      kinds.Key
	Triggers []trace.Trigger
}

// New returns an empty queue on l.
func New(l *loop.Loop, cfg Config) *Queue {
	if cfg.BaseDelay == 0 {
		cfg.BaseDelay = 5 * time.Millisecond
	}
	if cfg.MaxDelay == 0 {
		cfg.MaxDelay = 1000 * time.Second
	}
	return &Queue{
		cfg: cfg, loop: l, wake: func() {},
		dirty:    make(map[kinds.Key][]trace.Trigger),
		working:  make(map[kinds.Key]bool),
		waiting:  make(map[kinds.Key]*loop.Timer),
		failures: make(map[kinds.Key]int),
	}
}

// OnReady sets what is called whenever a key becomes ready; it must only post to the loop.
func (q *Queue) OnReady(f func()) { q.wake = f }

// Add puts key in the queue unless it waits there already.
func (q *Queue) Add(key kinds.Key, why trace.Trigger) {
	triggers, isDirty := q.dirty[key]
	if len(triggers) < maxTriggers {
		q.dirty[key] = append(triggers, why)
	}
	if isDirty || q.working[key] {
		return
	}
	q.ready = append(q.ready, key)
	q.wake()
}

// AddAfter adds key once d has passed; of several such calls for one key the soonest counts. note tells
// a person what the timer is for.
func (q *Queue) AddAfter(key kinds.Key, d time.Duration, note string) {
	if d <= 0 {
		q.Add(key, trace.Trigger{Note: note})
		return
	}
	at := q.loop.Now().Add(d)
	if t := q.waiting[key]; t != nil {
		if !at.Before(t.Due()) {
			return
		}
		t.Stop()
	}
	label := loop.Label{Component: q.cfg.Name, Action: note, Object: key.ID()}
	q.waiting[key] = q.loop.At(at, label, func() {
		delete(q.waiting, key)
		q.Add(key, trace.Trigger{Note: note})
	})
}

// AddRateLimited adds key after a delay that doubles with each call since the last Forget.
func (q *Queue) AddRateLimited(key kinds.Key) {
	n := q.failures[key]
	q.failures[key] = n + 1
	d := q.cfg.MaxDelay
	if n < 40 { // 5 ms << 40 is still far from overflow
		d = min(d, q.cfg.BaseDelay<<n)
	}
	q.AddAfter(key, d, "retry")
}

// Forget ends the history of failures of key.
func (q *Queue) Forget(key kinds.Key) { delete(q.failures, key) }

// NumRequeues returns how often key failed since the last Forget.
func (q *Queue) NumRequeues(key kinds.Key) int { return q.failures[key] }

// Get hands out the next key; ok is false when none is ready. The caller must call Done.
func (q *Queue) Get() (item Item, ok bool) {
	if len(q.ready) == 0 {
		return Item{}, false
	}
	key := q.ready[0]
	q.ready = q.ready[1:]
	item = Item{key, q.dirty[key]}
	delete(q.dirty, key)
	q.working[key] = true
	return item, true
}

// Done says that the work on key has ended; if it was added meanwhile it becomes ready again.
func (q *Queue) Done(key kinds.Key) {
	delete(q.working, key)
	if _, again := q.dirty[key]; again {
		q.ready = append(q.ready, key)
		q.wake()
	}
}

// Len returns how many keys are ready.
func (q *Queue) Len() int { return len(q.ready) }
