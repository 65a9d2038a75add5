// Package why answers why an object of the cluster is as it is, in sentences: from a person's request over
// the controllers, the scheduler and the kubelet to the newest change.
//
// It reads what core/trace kept and promises only that: what a sentence says happened did happen, in that
// order. Where the trace does not reach back far enough (it is bounded, and a restart begins a new one), the
// object's owner references stand in.
package why

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/kinds"
	"terrarium/core/projection/wire"
	"terrarium/core/trace"
)

// A Teller puts spans into words.
type Teller struct {
	trace *trace.Recorder
	kinds *kinds.Registry
	get   func(kinds.Key) (kinds.Object, bool)
}

// New returns a teller. get returns the newest state of an object.
func New(rec *trace.Recorder, reg *kinds.Registry, get func(kinds.Key) (kinds.Object, bool)) *Teller {
	return &Teller{rec, reg, get}
}

// Ref returns the key with the kind of the object it names.
func (t *Teller) Ref(key kinds.Key) wire.Ref {
	kind := key.Resource
	if k := t.kinds.ByStorageResource(key.Resource); k != nil {
		kind = k.GVK.Kind
	}
	return wire.Ref{Resource: key.Resource, Kind: kind, Namespace: key.Namespace, Name: key.Name}
}

const (
	maxLife  = 9  // changes of the object itself that are told
	maxDepth = 16 // causes behind one of them
)

// Explain tells how the object came to be as it is.
func (t *Teller) Explain(key kinds.Key) *wire.Why {
	answer := &wire.Why{Object: t.Ref(key)}
	life := t.life(key)
	story := story{focus: make(map[trace.SpanID][]kinds.Revision)}
	for _, c := range life {
		story.add(c.span, c.write.Revision)
		t.causes(&story, c.span)
	}
	if len(life) == 0 || life[0].write.Before != nil {
		answer.Sentences = t.ownership(key)
	}
	slices.Sort(story.ids)
	for _, id := range story.ids {
		s := t.trace.Span(id)
		if Quiet(s) {
			continue // it only passed on what it saw
		}
		answer.Sentences = append(answer.Sentences, wire.Sentence{
			Text:   Who(s) + " " + t.tell(s, story.focus[id]) + t.because(s) + ".",
			Object: t.Ref(s.Key),
			Span:   uint64(id),
			At:     s.Start.UnixMicro(),
		})
	}
	return answer
}

// A story is a set of spans, each with the revisions that belong to it.
type story struct {
	ids   []trace.SpanID
	focus map[trace.SpanID][]kinds.Revision
}

func (s *story) add(span *trace.Span, revs ...kinds.Revision) (isNew bool) {
	old, known := s.focus[span.ID]
	if !known {
		s.ids = append(s.ids, span.ID)
	}
	s.focus[span.ID] = append(old, revs...)
	return !known
}

// A change is one write to the object that is explained.
type change struct {
	span  *trace.Span
	write *trace.Write
}

// life returns the changes of the newest object of that name: how it came to be and the last ones.
func (t *Teller) life(key kinds.Key) []change {
	var found []change
	for _, s := range t.trace.Spans(0) {
		for i := range s.Writes {
			w := &s.Writes[i]
			if w.Key != key || w.Revision == 0 || heartbeat(w) {
				continue
			}
			if w.Before == nil {
				found = found[:0] // an earlier one of the same name is gone
			}
			found = append(found, change{s, w})
		}
	}
	if len(found) > maxLife {
		found = slices.Delete(found, 1, len(found)-maxLife+1)
	}
	return found
}

// causes adds the chain behind a span to the story.
func (t *Teller) causes(story *story, s *trace.Span) {
	for range maxDepth {
		trigger, cause := t.cause(s)
		if cause == nil {
			return
		}
		isNew := story.add(cause)
		if trigger != nil {
			story.focus[cause.ID] = append(story.focus[cause.ID], trigger.Revision)
		}
		if !isNew {
			return
		}
		s = cause
	}
}

