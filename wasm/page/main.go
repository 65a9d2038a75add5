//go:build js && wasm

package main

import (
	"syscall/js"

	"terrarium/wasm/jsutil"
	html "terrarium/web/dom"
)

func main() {
	host := js.Global().Get("terrariumPage")
	p := newPage(host)
	p.start()
	host.Call("mounted")
	select {} // callbacks do the rest
}

// A page is the frame of the page and its parts.
type page struct {
	scope jsutil.Scope
	port  *client
	doc   js.Value
	host  js.Value

	frames    *frames
	toasts    *toasts
	menu      *menu
	confirm   *confirm
	clock     *clock
	board     *board
	inspector *inspector
}

// newPage returns the page of a host, terrariumPage of boot.ts.
func newPage(host js.Value) *page {
	p := &page{doc: js.Global().Get("document"), host: host}
	p.frames = newFrames(&p.scope)
	p.port = newClient(&p.scope, host.Get("port"), p.frames)
	p.toasts = newToasts(p)
	p.menu = newMenu(p)
	p.confirm = newConfirm(p)
	p.clock = newClock(p)
	p.board = newBoard(p)
	p.inspector = newInspector(p)
	return p
}

// start listens to the person and the cluster.
func (p *page) start() {
	p.scope.On(p.doc, "click", p.clicked)
	p.scope.On(p.doc, "keydown", p.keyed)
	p.scope.On(p.doc, "submit", p.submitted)
	p.scope.On(p.doc, "terrarium:select", func(ev js.Value) {
		d := ev.Get("detail")
		p.inspect(refOf(d.Get("resource").String(), text(d.Get("namespace")), d.Get("name").String()), false)
	})
	p.scope.On(p.doc, "terrarium:deselect", func(js.Value) { p.closeInspector() })
	p.scope.On(js.Global(), "resize", func(js.Value) { p.board.resized() })
	p.clock.start()
	p.board.start()
	startTimeline(p)
}

// frame runs f once, in the next animation frame.
func (p *page) frame(f func()) { p.frames.next(f) }

// patch makes the children of e what h describes. Those that stay are the same elements as before, and the focus
// stays where it is, or goes to fallback.
func (p *page) patch(e element, h html.HTML, fallback element) {
	focus := keepFocus(e.Underlying())
	p.host.Call("patch", e.Underlying(), h.String())
	focus.restore(fallback.Underlying())
}

// el returns an element of index.html.
func (p *page) el(id string) element {
	e := p.doc.Call("getElementById", id)
	if e.IsNull() {
		panic("BUG: index.html has no #" + id)
	}
	return wrap(e)
}

// text returns a string value, or "" for anything else.
func text(v js.Value) string {
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}
