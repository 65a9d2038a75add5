package queue

import (
	"slices"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
	"terrarium/core/trace"
)

// inFlight is the pods being scheduled and the events since the oldest of them was popped, in one list in
// order of time: a pod that comes back looks at the events behind its own entry.
type inFlight struct{ list []flight }

type flight struct {
	item *item // a pod that was popped here, or nil for an event
	event
}

type event struct {
	event    framework.ClusterEvent
	old, new kinds.Object
	cause    trace.Trigger
}

func (f *inFlight) any() bool { return len(f.list) > 0 }

func (f *inFlight) add(it *item) { f.list = append(f.list, flight{item: it}) }

// note keeps an event for the pods in flight.
func (f *inFlight) note(e event) {
	if f.any() {
		f.list = append(f.list, flight{event: e})
	}
}

func (f *inFlight) find(it *item) int {
	return slices.IndexFunc(f.list, func(x flight) bool { return x.item == it })
}

// since returns the events that came while the pod was in flight.
func (f *inFlight) since(it *item) []event {
	var out []event
	for _, x := range f.list[f.find(it)+1:] {
		if x.item == nil {
			out = append(out, x.event)
		}
	}
	return out
}

// remove takes a pod out, and the events that nobody waits for any more.
func (f *inFlight) remove(it *item) {
	if i := f.find(it); i >= 0 {
		f.list = slices.Delete(f.list, i, i+1)
	}
	oldest := slices.IndexFunc(f.list, func(x flight) bool { return x.item != nil })
	if oldest < 0 {
		oldest = len(f.list)
	}
	f.list = slices.Delete(f.list, 0, oldest)
}
