package wire

// A Span is all that is shown of one span of the timeline.
type Span struct {
	ID        uint64
	Found     bool // false: so old that it was dropped
	Component string
	Work      string // "request", "reconcile", "schedule", "sync"
	Object    Ref
	Node      string
	Text      string // what it did, as a sentence without the component
	Err       string
	Start     int64 // microseconds since 1970
	Took      int64 // microseconds
	Triggers  []Trigger
	Reads     []Read
	Writes    []Write
	Steps     []Step
	Decision  []Decision // none or one
	Causes    []SpanRef
	Effects   []SpanRef
}

// A SpanRef names another span in a line.
type SpanRef struct {
	ID        uint64
	Component string
	Text      string
}

// A Trigger is one reason for a span.
type Trigger struct {
	Object Ref    // whose change was seen, or empty
	Type   string // "ADDED", ...
	Note   string // for what is no change
	By     SpanRef
}

// A Read is something that the span looked at.
type Read struct {
	Verb   string
	Object Ref
	Count  uint32
}

// A Write is one request of the span that changed something or tried to.
type Write struct {
	Verb        string
	Object      Ref
	Subresource string
	Revision    int64
	Err         string
	Changes     []FieldChange
	More        uint32 // changes left out
}

// A FieldChange is a field with its old and new value; empty is absent.
type FieldChange struct{ Path, Old, New string }

// A Step is a named stage of a span.
type Step struct{ Name, Detail string }

// A Decision is why the scheduler picked a node, or none.
type Decision struct {
	Outcome  string
	Node     string
	Message  string
	Nodes    uint32 // in the cluster
	Feasible uint32
	Tied     uint32 // nodes that shared the best score
	Plugins  []string
	Weights  []int64 // of Plugins
	Scores   []NodeScore
	Refused  []NodeRefusal
	Reasons  []ReasonCount // instead of Refused, where the nodes are many
	Victims  []Ref
	More     uint32 // nodes left out of Scores and Refused
}

// A NodeScore is how one node scored; Scores are weighted, one for each plugin.
type NodeScore struct {
	Node   string
	Total  int64
	Scores []int64
}

// A ReasonCount is on how many nodes a reason stood.
type ReasonCount struct {
	Reason string
	Count  uint32
}

// Span writes the details of a span.
func (e *Encoder) Span(s *Span) []byte {
	e.begin()
	e.uint(s.ID)
	e.bool(s.Found)
	e.word(s.Component)
	e.word(s.Work)
	e.ref(&s.Object)
	e.word(s.Node)
	e.text(s.Text)
	e.text(s.Err)
	e.int(s.Start)
	e.int(s.Took)
	encodeList(e, s.Triggers, func(e *Encoder, t *Trigger) {
		e.ref(&t.Object)
		e.word(t.Type)
		e.text(t.Note)
		e.spanRef(&t.By)
	})
	encodeList(e, s.Reads, func(e *Encoder, r *Read) { e.word(r.Verb); e.ref(&r.Object); e.uint(uint64(r.Count)) })
	encodeList(e, s.Writes, (*Encoder).write)
	encodeList(e, s.Steps, func(e *Encoder, t *Step) { e.word(t.Name); e.text(t.Detail) })
	encodeList(e, s.Decision, (*Encoder).decision)
	encodeList(e, s.Causes, (*Encoder).spanRef)
	encodeList(e, s.Effects, (*Encoder).spanRef)
	return e.buf
}

// Span reads the details of a span.
func (d *Decoder) Span(data []byte) (*Span, error) {
	d.begin(data)
	s := &Span{ID: d.uint(), Found: d.bool(), Component: d.word(), Work: d.word()}
	d.ref(&s.Object)
	s.Node, s.Text, s.Err = d.word(), d.text(), d.text()
	s.Start, s.Took = d.int(), d.int()
	s.Triggers = decodeList(d, s.Triggers, func(d *Decoder, t *Trigger) {
		d.ref(&t.Object)
		t.Type, t.Note = d.word(), d.text()
		d.spanRef(&t.By)
	})
	s.Reads = decodeList(d, s.Reads, func(d *Decoder, r *Read) { r.Verb = d.word(); d.ref(&r.Object); r.Count = d.id() })
	s.Writes = decodeList(d, s.Writes, (*Decoder).write)
	s.Steps = decodeList(d, s.Steps, func(d *Decoder, t *Step) { t.Name, t.Detail = d.word(), d.text() })
	s.Decision = decodeList(d, s.Decision, (*Decoder).decision)
	s.Causes = decodeList(d, s.Causes, (*Decoder).spanRef)
	s.Effects = decodeList(d, s.Effects, (*Decoder).spanRef)
	return s, d.end()
}

