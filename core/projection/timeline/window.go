package timeline

import (
	"slices"

	"terrarium/core/projection/why"
	"terrarium/core/projection/wire"
	"terrarium/core/trace"
)

// A Query asks for a window.
type Query struct {
	Filter   Filter
	Axis     uint32 // wire.AxisSteps, wire.AxisTime
	From, To int64  // in units of the axis
	Width    int64  // pixels
	Selected trace.SpanID
	// Follow moves the window, without changing its size, so that it ends with the newest span.
	Follow bool
}

const (
	tenths    = 10
	minWidth  = 10 * tenths // of a drawn item, gap included
	gap       = 2 * tenths
	maxRows   = 2      // lines of one lane
	maxWide   = 10_000 // pixels
	maxArrows = 400
	// Windows reach so far at most: the end of the year 5138 in microseconds.
	maxUnit = 100_000_000_000_000_000
	// A lane with many spans in the window has one line only: its items are clusters anyway.
	crowded = 200
)

// Window computes what is drawn.
func (t *Timeline) Window(q Query) *wire.Timeline {
	sel := t.selected(q.Filter)
	q.From, q.To = min(max(q.From, -maxUnit), maxUnit), min(max(q.To, -maxUnit), maxUnit)
	w := &wire.Timeline{
		Axis: q.Axis, From: q.From, To: q.To, Now: t.clock.Now().UnixMicro(),
		Shown: uint32(len(sel.ids)), Quiet: uint32(len(sel.quiet)),
	}
	q.Width = min(max(q.Width, 100), maxWide)
	a := t.axis(sel, q.Axis)
	w.First, w.Last = a.first(), a.last(w.Now)
	if q.Follow {
		size := max(w.To-w.From, 1)
		w.From = max(w.Last-size, w.First) // what does not fill the window begins at its left edge
		w.To = w.From + size
	}
	if w.To <= w.From {
		w.To = w.From + 1
	}
	if len(sel.ids) == 0 {
		return w
	}
	w.Newest = uint64(sel.ids[len(sel.ids)-1])
	a.from, a.to, a.width = w.From, w.To, q.Width*tenths
	p := t.place(sel, a)
	t.fill(w, p, q.Selected)
	w.Ticks = a.ticks(p.spans)
	return w
}

// A box is an item while it is being placed.
type box struct {
	spans []*trace.Span
	lane  int
	row   int
	x0, x1,
	next int64 // where the next item of the row may begin
}

// A placement is where the spans of a window go.
type placement struct {
	spans []*trace.Span // in the window, by age
	boxes []box
	rows  []uint32 // per lane
	lanes []lane
	first trace.SpanID
	box   []int32 // 1 + position of the box, by ID - first; 0: not in the window
}

// at returns the box that a span is in.
func (p *placement) at(id trace.SpanID) (box int, ok bool) {
	if id < p.first || id-p.first >= trace.SpanID(len(p.box)) {
		return 0, false
	}
	b := p.box[id-p.first]
	return int(b) - 1, b > 0
}

// place puts the spans of the window into rows: each into the first row of its lane that is free at its
// place, or, where none is, into the item before it. Items end up in the order of their first spans.
func (t *Timeline) place(sel *selection, a *axis) *placement {
	lo, hi := a.window()
	p := &placement{
		spans: make([]*trace.Span, 0, hi-lo), lanes: sel.lanes,
		rows: make([]uint32, len(sel.lanes)),
	}
	if lo < hi {
		p.first = sel.ids[lo]
		p.box = make([]int32, sel.ids[hi-1]-p.first+1)
	}
	count := make([]int, len(sel.lanes))
	for _, id := range sel.ids[lo:hi] {
		s := t.trace.Span(id)
		p.spans = append(p.spans, s)
		count[sel.laneOf[s.Component]]++
	}
	last := make([][]int, len(sel.lanes)) // per lane and row the last box, or -1
	for i := range last {
		n := maxRows
		if count[i] > crowded || a.kind == wire.AxisSteps {
			n = 1
		}
		last[i] = slices.Repeat([]int{-1}, n)
	}
	for i, s := range p.spans {
		x0, x1 := a.extent(lo+i, s)
		x1 = max(x1, x0+minWidth-gap)
		if x1 < 0 || x0 > a.width {
			continue
		}
		p.add(s, sel.laneOf[s.Component], x0, x1, last)
	}
	return p
}

