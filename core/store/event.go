package store

import (
	"terrarium/core/kinds"
	"terrarium/core/trace"
)

// An EventType says what a commit did, in the words of the watch protocol.
type EventType string

const (
	Added    EventType = "ADDED"
	Modified EventType = "MODIFIED"
	Deleted  EventType = "DELETED"
)

// An Event is one commit. Its objects are shared and immutable.
type Event struct {
	Type EventType
	Key  kinds.Key
	// Object is the state committed. For Deleted it is the last state, with the deletion's revision as
	// its resourceVersion.
	Object kinds.Object
	// Old is the state before; nil for Added.
	Old      kinds.Object
	Revision kinds.Revision
	Span     trace.SpanID // the span that committed, 0 if none
}
