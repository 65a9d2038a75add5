package state

import "terrarium/core/projection/wire"

// A Tab is a view of the inspector.
type Tab string

const (
	TabYAML    Tab = "yaml"
	TabEvents  Tab = "events"
	TabOwners  Tab = "owners"
	TabPending Tab = "pending"
	TabWhy     Tab = "why"
)

// Tabs are all, in the order they are shown.
func Tabs() []Tab { return []Tab{TabYAML, TabEvents, TabOwners, TabPending, TabWhy} }

// Title returns the tab's label.
func (t Tab) Title() string {
	switch t {
	case TabYAML:
		return "YAML"
	case TabEvents:
		return "Events"
	case TabOwners:
		return "Owners"
	case TabPending:
		return "Pending"
	}
	return "Why"
}

// An Inspector is what the inspector shows.
type Inspector struct {
	Ref    wire.Ref      // zero: closed
	Object *wire.Inspect // nil: not there yet
	Tab    Tab
	Now    int64 // virtual, milliseconds since 1970
	Back   []wire.Ref
	asked  *scaling // the last one
}

// A scaling is how many replicas a person has asked an object for, until the cluster has answered: what it says of
// the object meanwhile may be older.
type scaling struct {
	path     string // of the object in the API
	replicas int64
	waiting  int // requests without an answer
}

// NewInspector returns a closed inspector.
func NewInspector() *Inspector { return &Inspector{Tab: TabYAML} }

// maxBack bounds the way back.
const maxBack = 50

// Open turns to an object. The tab stays, so that one can compare.
func (i *Inspector) Open(ref wire.Ref) {
	if i.Ref.ID() == ref.ID() {
		return
	}
	if i.Ref != (wire.Ref{}) {
		if len(i.Back) == maxBack {
			i.Back = i.Back[1:]
		}
		i.Back = append(i.Back, i.Ref)
	}
	i.Ref, i.Object = ref, nil
}

// Return goes back to the object shown before. ok is false when there is none.
func (i *Inspector) Return() (ref wire.Ref, ok bool) {
	if len(i.Back) == 0 {
		return wire.Ref{}, false
	}
	i.Ref, i.Object = i.Back[len(i.Back)-1], nil
	i.Back = i.Back[:len(i.Back)-1]
	return i.Ref, true
}

// Ask notes that the object that is open is asked for so many replicas. Call answered when the cluster has answered.
func (i *Inspector) Ask(replicas int64) (answered func()) {
	s := i.asked
	if s == nil || s.path != i.Object.Path {
		s = &scaling{path: i.Object.Path}
		i.asked = s
	}
	s.replicas = replicas
	s.waiting++
	return func() { s.waiting-- }
}

// Replicas returns how many replicas the object that is open is to have.
func (i *Inspector) Replicas() int64 {
	if s := i.asked; s != nil && s.waiting > 0 && s.path == i.Object.Path {
		return s.replicas
	}
	return i.Object.Replicas
}

// Close empties the inspector.
func (i *Inspector) Close() { i.Ref, i.Object, i.Back = wire.Ref{}, nil, nil }

// Apply takes in what the cluster says about the object.
func (i *Inspector) Apply(o *wire.Inspect) {
	if o.ID() != i.Ref.ID() {
		return
	}
	if !o.Found && o.YAML == "" && i.Object != nil {
		last := *i.Object // it is gone: keep showing how it was
		last.Found, last.Now, last.Timers = false, o.Now, nil
		last.Events = o.Events
		i.Object = &last
		return
	}
	i.Ref, i.Object = o.Ref, o
	i.Now = max(i.Now, o.Now)
}