func (p *placement) add(s *trace.Span, lane int, x0, x1 int64, last [][]int) {
	rows := last[lane]
	into := -1
	for row, b := range rows {
		if b < 0 || p.boxes[b].next <= x0 {
			rows[row] = len(p.boxes)
			p.rows[lane] = max(p.rows[lane], uint32(row+1))
			p.boxes = append(p.boxes, box{spans: []*trace.Span{s}, lane: lane, row: row, x0: x0, x1: x1, next: x1 + gap})
			p.box[s.ID-p.first] = int32(len(p.boxes))
			return
		}
		if into < 0 || p.boxes[b].next < p.boxes[into].next {
			into = b
		}
	}
	b := &p.boxes[into]
	b.spans = append(b.spans, s)
	b.x1 = max(b.x1, x1)
	b.next = max(b.next, x1+gap)
	p.box[s.ID-p.first] = int32(into + 1)
}

// fill makes items and arrows of a placement.
func (t *Timeline) fill(w *wire.Timeline, p *placement, selected trace.SpanID) {
	w.Lanes = make([]wire.Lane, len(p.lanes))
	for i, l := range p.lanes {
		w.Lanes[i] = wire.Lane{Name: l.name, Rows: max(p.rows[i], 1)}
	}
	chain := t.chain(selected, p)
	w.Items = make([]wire.Item, len(p.boxes))
	for i := range p.boxes {
		w.Items[i] = t.item(&p.boxes[i], selected, chain)
	}
	w.Arrows = t.arrows(p, chain)
}

func (t *Timeline) item(b *box, selected trace.SpanID, chain map[trace.SpanID]bool) wire.Item {
	s := b.spans[0]
	it := wire.Item{
		ID: uint64(s.ID), Count: uint32(len(b.spans)), Lane: uint32(b.lane), Row: uint32(b.row), X0: b.x0, X1: b.x1,
		Object: t.teller.Ref(s.Key), Node: s.Node, Start: s.Start.UnixMicro(), Took: s.End.Sub(s.Start).Microseconds(),
	}
	quiet := true
	for _, s := range b.spans {
		if failed(s) {
			it.Flags |= wire.ItemFailed
		}
		quiet = quiet && why.Quiet(s)
		if s.ID == selected {
			it.Flags |= wire.ItemSelected
			it.ID, it.Object, it.Node = uint64(s.ID), t.teller.Ref(s.Key), s.Node
		}
		if chain[s.ID] {
			it.Flags |= wire.ItemChain
		}
	}
	if quiet {
		it.Flags |= wire.ItemQuiet
	} else {
		it.Flags |= wire.ItemWrote
	}
	if len(b.spans) == 1 {
		it.Text = t.teller.Describe(s)
	} else {
		end := b.spans[len(b.spans)-1]
		it.Took = max(it.Took, end.End.Sub(s.Start).Microseconds())
	}
	return it
}

func failed(s *trace.Span) bool {
	return s.Err != "" || slices.ContainsFunc(s.Writes, func(w trace.Write) bool { return w.Err != "" })
}

// chain returns the causes of the selected span, and the spans of the window that follow from it.
func (t *Timeline) chain(selected trace.SpanID, p *placement) map[trace.SpanID]bool {
	s := t.trace.Span(selected)
	if s == nil {
		return nil
	}
	chain := map[trace.SpanID]bool{selected: true}
	for c := t.teller.Cause(s); c != nil && len(chain) < 64; c = t.teller.Cause(c) {
		chain[c.ID] = true
	}
	follows := map[trace.SpanID]bool{selected: true}
	for _, s := range p.spans {
		if s.ID <= selected {
			continue
		}
		for i := range s.Triggers {
			if follows[t.made(&s.Triggers[i])] {
				follows[s.ID], chain[s.ID] = true, true
				break
			}
		}
	}
	return chain
}

// arrows leads from causes to effects among the items; when there are too many, only those of the chain of
// the selected span are left.
func (t *Timeline) arrows(p *placement, chain map[trace.SpanID]bool) []wire.Arrow {
	var all, some []wire.Arrow
	seen := make(map[wire.Arrow]bool)
	for _, s := range p.spans {
		to, ok := p.at(s.ID)
		if !ok {
			continue
		}
		for i := range s.Triggers {
			cause := t.made(&s.Triggers[i])
			from, ok := p.at(cause)
			a := wire.Arrow{From: uint32(from), To: uint32(to)}
			chained := chain[s.ID] && chain[cause]
			if !ok || from == to || seen[a] || (len(all) > maxArrows && !chained) {
				continue
			}
			seen[a] = true
			all = append(all, a)
			if chained {
				some = append(some, a)
			}
		}
	}
	if len(all) <= maxArrows {
		return all
	}
	return some[:min(len(some), maxArrows)]
}
