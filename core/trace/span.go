// Package trace records what caused what: request -> revision -> event -> key -> reconcile -> request.
//
// A Span is one piece of work: a reconcile, a scheduling cycle, a pod sync, a request from outside. While
// it is open, every request made belongs to it, so every commit knows the span that made it, and every
// span knows the events (each with its own span) that triggered it. Walking triggers backwards answers
// "why?".
//
// It promises: spans are numbered in the order they begin; the oldest are dropped when there are too many
// (Config.Keep); the hash covers every commit and span of the run, kept or not.
package trace

import (
	"time"

	"terrarium/core/kinds"
)

// A SpanID numbers spans from 1 in the order they began. 0 is no span.
type SpanID uint64

// A Kind says what sort of work a span is.
type Kind uint8

const (
	Request   Kind = iota + 1 // a request from outside: editor, kubectl, a button
	Reconcile                 // a controller working on one key
	Schedule                  // one scheduling cycle for one pod
	Sync                      // a kubelet working on one pod or its node
)

// String returns the name the timeline shows.
func (k Kind) String() string {
	switch k {
	case Request:
		return "request"
	case Reconcile:
		return "reconcile"
	case Schedule:
		return "schedule"
	case Sync:
		return "sync"
	}
	return "unknown"
}

// A Trigger is one reason for a span: a change that was seen, or a timer or retry (Key empty).
type Trigger struct {
	Key      kinds.Key
	Revision kinds.Revision
	Type     string // "ADDED", "MODIFIED", "DELETED", "SYNC", or "" for Note
	Note     string // for what is not a change: "retry 2", "progress deadline"
	Span     SpanID // the span that made the change, 0 if unknown
}

// A Read is something a span looked at.
type Read struct {
	Verb  string // "get" or "list"
	Key   kinds.Key
	Count int // objects found
}

// A Write is one request of a span that changed something or tried to. Before and After are shared with
// the store and immutable; Before is nil for a create, After for a delete that took effect.
type Write struct {
	Verb        string // "create", "update", "patch", "delete", "bind", ...
	Key         kinds.Key
	Subresource string
	Revision    kinds.Revision
	Before      kinds.Object
	After       kinds.Object
	Err         string
}

// A Step is a named stage of a span with what it found: a step of the request path, a scheduler plugin.
type Step struct{ Name, Detail string }

// A Span is one piece of work. Its fields are read-only to everyone but the Recorder's methods.
type Span struct {
	ID        SpanID
	Parent    SpanID // the span that was open when this one began
	Component string // "deployment-controller", "default-scheduler", "kubelet", "admin"
	Kind      Kind
	Key       kinds.Key // what it works on
	Node      string    // for kubelets
	Start     time.Time // virtual
	End       time.Time // Start plus what the requests of the span cost; zero while open
	Triggers  []Trigger
	Reads     []Read
	Writes    []Write
	Steps     []Step
	Decision  any // a scheduler's full decision, or nil
	Err       string

	cost     time.Duration
	parallel int           // >0 inside Parallel: requests cost the longest, not the sum
	longest  time.Duration // of the running Parallel
}

// Cost is how long the requests made so far take in virtual time.
func (s *Span) Cost() time.Duration { return s.cost }
