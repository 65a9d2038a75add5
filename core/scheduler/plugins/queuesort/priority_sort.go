// Package queuesort orders the active queue: higher priority first, then longer waiting.
package queuesort

import "terrarium/core/scheduler/framework"

// Name is the plugin's name in profiles.
const Name = "PrioritySort"

// PrioritySort is the plugin.
type PrioritySort struct{}

var _ framework.QueueSortPlugin = PrioritySort{}

// Name returns the plugin's name.
func (PrioritySort) Name() string { return Name }

// Less reports whether a is scheduled before b.
func (PrioritySort) Less(a, b *framework.QueuedPod) bool {
	if a.Priority != b.Priority {
		return a.Priority > b.Priority
	}
	return a.Timestamp.Before(b.Timestamp)
}
