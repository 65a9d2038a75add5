// Package inspect computes what the page's inspector shows of one object: its YAML, events, owners, what it
// owns, and the tasks that wait for it; and why the scheduler has not placed a pod.
//
// Like core/projection/board it follows commits by remembering them and works only when a subscriber asks,
// so that inspecting changes nothing in the cluster.
package inspect

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/projection/wire"
	"terrarium/core/scheduler"
)

// Objects gives the newest states.
type Objects interface {
	Get(key kinds.Key) (kinds.Object, bool)
	List(resource, namespace string) ([]kinds.Object, kinds.Revision)
}

// A Printer writes an object as YAML.
type Printer interface {
	YAML(obj runtime.Object) ([]byte, error)
}

// A Clock tells virtual time and what waits.
type Clock interface {
	Now() time.Time
	Pending(limit int) []loop.Pending
}

// Decisions gives the scheduler's last decision about a pod, nil if there is none.
type Decisions interface {
	LastDecision(uid types.UID) *scheduler.Decision
}

// Deps is what an Inspector reads.
type Deps struct {
	Objects   Objects
	Kinds     *kinds.Registry
	Printer   Printer
	Clock     Clock
	Decisions Decisions
}

// An Inspector serves subscriptions, each about one object.
type Inspector struct {
	Deps
	subs []*Subscription
}

// New returns an inspector.
func New(deps Deps) *Inspector { return &Inspector{Deps: deps} }

// Commit notes that an object was created, changed or deleted; obj is its newest state, for a deletion the
// last one.
func (in *Inspector) Commit(key kinds.Key, obj kinds.Object) {
	for _, s := range in.subs {
		if !s.dirty && s.concerns(key, obj) {
			s.dirty = true
			s.wake()
		}
	}
}

// Tick looks whether other tasks wait for the inspected objects than were sent; call it a few times a second
// while time runs.
func (in *Inspector) Tick() {
	for _, s := range in.subs {
		if !s.dirty && !slices.Equal(s.timers, in.timers(s.about)) {
			s.dirty = true
			s.wake()
		}
	}
}

// A Subscription is one page's stream about one object.
type Subscription struct {
	in      *Inspector
	ref     wire.Ref
	wake    func()
	encoder *wire.Encoder
	dirty   bool
	// What the last message was about: a commit that touches none of it is not news.
	family map[types.UID]bool
	about  map[string]bool // loop.Label.Object of the tasks that concern it
	timers []wire.Timer
}

// Subscribe returns a stream of messages about the object that ref names: the first as it is now, later ones
// when something about it has changed. wake may be called from within a commit.
func (in *Inspector) Subscribe(ref wire.Ref, wake func()) *Subscription {
	s := &Subscription{in: in, ref: ref, wake: wake, encoder: wire.NewEncoder(), dirty: true}
	in.subs = append(in.subs, s)
	return s
}

// Next returns the next message; ok is false when nothing has changed since the last.
func (s *Subscription) Next() (frame []byte, ok bool) {
	if !s.dirty {
		return nil, false
	}
	s.dirty = false
	return s.encoder.Inspect(s.in.look(s)), true
}

// Close ends the stream.
func (s *Subscription) Close() {
	s.in.subs = slices.DeleteFunc(s.in.subs, func(x *Subscription) bool { return x == s })
}

func (s *Subscription) concerns(key kinds.Key, obj kinds.Object) bool {
	if key.Resource == s.ref.Resource && key.Namespace == s.ref.Namespace && key.Name == s.ref.Name {
		return true
	}
	if ev, ok := obj.(*corev1.Event); ok {
		return s.isAbout(ev)
	}
	if s.family[obj.GetUID()] {
		return true
	}
	for _, o := range obj.GetOwnerReferences() {
		if s.family[o.UID] {
			return true
		}
	}
	return false
}

// isAbout reports whether an event is about the object. Events about nodes name the node as its own UID.
func (s *Subscription) isAbout(ev *corev1.Event) bool {
	o := &ev.InvolvedObject
	return o.Name == s.ref.Name && o.Namespace == s.ref.Namespace && o.Kind == s.ref.Kind
}

