package wire

// Axes of the timeline.
const (
	AxisSteps = 0 // one span beside the other, in the order they began
	AxisTime  = 1 // virtual time
)

// Flags of a timeline's item.
const (
	ItemFailed   = 1 << iota // a span of it ended with an error or had a write refused
	ItemWrote                // it changed something
	ItemQuiet                // nothing but heartbeats and events, or nothing at all
	ItemSelected             // it is or holds the selected span
	ItemChain                // it is a cause or an effect of the selected span
)

// A Timeline is what is drawn of a window of the timeline.
//
// Positions on the axis are microseconds since 1970 (AxisTime) or numbers of spans among those that the
// filter shows (AxisSteps); both count as "units" below. Positions on the screen are tenths of a pixel from
// the left edge of the window.
type Timeline struct {
	Axis        uint32
	From, To    int64 // the window, in units
	First, Last int64 // of all that the filter shows, in units
	Now         int64 // virtual, microseconds since 1970
	Shown       uint32
	Quiet       uint32 // hidden because they are quiet
	Newest      uint64 // ID of the newest span that the filter shows, 0: none
	Lanes       []Lane
	Items       []Item
	Arrows      []Arrow
	Ticks       []Tick
}

// A Lane is one component's part of the timeline.
type Lane struct {
	Name string
	Rows uint32 // lines that its items need
}

// An Item is a span, or a number of spans too dense to draw one by one.
type Item struct {
	ID        uint64 // of the span, or of the first of them
	Count     uint32
	Lane, Row uint32
	X0, X1    int64
	Flags     uint32
	Object    Ref // that it works on; Kind is set
	Node      string
	Text      string // what it did: "created ReplicaSet web-5d9c"
	Start     int64  // microseconds since 1970
	Took      int64  // microseconds of virtual time
}

// An Arrow leads from the item that caused another to that one; both are positions in Items.
type Arrow struct{ From, To uint32 }

// A Tick is a time written above the lanes.
type Tick struct {
	X  int64
	At int64 // microseconds since 1970
}

// Timeline writes a window of the timeline.
func (e *Encoder) Timeline(t *Timeline) []byte {
	e.begin()
	e.uint(uint64(t.Axis))
	for _, v := range []int64{t.From, t.To, t.First, t.Last, t.Now} {
		e.int(v)
	}
	e.uint(uint64(t.Shown))
	e.uint(uint64(t.Quiet))
	e.uint(t.Newest)
	encodeList(e, t.Lanes, func(e *Encoder, l *Lane) { e.word(l.Name); e.uint(uint64(l.Rows)) })
	encodeList(e, t.Items, (*Encoder).item)
	encodeList(e, t.Arrows, func(e *Encoder, a *Arrow) { e.uint(uint64(a.From)); e.uint(uint64(a.To)) })
	encodeList(e, t.Ticks, func(e *Encoder, k *Tick) { e.int(k.X); e.int(k.At) })
	return e.buf
}

// Timeline reads a window of the timeline. Every arrow leads between items that are there, every item is in
// a lane that is.
func (d *Decoder) Timeline(data []byte) (*Timeline, error) {
	d.begin(data)
	t := &Timeline{Axis: d.id()}
	for _, v := range []*int64{&t.From, &t.To, &t.First, &t.Last, &t.Now} {
		*v = d.int()
	}
	t.Shown, t.Quiet, t.Newest = d.id(), d.id(), d.uint()
	t.Lanes = decodeList(d, t.Lanes, func(d *Decoder, l *Lane) { l.Name, l.Rows = d.word(), d.id() })
	t.Items = decodeList(d, t.Items, func(d *Decoder, i *Item) {
		d.item(i)
		d.check(int(i.Lane) < len(t.Lanes), "item without a lane")
	})
	t.Arrows = decodeList(d, t.Arrows, func(d *Decoder, a *Arrow) {
		a.From, a.To = d.id(), d.id()
		d.check(int(a.From) < len(t.Items) && int(a.To) < len(t.Items), "arrow to nowhere")
	})
	t.Ticks = decodeList(d, t.Ticks, func(d *Decoder, k *Tick) { k.X, k.At = d.int(), d.int() })
	return t, d.end()
}

func (d *Decoder) check(ok bool, otherwise string) {
	if !ok {
		d.fail(otherwise)
	}
}

func (e *Encoder) item(i *Item) {
	e.uint(i.ID)
	e.uint(uint64(i.Count))
	e.uint(uint64(i.Lane))
	e.uint(uint64(i.Row))
	e.int(i.X0)
	e.int(i.X1)
	e.uint(uint64(i.Flags))
	e.ref(&i.Object)
	e.word(i.Node)
	e.text(i.Text)
	e.int(i.Start)
	e.int(i.Took)
}

func (d *Decoder) item(i *Item) {
	i.ID = d.uint()
	i.Count, i.Lane, i.Row = d.id(), d.id(), d.id()
	i.X0, i.X1, i.Flags = d.int(), d.int(), d.id()
	d.ref(&i.Object)
	i.Node, i.Text, i.Start, i.Took = d.word(), d.text(), d.int(), d.int()
}

// A Bounds says that the timeline grew.
type Bounds struct {
	Now    int64  // virtual, microseconds since 1970
	Newest uint64 // span
}

// Bounds writes that the timeline grew.
func (e *Encoder) Bounds(b *Bounds) []byte {
	e.begin()
	e.int(b.Now)
	e.uint(b.Newest)
	return e.buf
}

// Bounds reads that the timeline grew.
func (d *Decoder) Bounds(data []byte) (*Bounds, error) {
	d.begin(data)
	b := &Bounds{Now: d.int(), Newest: d.uint()}
	return b, d.end()
}
