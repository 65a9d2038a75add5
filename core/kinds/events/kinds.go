// Package events holds the kinds of the events.k8s.io group.
package events

import (
	eventsv1 "k8s.io/api/events/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := eventsv1.SchemeGroupVersion
	return kinds.Assemble(strategies(), columns(), []*kinds.Kind{
		kinds.Of[eventsv1.Event, eventsv1.EventList](v1, kinds.Kind{Resource: "events", ShortNames: []string{"ev"}, Namespaced: true}),
	})
}
