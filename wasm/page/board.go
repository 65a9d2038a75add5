//go:build js && wasm

package main

import (
	"strconv"
	"syscall/js"
	"time"

	"terrarium/core/projection/wire"
	html "terrarium/web/dom"
	"terrarium/web/state"
	"terrarium/web/view"
)

// A board is the nodes, the pending tray, the legend and the line of numbers.
type board struct {
	page    *page
	state   *state.Board
	decode  wire.Decoder
	density view.Density
	width   int

	pane, host                element
	tray, trayCount, trayMore element
	note, legend, summary     element
	filter                    element

	legendHTML, summaryHTML html.HTML // as they are on the screen

	slots   map[uint32]*slot
	order   []uint32 // the nodes as they are on the screen
	pending *place

	began  time.Time // the drawing under way
	fresh  int       // tiles that came in it
	warmed bool
}

func newBoard(p *page) *board {
	b := &board{
		page: p, state: state.NewBoard(), slots: make(map[uint32]*slot),
		pane: p.el("board-pane"), host: p.el("board"), tray: p.el("pending"), trayCount: p.el("pending-count"), trayMore: p.el("pending-more"),
		note: p.el("board-note"), legend: p.el("legend"), summary: p.el("board-summary"), filter: p.el("board-filter"),
	}
	b.pending = newPlace(b, p.el("pending-pods").Underlying())
	return b
}

func (b *board) start() {
	b.measure()
	b.page.scope.On(b.filter.Underlying(), "input", func(js.Value) {
		b.state.SetFilter(b.filter.Underlying().Get("value").String())
		b.redraw()
	})
	b.page.port.Stream("board", nil, b.take, b.page.toasts.err)
}

// take handles a frame of the stream; nil goes on drawing the one before.
func (b *board) take(frame []byte) (done bool) {
	if frame != nil {
		f, err := b.decode.Board(frame)
		if err != nil {
			b.page.toasts.err(err)
			return false
		}
		if f.Full {
			b.clear()
			b.host.SetAttribute("tabindex", "0")
			for _, id := range []string{"node-add", "export", "reset"} {
				setDisabled(b.page.el(id), false)
			}
			if !b.warmed {
				b.warmed = true
				b.page.warmUp()
			}
		}
		b.state.Apply(f)
	}
	return b.draw()
}

// clear takes everything off the screen: a whole board may give old numbers to new things.
func (b *board) clear() {
	b.slots, b.order = make(map[uint32]*slot), nil
	setHTML(b.host, html.HTML{})
	b.pending.clear()
}

// redraw draws what a person's action changed, over as many animation frames as it takes.
func (b *board) redraw() {
	b.page.frame(func() {
		if !b.draw() {
			b.redraw()
		}
	})
}

// mostRepainted is how many pods the nodes drawn in one animation frame may hold together, the last node not
// counted: the browser paints all of a node when something in it changed.
const mostRepainted = 150

// enough reports whether the drawing under way has used up its share of the animation frame.
func (b *board) enough() bool { return time.Since(b.began) > budget }

// draw draws what changed, for as long as the budget lasts but always something. It reports whether all is
// drawn.
func (b *board) draw() (done bool) {
	b.began, b.fresh = time.Now(), 0
	pane := b.pane.Underlying()
	focus := keepFocus(pane)
	if b.state.ListChanged() {
		b.drawList()
	}
	b.settle()
	if b.state.PendingChanged() { // before the nodes: no pod is seen in two places
		b.drawPending()
	}
	b.drawCounts()
	b.page.menu.follow()
	repainted := 0
	for !b.state.PendingUnfinished() {
		n := b.state.NextChanged()
		if n == nil {
			break
		}
		if s, ok := b.slots[n.ID]; ok && !s.draw(b, n) {
			b.state.Again(n)
		}
		if repainted += len(n.Pods); repainted > mostRepainted || b.enough() {
			break
		}
	}
	if focus.selector != "" && !pane.Call("contains", js.Global().Get("document").Get("activeElement")).Bool() {
		focus.restore(b.host.Underlying())
	}
	return !b.state.Unfinished()
}

func (b *board) drawPending() {
	pods, density, more := view.Tray(b.state)
	b.pending.host.Call("setAttribute", "data-density", density.Name())
	if !b.pending.patch(pods, density) {
		b.state.PendingAgain()
	}
	setText(b.trayCount, strconv.Itoa(len(b.state.Pending)))
	setHidden(b.trayMore, more == 0)
	setText(b.trayMore, "and "+strconv.Itoa(more)+" more")
	setHidden(b.tray, len(b.state.Pending) == 0)
	b.followRefusal()
}