func (e *Encoder) spanRef(r *SpanRef) {
	e.uint(r.ID)
	e.word(r.Component)
	e.text(r.Text)
}

func (d *Decoder) spanRef(r *SpanRef) { r.ID, r.Component, r.Text = d.uint(), d.word(), d.text() }

func (e *Encoder) write(w *Write) {
	e.word(w.Verb)
	e.ref(&w.Object)
	e.word(w.Subresource)
	e.int(w.Revision)
	e.text(w.Err)
	encodeList(e, w.Changes, func(e *Encoder, c *FieldChange) { e.word(c.Path); e.text(c.Old); e.text(c.New) })
	e.uint(uint64(w.More))
}

func (d *Decoder) write(w *Write) {
	w.Verb = d.word()
	d.ref(&w.Object)
	w.Subresource, w.Revision, w.Err = d.word(), d.int(), d.text()
	w.Changes = decodeList(d, w.Changes, func(d *Decoder, c *FieldChange) { c.Path, c.Old, c.New = d.word(), d.text(), d.text() })
	w.More = d.id()
}

func (e *Encoder) decision(c *Decision) {
	e.word(c.Outcome)
	e.word(c.Node)
	e.text(c.Message)
	e.uint(uint64(c.Nodes))
	e.uint(uint64(c.Feasible))
	e.uint(uint64(c.Tied))
	encodeList(e, c.Plugins, func(e *Encoder, p *string) { e.word(*p) })
	encodeList(e, c.Weights, func(e *Encoder, w *int64) { e.int(*w) })
	encodeList(e, c.Scores, func(e *Encoder, n *NodeScore) {
		e.word(n.Node)
		e.int(n.Total)
		encodeList(e, n.Scores, func(e *Encoder, v *int64) { e.int(*v) })
	})
	encodeList(e, c.Refused, func(e *Encoder, n *NodeRefusal) { e.word(n.Node); e.word(n.Plugin); e.word(n.Reason) })
	encodeList(e, c.Reasons, func(e *Encoder, r *ReasonCount) { e.word(r.Reason); e.uint(uint64(r.Count)) })
	encodeList(e, c.Victims, (*Encoder).ref)
	e.uint(uint64(c.More))
}

func (d *Decoder) decision(c *Decision) {
	c.Outcome, c.Node, c.Message = d.word(), d.word(), d.text()
	c.Nodes, c.Feasible, c.Tied = d.id(), d.id(), d.id()
	c.Plugins = decodeList(d, c.Plugins, func(d *Decoder, p *string) { *p = d.word() })
	c.Weights = decodeList(d, c.Weights, func(d *Decoder, w *int64) { *w = d.int() })
	c.Scores = decodeList(d, c.Scores, func(d *Decoder, n *NodeScore) {
		n.Node, n.Total = d.word(), d.int()
		n.Scores = decodeList(d, n.Scores, func(d *Decoder, v *int64) { *v = d.int() })
	})
	c.Refused = decodeList(d, c.Refused, func(d *Decoder, n *NodeRefusal) { n.Node, n.Plugin, n.Reason = d.word(), d.word(), d.word() })
	c.Reasons = decodeList(d, c.Reasons, func(d *Decoder, r *ReasonCount) { r.Reason, r.Count = d.word(), d.id() })
	c.Victims = decodeList(d, c.Victims, (*Decoder).ref)
	c.More = d.id()
}

// A Why answers why an object is as it is.
type Why struct {
	Object    Ref
	Sentences []Sentence // from the first cause to the newest change
}

// A Sentence is one link of the chain of causes.
type Sentence struct {
	Text   string
	Object Ref    // that the sentence is about, or empty
	Span   uint64 // 0: known from the object itself, not from the timeline
	At     int64  // microseconds since 1970, 0: unknown
}

// Why writes an answer.
func (e *Encoder) Why(w *Why) []byte {
	e.begin()
	e.ref(&w.Object)
	encodeList(e, w.Sentences, func(e *Encoder, s *Sentence) { e.text(s.Text); e.ref(&s.Object); e.uint(s.Span); e.int(s.At) })
	return e.buf
}

// Why reads an answer.
func (d *Decoder) Why(data []byte) (*Why, error) {
	d.begin(data)
	w := &Why{}
	d.ref(&w.Object)
	w.Sentences = decodeList(d, w.Sentences, func(d *Decoder, s *Sentence) {
		s.Text = d.text()
		d.ref(&s.Object)
		s.Span, s.At = d.uint(), d.int()
	})
	return w, d.end()
}
