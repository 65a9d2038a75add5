package wire

// An Inspect is all that the inspector shows of one object.
type Inspect struct {
	Ref
	APIVersion string
	UID        string
	Path       string // of the object in the API: "/api/v1/namespaces/default/pods/web"
	Found      bool   // false: there is no such object (any more); YAML is then its last state, or empty
	Deleting   bool   // metadata.deletionTimestamp is set
	YAML       string
	Created    int64 // virtual, milliseconds since 1970
	Now        int64 // when the message was made, likewise

	Scalable bool
	Replicas int64 // wanted
	Ready    int64
	Undoable bool // a rollout that can go back
	Summary  []Fact

	Conditions []Condition
	Events     []Event
	Up         []Ref    // its owners, the nearest first
	Down       []Branch // what it owns, depth first
	Timers     []Timer
}

// A Ref names an object.
type Ref struct {
	Resource  string // as in kinds.Key: "deployments.apps"
	Kind      string
	Namespace string
	Name      string
}

// ID returns "resource/namespace/name", or "resource/name" for a cluster-scoped object.
func (r Ref) ID() string {
	if r.Namespace == "" {
		return r.Resource + "/" + r.Name
	}
	return r.Resource + "/" + r.Namespace + "/" + r.Name
}

// A Fact is one line of what is worth knowing at a glance.
type Fact struct {
	Name, Value string
	Open        string // Ref.ID of the object that Value names, or empty
}

// A Branch is an object in the tree below another.
type Branch struct {
	Ref
	Depth  uint32 // 1: owned directly
	Status string // "3/3 ready", "Running"
}

// An Event is an Event about the object.
type Event struct {
	Type    string // "Normal", "Warning"
	Reason  string
	Message string
	From    string
	Count   uint32
	First   int64 // milliseconds since 1970
	Last    int64
}

// A Timer is a task of the loop that concerns the object.
type Timer struct {
	Component string
	Action    string
	Object    string
	At        int64 // milliseconds since 1970
}

// Inspect writes a message of the inspector.
func (e *Encoder) Inspect(i *Inspect) []byte {
	e.begin()
	e.ref(&i.Ref)
	e.text(i.APIVersion)
	e.text(i.UID)
	e.text(i.Path)
	e.bool(i.Found)
	e.bool(i.Deleting)
	e.text(i.YAML)
	e.int(i.Created)
	e.int(i.Now)
	e.bool(i.Scalable)
	e.int(i.Replicas)
	e.int(i.Ready)
	e.bool(i.Undoable)
	encodeList(e, i.Summary, func(e *Encoder, f *Fact) { e.word(f.Name); e.text(f.Value); e.text(f.Open) })
	encodeList(e, i.Conditions, (*Encoder).condition)
	encodeList(e, i.Events, (*Encoder).event)
	encodeList(e, i.Up, (*Encoder).ref)
	encodeList(e, i.Down, func(e *Encoder, b *Branch) { e.ref(&b.Ref); e.uint(uint64(b.Depth)); e.word(b.Status) })
	encodeList(e, i.Timers, func(e *Encoder, t *Timer) {
		e.word(t.Component)
		e.word(t.Action)
		e.text(t.Object)
		e.int(t.At)
	})
	return e.buf
}

// Inspect reads a message of the inspector.
func (d *Decoder) Inspect(data []byte) (*Inspect, error) {
	d.begin(data)
	i := &Inspect{}
	d.ref(&i.Ref)
	i.APIVersion, i.UID, i.Path = d.text(), d.text(), d.text()
	i.Found, i.Deleting, i.YAML = d.bool(), d.bool(), d.text()
	i.Created, i.Now = d.int(), d.int()
	i.Scalable, i.Replicas, i.Ready, i.Undoable = d.bool(), d.int(), d.int(), d.bool()
	i.Summary = decodeList(d, i.Summary, func(d *Decoder, f *Fact) { f.Name, f.Value, f.Open = d.word(), d.text(), d.text() })
	i.Conditions = decodeList(d, i.Conditions, (*Decoder).condition)
	i.Events = decodeList(d, i.Events, (*Decoder).event)
	i.Up = decodeList(d, i.Up, (*Decoder).ref)
	i.Down = decodeList(d, i.Down, func(d *Decoder, b *Branch) { d.ref(&b.Ref); b.Depth, b.Status = d.id(), d.word() })
	i.Timers = decodeList(d, i.Timers, func(d *Decoder, t *Timer) {
		t.Component, t.Action, t.Object, t.At = d.word(), d.word(), d.text(), d.int()
	})
	return i, d.end()
}

func (e *Encoder) ref(r *Ref) {
	e.word(r.Resource)
	e.word(r.Kind)
	e.word(r.Namespace)
	e.text(r.Name)
}

func (d *Decoder) ref(r *Ref) {
	r.Resource, r.Kind, r.Namespace, r.Name = d.word(), d.word(), d.word(), d.text()
}

func (e *Encoder) event(v *Event) {
	e.word(v.Type)
	e.word(v.Reason)
	e.text(v.Message)
	e.word(v.From)
	e.uint(uint64(v.Count))
	e.int(v.First)
	e.int(v.Last)
}

func (d *Decoder) event(v *Event) {
	v.Type, v.Reason, v.Message, v.From = d.word(), d.word(), d.text(), d.word()
	v.Count, v.First, v.Last = d.id(), d.int(), d.int()
}

// A Refusal is why the scheduler did not place a pod.
type Refusal struct {
	Pod     Ref
	Message string // "0/3 nodes are available: ..."
	At      int64  // when it was decided, milliseconds since 1970; 0: not yet
	Nodes   []NodeRefusal
}

// A NodeRefusal is why one node was not taken. Plugin empty: the node would do.
type NodeRefusal struct {
	Node   string
	Plugin string
	Reason string
}

// Refusal writes a message about a pending pod.
func (e *Encoder) Refusal(r *Refusal) []byte {
	e.begin()
	e.ref(&r.Pod)
	e.text(r.Message)
	e.int(r.At)
	encodeList(e, r.Nodes, func(e *Encoder, n *NodeRefusal) { e.text(n.Node); e.word(n.Plugin); e.word(n.Reason) })
	return e.buf
}

// Refusal reads a message about a pending pod.
func (d *Decoder) Refusal(data []byte) (*Refusal, error) {
	d.begin(data)
	r := &Refusal{}
	d.ref(&r.Pod)
	r.Message, r.At = d.text(), d.int()
	r.Nodes = decodeList(d, r.Nodes, func(d *Decoder, n *NodeRefusal) { n.Node, n.Plugin, n.Reason = d.text(), d.word(), d.word() })
	return r, d.end()
}
