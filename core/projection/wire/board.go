package wire

// A Frame is what changed on the board since the frame before it. Nodes, owners and pods have numbers
// that are never used twice within a worker's life; 0 is none.
type Frame struct {
	Full      bool // forget everything earlier
	Owners    []Owner
	Nodes     []Node // new ones, and those of which more than the use changed
	Uses      []Use
	Pods      []Pod // new ones, and those that got another owner
	Moves     []Move
	NodesGone []uint32
	PodsGone  []uint32
}

// Empty reports whether the frame says nothing.
func (f *Frame) Empty() bool {
	return !f.Full && len(f.Owners)+len(f.Nodes)+len(f.Uses)+len(f.Pods)+len(f.Moves)+
		len(f.NodesGone)+len(f.PodsGone) == 0
}

// An Owner is what pods are colored by: their controller, within the one at the top of the chain.
type Owner struct {
	ID           uint32
	Namespace    string
	Kind         string // of the controller: "ReplicaSet"
	Resource     string // "replicasets.apps"
	Name         string
	RootKind     string // of the top of the chain: "Deployment"
	RootResource string
	RootName     string
	Hue          uint32 // one for each root, from 0
	Shade        uint32 // tells the controllers of one root apart, from 0
}

// State bits of a Node.
const (
	NodeReady      = 1 << iota
	NodeCordoned   // spec.unschedulable
	NodePoweredOff // its machine does not run
	NodeUnknown    // the Ready condition is Unknown: no heartbeats
)

// A Resources is an amount of what a node has.
type Resources struct {
	MilliCPU int64
	Memory   int64 // bytes
	Pods     int64
}

// A Node is a node as its card shows it.
type Node struct {
	ID          uint32
	Name        string
	State       uint32 // NodeReady, ...
	Roles       string
	Capacity    Resources
	Allocatable Resources
	Requested   Resources
	Conditions  []Condition // those worth showing: not the healthy ones
	Taints      []string    // "key=value:Effect"
}

// A Condition is a condition of a node or another object.
type Condition struct{ Type, Status, Reason, Message string }

// A Use is what the pods of a node request.
type Use struct {
	Node      uint32
	Requested Resources
}

// A Pod is a pod's tile.
type Pod struct {
	ID        uint32
	UID       string
	Namespace string
	Name      string
	Owner     uint32
	Move
}

// A Move is what changes in a pod's life.
type Move struct {
	Pod      uint32
	Node     uint32 // 0: none yet
	Phase    string // as kubectl's STATUS column
	Ready    bool
	Restarts uint32
	Message  string // why it is not scheduled
}

// Board writes a frame.
func (e *Encoder) Board(f *Frame) []byte {
	e.begin()
	e.bool(f.Full)
	encodeList(e, f.Owners, (*Encoder).owner)
	encodeList(e, f.Nodes, (*Encoder).node)
	encodeList(e, f.Uses, func(e *Encoder, u *Use) { e.uint(uint64(u.Node)); e.resources(u.Requested) })
	encodeList(e, f.Pods, (*Encoder).pod)
	encodeList(e, f.Moves, func(e *Encoder, m *Move) { e.uint(uint64(m.Pod)); e.move(m) })
	encodeList(e, f.NodesGone, func(e *Encoder, id *uint32) { e.uint(uint64(*id)) })
	encodeList(e, f.PodsGone, func(e *Encoder, id *uint32) { e.uint(uint64(*id)) })
	return e.buf
}

// Board reads a frame. After an error the stream is of no use.
func (d *Decoder) Board(data []byte) (*Frame, error) {
	d.begin(data)
	f := &Frame{Full: d.bool()}
	f.Owners = decodeList(d, f.Owners, (*Decoder).owner)
	f.Nodes = decodeList(d, f.Nodes, (*Decoder).node)
	f.Uses = decodeList(d, f.Uses, func(d *Decoder, u *Use) { u.Node = d.id(); u.Requested = d.resources() })
	f.Pods = decodeList(d, f.Pods, (*Decoder).pod)
	f.Moves = decodeList(d, f.Moves, func(d *Decoder, m *Move) { m.Pod = d.id(); d.move(m) })
	f.NodesGone = decodeList(d, f.NodesGone, func(d *Decoder, id *uint32) { *id = d.id() })
	f.PodsGone = decodeList(d, f.PodsGone, func(d *Decoder, id *uint32) { *id = d.id() })
	return f, d.end()
}

func (d *Decoder) id() uint32 { return uint32(d.uint()) }

func (e *Encoder) owner(o *Owner) {
	e.uint(uint64(o.ID))
	e.word(o.Namespace)
	e.word(o.Kind)
	e.word(o.Resource)
	e.text(o.Name)
	e.word(o.RootKind)
	e.word(o.RootResource)
	e.text(o.RootName)
	e.uint(uint64(o.Hue))
	e.uint(uint64(o.Shade))
}

func (d *Decoder) owner(o *Owner) {
	o.ID = d.id()
	o.Namespace, o.Kind, o.Resource, o.Name = d.word(), d.word(), d.word(), d.text()
	o.RootKind, o.RootResource, o.RootName = d.word(), d.word(), d.text()
	o.Hue, o.Shade = d.id(), d.id()
}

func (e *Encoder) resources(r Resources) {
	e.int(r.MilliCPU)
	e.int(r.Memory)
	e.int(r.Pods)
}

func (d *Decoder) resources() Resources { return Resources{d.int(), d.int(), d.int()} }

func (e *Encoder) condition(c *Condition) {
	e.word(c.Type)
	e.word(c.Status)
	e.word(c.Reason)
	e.word(c.Message)
}

func (d *Decoder) condition(c *Condition) {
	c.Type, c.Status, c.Reason, c.Message = d.word(), d.word(), d.word(), d.word()
}

func (e *Encoder) node(n *Node) {
	e.uint(uint64(n.ID))
	e.text(n.Name)
	e.uint(uint64(n.State))
	e.word(n.Roles)
	e.resources(n.Capacity)
	e.resources(n.Allocatable)
	e.resources(n.Requested)
	encodeList(e, n.Conditions, (*Encoder).condition)
	encodeList(e, n.Taints, func(e *Encoder, t *string) { e.word(*t) })
}

func (d *Decoder) node(n *Node) {
	n.ID, n.Name, n.State, n.Roles = d.id(), d.text(), d.id(), d.word()
	n.Capacity, n.Allocatable, n.Requested = d.resources(), d.resources(), d.resources()
	n.Conditions = decodeList(d, n.Conditions, (*Decoder).condition)
	n.Taints = decodeList(d, n.Taints, func(d *Decoder, t *string) { *t = d.word() })
}

func (e *Encoder) pod(p *Pod) {
	e.uint(uint64(p.ID))
	e.text(p.UID)
	e.word(p.Namespace)
	e.text(p.Name)
	e.uint(uint64(p.Owner))
	e.move(&p.Move)
}

func (d *Decoder) pod(p *Pod) {
	p.ID, p.UID, p.Namespace, p.Name, p.Owner = d.id(), d.text(), d.word(), d.text(), d.id()
	p.Move.Pod = p.ID
	d.move(&p.Move)
}

func (e *Encoder) move(m *Move) {
	e.uint(uint64(m.Node))
	e.word(m.Phase)
	e.bool(m.Ready)
	e.uint(uint64(m.Restarts))
	e.word(m.Message)
}

func (d *Decoder) move(m *Move) {
	m.Node, m.Phase, m.Ready, m.Restarts, m.Message = d.id(), d.word(), d.bool(), d.id(), d.word()
}
