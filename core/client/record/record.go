// Package record makes Events: what a component tells people about an object.
//
// It promises, as client-go's recorder does: an event equal to an earlier one raises that one's count; more than ten
// that differ only in their message, within ten minutes, become one "(combined from similar events)"; a
// component that speaks about one object more than 25 times in a burst, and then more than once in five
// minutes, is not heard.
//
// Models client-go tools/record event.go and events_cache.go.
package record

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/client"
	"terrarium/core/kinds"
	"terrarium/core/trace"
)

// A Recorder makes the events of one component.
type Recorder struct {
	clock  trace.Clock
	events client.Resource[*corev1.Event]
	source corev1.EventSource
	kinds  *kinds.Registry
	seen   correlator
}

// New returns a recorder that speaks as component, on node host (empty for what runs on none).
func New(clock trace.Clock, c *client.Client, component, host string) *Recorder {
	return &Recorder{
		clock: clock, events: c.Events(), kinds: c.Kinds(), seen: newCorrelator(),
		source: corev1.EventSource{Component: component, Host: host},
	}
}

// Normal records that something went as it should.
func (r *Recorder) Normal(obj kinds.Object, reason, message string) {
	r.Event(obj, corev1.EventTypeNormal, reason, message)
}

// Warning records that something went wrong.
func (r *Recorder) Warning(obj kinds.Object, reason, message string) {
	r.Event(obj, corev1.EventTypeWarning, reason, message)
}

// Event records an event about obj. Events are best effort: one that the API refuses is dropped.
func (r *Recorder) Event(obj kinds.Object, eventType, reason, message string) {
	r.EventAbout(r.reference(obj), eventType, reason, message)
}

// EventAbout is Event for what a reference names, such as one container of a pod by its fieldPath.
func (r *Recorder) EventAbout(ref corev1.ObjectReference, eventType, reason, message string) {
	now := metav1.Time{Time: r.clock.Now().Truncate(time.Second)}
	decision := r.seen.decide(r.clock.Now(), ref, eventType, reason, message)
	switch {
	case decision.drop:
	case decision.name != "":
		r.raise(ref, decision, now)
	default:
		r.create(ref, eventType, reason, decision, now)
	}
}

// reference names obj as events do.
func (r *Recorder) reference(obj kinds.Object) corev1.ObjectReference {
	var gvk schema.GroupVersionKind
	if kind := r.kinds.ByType(obj); kind != nil {
		gvk = kind.GVK
	}
	return corev1.ObjectReference{
		Kind: gvk.Kind, APIVersion: gvk.GroupVersion().String(), Namespace: obj.GetNamespace(), Name: obj.GetName(),
		UID: obj.GetUID(), ResourceVersion: obj.GetResourceVersion(),
	}
}

func (r *Recorder) create(ref corev1.ObjectReference, eventType, reason string, d decision, now metav1.Time) {
	ns := ref.Namespace
	if ns == "" {
		ns = metav1.NamespaceDefault
	}
	ev := &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name: ref.Name + "." + strconv.FormatInt(r.clock.Now().UnixNano()+int64(r.seen.next()), 16), Namespace: ns,
		},
		InvolvedObject: ref, Reason: reason, Message: d.message, Source: r.source, Type: eventType,
		FirstTimestamp: now, LastTimestamp: now, Count: 1,
		ReportingController: r.source.Component, ReportingInstance: r.source.Host,
	}
	made, err := r.events.Create(ev)
	if err == nil {
		r.seen.made(d, made)
	}
}

// raise counts one more of an event that exists; one that has been deleted since is made anew.
func (r *Recorder) raise(ref corev1.ObjectReference, d decision, now metav1.Time) {
	old, err := r.events.Get(d.namespace, d.name)
	if err != nil {
		r.create(ref, d.eventType, d.reason, d, now)
		return
	}
	next := *old
	next.Count++
	next.LastTimestamp = now
	next.Message = d.message
	if made, err := r.events.Update(&next); err == nil {
		r.seen.made(d, made)
	}
}
