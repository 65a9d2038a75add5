package queue

import (
	"cmp"
	"slices"
	"time"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
)

// An Entry is a pod of the queue as people see it.
type Entry struct {
	Pod           kinds.Key
	Part          string // "active", "backoff", "unschedulable" or "in-flight"
	Gated         bool
	Attempts      int
	Since         time.Time
	BackoffUntil  time.Time       // zero when there is no back-off
	Unschedulable framework.Names // plugins that refused it
}

// Entries returns the pods of the queue in the order they came.
func (q *Queue) Entries() []Entry {
	items := make([]*item, 0, len(q.pods))
	for _, it := range q.pods {
		items = append(items, it)
	}
	slices.SortFunc(items, func(a, b *item) int { return cmp.Compare(a.seq, b.seq) })
	out := make([]Entry, len(items))
	for i, it := range items {
		out[i] = Entry{
			Pod:  kinds.Key{Resource: "pods", Namespace: it.Pod.Namespace, Name: it.Pod.Name},
			Part: it.part.String(), Gated: it.Gated(), Attempts: it.Attempts, Since: it.Timestamp,
			Unschedulable: it.Unschedulable,
		}
		if it.part == inBackoff || it.part == inErrorBackoff {
			out[i].BackoffUntil = q.backoffTime(it).Add(backoffWindow)
		}
	}
	return out
}
