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

	pane, host                   element
	tray, trayPods, trayCount    element
	note, legend, summary, title element
	filter                       element

	slots map[uint32]js.Value // the places of the nodes
	order []uint32            // as they are on the screen
}

func newBoard(p *page) *board {
	return &board{
		page: p, state: state.NewBoard(), slots: make(map[uint32]js.Value),
		pane: p.el("board-pane"), host: p.el("board"), tray: p.el("pending"), trayPods: p.el("pending-pods"), trayCount: p.el("pending-count"),
		note: p.el("board-note"), legend: p.el("legend"), summary: p.el("board-summary"), filter: p.el("board-filter"),
	}
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
			b.host.SetAttribute("tabindex", "0")
			setDisabled(b.page.el("node-add"), false)
			setDisabled(b.page.el("reset"), false)
		}
		b.state.Apply(f)
	}
	return b.draw()
}

// redraw draws what a person's action changed, over as many animation frames as it takes.
func (b *board) redraw() {
	b.page.frame(func() {
		if !b.draw() {
			b.redraw()
		}
	})
}

// draw draws what changed, for as long as the budget lasts but always something. It reports whether all is
// drawn.
func (b *board) draw() (done bool) {
	began := time.Now()
	pane := b.pane.Underlying()
	focus := keepFocus(pane)
	if b.state.ListChanged() {
		b.drawList()
	}
	b.settle()
	if b.state.PendingChanged() { // before the nodes: no pod is seen in two places
		b.drawPending()
	}
	n := b.state.NextChanged()
	for ; n != nil; n = b.state.NextChanged() {
		if slot, ok := b.slots[n.ID]; ok {
			setValueHTML(slot, view.Node(b.state, n, b.density))
			state.Drawn(n.Pods)
		}
		if time.Since(began) > budget {
			break
		}
	}
	if n == nil && b.state.CountsChanged() {
		setHTML(b.summary, view.Summary(b.state))
		setHTML(b.legend, view.Legend(b.state))
	}
	if focus.selector != "" && !pane.Call("contains", js.Global().Get("document").Get("activeElement")).Bool() {
		focus.restore(b.host.Underlying())
	}
	return !b.state.Unfinished()
}

func (b *board) drawPending() {
	setHTML(b.trayPods, view.Pending(b.state))
	setText(b.trayCount, strconv.Itoa(len(b.state.Pending)))
	setHidden(b.tray, len(b.state.Pending) == 0)
	state.Drawn(b.state.Pending)
	b.followRefusal()
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
		b.slots[id].Call("remove")
		delete(b.slots, id)
	}
	if len(kept) == 0 {
		setHTML(b.host, html.HTML{})
	}
	for i := 0; i < len(b.state.Nodes); {
		if b.slots[b.state.Nodes[i].ID].Truthy() {
			i++
			continue
		}
		j := i // a run of new nodes goes in as one string
		for j < len(b.state.Nodes) && !b.slots[b.state.Nodes[j].ID].Truthy() {
			j++
		}
		before := js.Null()
		if j < len(b.state.Nodes) {
			before = b.slots[b.state.Nodes[j].ID]
		}
		insertHTML(host, before, view.Slots(b.state.Nodes[i:j]))
		i = j
	}
	b.order = make([]uint32, 0, len(b.state.Nodes))
	at := host.Get("firstElementChild")
	for _, n := range b.state.Nodes {
		b.order = append(b.order, n.ID)
		if !b.slots[n.ID].Truthy() {
			b.slots[n.ID] = at
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