// look gathers everything about the subscription's object.
func (in *Inspector) look(s *Subscription) *wire.Inspect {
	kind := in.Kinds.ByStorageResource(s.ref.Resource)
	w := &wire.Inspect{Ref: s.ref, Now: in.Clock.Now().UnixMilli()}
	if kind == nil {
		return w
	}
	s.ref.Kind = kind.GVK.Kind
	w.Ref = s.ref
	w.APIVersion, _ = kind.GVK.ToAPIVersionAndKind()
	w.Path = pathOf(kind, s.ref)
	w.Events = in.events(s)
	obj, ok := in.Objects.Get(kinds.Key{Resource: s.ref.Resource, Namespace: s.ref.Namespace, Name: s.ref.Name})
	if !ok {
		s.family = nil
		return w
	}
	w.Found = true
	w.UID = string(obj.GetUID())
	w.Deleting = obj.GetDeletionTimestamp() != nil
	w.Created = obj.GetCreationTimestamp().UnixMilli()
	w.YAML = in.yaml(obj)
	in.family(s, w, obj)
	s.timers = in.timers(s.about)
	w.Timers = s.timers
	describe(summary{w}, obj)
	return w
}

func pathOf(kind *kinds.Kind, ref wire.Ref) string {
	p := "/api/" + kind.GVK.Version
	if kind.GVK.Group != "" {
		p = "/apis/" + kind.GVK.Group + "/" + kind.GVK.Version
	}
	if kind.Namespaced {
		p += "/namespaces/" + ref.Namespace
	}
	return p + "/" + kind.Resource + "/" + ref.Name
}

// yaml prints the object as `kubectl get -o yaml` does: without its managed fields.
func (in *Inspector) yaml(obj kinds.Object) string {
	if len(obj.GetManagedFields()) > 0 {
		obj = obj.DeepCopyObject().(kinds.Object)
		obj.SetManagedFields(nil)
	}
	text, err := in.Printer.YAML(obj)
	if err != nil {
		return "# " + err.Error() + "\n"
	}
	return string(text)
}

const maxEvents = 200

// events returns the events about the object, the newest first.
func (in *Inspector) events(s *Subscription) []wire.Event {
	namespace := s.ref.Namespace
	if namespace == "" {
		namespace = "default" // where events about cluster-scoped objects are
	}
	list, _ := in.Objects.List("events", namespace)
	var about []*corev1.Event
	for _, o := range list {
		if ev, ok := o.(*corev1.Event); ok && s.isAbout(ev) {
			about = append(about, ev)
		}
	}
	slices.SortFunc(about, func(a, b *corev1.Event) int { // by revision: times have whole seconds
		return cmp.Or(cmp.Compare(len(b.ResourceVersion), len(a.ResourceVersion)), cmp.Compare(b.ResourceVersion, a.ResourceVersion))
	})
	out := make([]wire.Event, 0, min(len(about), maxEvents))
	for _, ev := range about[:min(len(about), maxEvents)] {
		out = append(out, project(ev))
	}
	return out
}

func project(ev *corev1.Event) wire.Event {
	w := wire.Event{Type: ev.Type, Reason: ev.Reason, Message: ev.Message, From: ev.Source.Component, Count: uint32(ev.Count)}
	if w.From == "" {
		w.From = ev.ReportingController
	}
	if ev.Source.Host != "" {
		w.From += " on " + ev.Source.Host
	}
	first, last := ev.FirstTimestamp.Time, ev.LastTimestamp.Time
	if first.IsZero() {
		first = ev.EventTime.Time
	}
	if ev.Series != nil {
		last, w.Count = ev.Series.LastObservedTime.Time, uint32(ev.Series.Count)
	}
	if last.IsZero() {
		last = first
	}
	w.First, w.Last = first.UnixMilli(), last.UnixMilli()
	return w
}

const (
	maxPending = 20_000 // tasks looked through
	maxTimers  = 50     // and shown
)

// timers returns the tasks that wait for one of the objects, in the order they will run.
func (in *Inspector) timers(about map[string]bool) []wire.Timer {
	if len(about) == 0 {
		return nil
	}
	var out []wire.Timer
	for _, p := range in.Clock.Pending(maxPending) {
		if !about[p.Object] {
			continue
		}
		out = append(out, wire.Timer{Component: p.Component, Action: p.Action, Object: p.Object, At: p.At.UnixMilli()})
		if len(out) == maxTimers {
			break
		}
	}
	return out
}
