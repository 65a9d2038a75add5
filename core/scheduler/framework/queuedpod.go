package framework

import (
	"slices"
	"time"

	"terrarium/core/trace"
)

// A QueuedPod is a pod in the scheduling queue.
type QueuedPod struct {
	*PodInfo

	// Timestamp is when the pod came into the queue (again). Order among equal priorities.
	Timestamp time.Time
	// InitialAttempt is when the pod first entered the active queue; zero before.
	InitialAttempt time.Time
	Attempts       int

	UnschedulableCount     int // refusals so far: the back-off grows with it
	ConsecutiveErrorsCount int // errors since the last refusal; counts instead when above zero
	BackoffExpiration      time.Time

	Unschedulable Names // plugins that refused in the last attempt, or gate the pod
	Pending       Names // plugins that answered Pending
	GatingPlugin  string
	FlushedAt     time.Time // when the pod last left the unschedulable part for waiting too long

	// Triggers are why the pod is to be tried (again): its creation, the events that moved it.
	Triggers []trace.Trigger
}

// maxTriggers bounds QueuedPod.Triggers.
const maxTriggers = 8

// Because adds a trigger, unless it is known or there are many.
func (q *QueuedPod) Because(t trace.Trigger) {
	if (t != trace.Trigger{}) && len(q.Triggers) < maxTriggers && !slices.Contains(q.Triggers, t) {
		q.Triggers = append(q.Triggers, t)
	}
}

// Gated reports whether a PreEnqueue plugin holds the pod back.
func (q *QueuedPod) Gated() bool { return q.GatingPlugin != "" }

// Names are plugin names, each once, in the order they were added.
type Names []string

// Has reports whether name is among them.
func (n Names) Has(name string) bool { return slices.Contains(n, name) }

// Add returns the names with name among them.
func (n Names) Add(name string) Names {
	if name == "" || n.Has(name) {
		return n
	}
	return append(slices.Clip(n), name)
}