// drawCounts draws the line of numbers and the legend.
func (b *board) drawCounts() {
	if !b.state.CountsChanged() {
		return
	}
	if h := view.Summary(b.state); h != b.summaryHTML {
		b.summaryHTML = h
		setHTML(b.summary, h)
	}
	if h := view.Legend(b.state); h != b.legendHTML {
		b.legendHTML = h
		setHTML(b.legend, h)
	}
}

// drawList makes the places on the screen those of the nodes there are: places that stay are not touched.
func (b *board) drawList() {
	host := b.host.Underlying()
	want := make(map[uint32]bool, len(b.state.Nodes))
	for _, n := range b.state.Nodes {
		want[n.ID] = true
	}
	kept := b.order[:0]
	for _, id := range b.order {
		if want[id] {
			kept = append(kept, id)
			continue
		}
		b.slots[id].at.Call("remove")
		delete(b.slots, id)
	}
	if len(kept) == 0 {
		setHTML(b.host, html.HTML{})
	}
	for i := 0; i < len(b.state.Nodes); {
		if b.slots[b.state.Nodes[i].ID] != nil {
			i++
			continue
		}
		j := i // a run of new nodes goes in as one string
		for j < len(b.state.Nodes) && b.slots[b.state.Nodes[j].ID] == nil {
			j++
		}
		before := js.Null()
		if j < len(b.state.Nodes) {
			before = b.slots[b.state.Nodes[j].ID].at
		}
		insertHTML(host, before, view.Slots(b.state.Nodes[i:j]))
		i = j
	}
	b.order = make([]uint32, 0, len(b.state.Nodes))
	at := host.Get("firstElementChild")
	for _, n := range b.state.Nodes {
		b.order = append(b.order, n.ID)
		if b.slots[n.ID] == nil {
			b.slots[n.ID] = &slot{at: at}
		}
		at = at.Get("nextElementSibling")
	}
	if len(b.state.Nodes) == 0 {
		setHTML(b.host, view.NoNodes())
	}
}

// settle chooses how much room tiles get.
func (b *board) settle() {
	d := view.Settle(b.density, len(b.state.Nodes), b.state.PodCount(), b.width)
	if d == b.density {
		return
	}
	b.density = d
	b.host.SetAttribute("data-density", d.Name())
	b.state.Redraw()
}

func (b *board) measure() { b.width = int(b.host.OffsetWidth()) }

// resized follows the size of the window and of the panes.
func (b *board) resized() {
	b.page.frame(func() {
		b.measure()
		if !b.draw() {
			b.redraw()
		}
	})
}

// selectRef marks what the inspector shows.
func (b *board) selectRef(ref wire.Ref) {
	b.state.Select(ref)
	b.redraw()
}

// explain shows on every node why the pending pod is not there.
func (b *board) explain(ref wire.Ref) {
	b.page.port.Call("pending", map[string]any{"namespace": ref.Namespace, "name": ref.Name}, func(answer js.Value, err error) {
		if err != nil {
			b.page.toasts.err(err)
			return
		}
		var d wire.Decoder
		r, err := d.Refusal(bytesOf(answer.Get("data")))
		if err != nil {
			b.page.toasts.err(err)
			return
		}
		if !b.isPending(ref) {
			return // it got a node while we asked
		}
		b.refuse(r)
	})
}

func (b *board) isPending(ref wire.Ref) bool {
	for _, p := range b.state.Pending {
		if p.Name == ref.Name && p.Namespace == ref.Namespace {
			return true
		}
	}
	return false
}

// refuse shows a refusal; nil ends it.
func (b *board) refuse(r *wire.Refusal) {
	b.state.Refuse(r)
	setHidden(b.note, r == nil)
	b.state.Select(b.page.inspector.state.Ref)
	if r != nil {
		setHTML(b.note, view.RefusalNote(r))
		b.state.Select(r.Pod)
	}
	b.redraw()
}

// followRefusal keeps what is said about a pending pod true: it may get a node, or other reasons.
func (b *board) followRefusal() {
	r := b.state.Refusal
	if r == nil {
		return
	}
	for _, p := range b.state.Pending {
		if p.Name != r.Pod.Name || p.Namespace != r.Pod.Namespace {
			continue
		}
		if p.Message != r.Message && p.Message != "" {
			b.explain(r.Pod)
		}
		return
	}
	b.refuse(nil)
	b.page.announce("Pod " + r.Pod.Name + " is no longer pending")
}