// Cause returns the span that caused s, or nil when it is not known or s has no cause.
func (t *Teller) Cause(s *trace.Span) *trace.Span {
	_, cause := t.cause(s)
	return cause
}

// cause prefers the trigger that is about what s works on; a timer's cause is the span of the same worker
// before it.
func (t *Teller) cause(s *trace.Span) (*trace.Trigger, *trace.Span) {
	var best *trace.Trigger
	for i := range s.Triggers {
		tr := &s.Triggers[i]
		if c := t.Made(tr); c == nil || c.ID >= s.ID {
			continue
		}
		if best == nil || (best.Key != s.Key && tr.Key == s.Key) {
			best = tr
		}
	}
	if best != nil {
		return best, t.Made(best)
	}
	if s.Kind == trace.Request || (len(s.Triggers) > 0 && s.Triggers[0].Key != kinds.Key{}) {
		return nil, nil
	}
	return nil, t.before(s)
}

// Made returns the span that made the change that a trigger is about. What a controller found when it first
// listed names only the revision.
func (t *Teller) Made(tr *trace.Trigger) *trace.Span {
	if tr.Span == 0 && tr.Revision > 0 {
		return t.trace.MadeBy(tr.Revision)
	}
	return t.trace.Span(tr.Span)
}

// before returns the last span of the same component on the same object.
func (t *Teller) before(s *trace.Span) *trace.Span {
	for id := s.ID - 1; ; id-- {
		b := t.trace.Span(id)
		if b == nil {
			return nil
		}
		if b.Key == s.Key && b.Component == s.Component && b.Node == s.Node {
			return b
		}
	}
}

// ownership tells what the object's owner references say.
func (t *Teller) ownership(key kinds.Key) []wire.Sentence {
	var up []wire.Sentence
	for range maxDepth {
		obj, ok := t.get(key)
		if !ok {
			break
		}
		owner, found := kinds.Key{}, false
		for _, ref := range obj.GetOwnerReferences() {
			gv, err := schema.ParseGroupVersion(ref.APIVersion)
			k := t.kinds.ByGVK(gv.WithKind(ref.Kind))
			if err != nil || k == nil || ref.Controller == nil || !*ref.Controller {
				continue
			}
			owner, found = k.Key(key.Namespace, ref.Name), true
		}
		if !found {
			break
		}
		up = append(up, wire.Sentence{Text: t.name(owner) + " owns " + t.name(key) + ".", Object: t.Ref(owner)})
		key = owner
	}
	slices.Reverse(up)
	return up
}

// Quiet reports whether a span did nothing that a person would look for: it wrote nothing, or heartbeats
// and events only, and went well.
func Quiet(s *trace.Span) bool {
	if s.Err != "" || s.Kind == trace.Schedule {
		return false
	}
	for i := range s.Writes {
		w := &s.Writes[i]
		if w.Err != "" || (w.Revision > 0 && !heartbeat(w)) {
			return false
		}
	}
	return true
}

// heartbeat reports whether a write only says "still here" or is an Event about something else.
func heartbeat(w *trace.Write) bool {
	switch w.Key.Resource {
	case "events", "events.events.k8s.io", "leases.coordination.k8s.io":
		return true
	case "nodes":
		before, wasNode := w.Before.(*corev1.Node)
		after, isNode := w.After.(*corev1.Node)
		return wasNode && isNode && w.Subresource == "status" && sameHealth(before, after)
	}
	return false
}

func sameHealth(a, b *corev1.Node) bool {
	return slices.EqualFunc(a.Status.Conditions, b.Status.Conditions, func(x, y corev1.NodeCondition) bool {
		return x.Type == y.Type && x.Status == y.Status
	}) && len(a.Status.Addresses) == len(b.Status.Addresses) && len(a.Status.Allocatable) == len(b.Status.Allocatable)
}
