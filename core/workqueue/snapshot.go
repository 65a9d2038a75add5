package workqueue

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"terrarium/core/kinds"
)

// A Delayed is a key that will be added later.
type Delayed struct {
	Key     kinds.Key
	At      time.Time
	Retries int
}

// A Snapshot is what a queue holds at one moment, for a person to look at.
type Snapshot struct {
	Ready   []kinds.Key // in the order they will come out
	Working []kinds.Key
	Waiting []Delayed // soonest first
}

// Snapshot returns what the queue holds now.
func (q *Queue) Snapshot() Snapshot {
	s := Snapshot{Ready: slices.Clone(q.ready)}
	s.Working = slices.SortedFunc(maps.Keys(q.working), compareKeys)
	for _, key := range slices.SortedFunc(maps.Keys(q.waiting), compareKeys) {
		s.Waiting = append(s.Waiting, Delayed{key, q.waiting[key].Due(), q.failures[key]})
	}
	slices.SortStableFunc(s.Waiting, func(a, b Delayed) int { return a.At.Compare(b.At) })
	return s
}

func compareKeys(a, b kinds.Key) int {
	return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}
