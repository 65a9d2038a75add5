//go:build js && wasm

package main

import (
	"math"
	"syscall/js"
)

// A press is a mouse button that is held down on something. It counts even if what is pressed is drawn anew before
// the button is up, in the middle of which the browser forgets to click.
type press struct {
	key  string   // names what is pressed; "" once it was clicked
	on   js.Value // the element with that name when the button went down
	x, y float64
}

const pressMoves = 4 // pixels; farther is a drag

// startPresses clicks what was pressed where the browser does not.
func (p *page) startPresses() {
	var now press
	p.scope.On(p.doc, "pointerdown", func(ev js.Value) {
		now = press{}
		if ev.Get("pointerType").String() == "mouse" && ev.Get("button").Int() == 0 {
			now.key, now.on = pressable(ev.Get("target"))
			now.x, now.y = ev.Get("clientX").Float(), ev.Get("clientY").Float()
		}
	})
	p.scope.On(p.doc, "click", func(ev js.Value) {
		if key, _ := pressable(ev.Get("target")); key != "" {
			now.key = ""
		}
	})
	p.scope.On(p.doc, "pointerup", func(ev js.Value) {
		if now.key == "" || math.Hypot(ev.Get("clientX").Float()-now.x, ev.Get("clientY").Float()-now.y) >= pressMoves {
			return
		}
		up := ev.Get("target")
		after(0, func() { p.finish(&now, up) }) // the browser's own click comes first
	})
}

// finish clicks what is pressed unless that has happened. up is where the button went up.
func (p *page) finish(now *press, up js.Value) {
	if now.key == "" {
		return
	}
	e := now.on
	if !e.Get("isConnected").Bool() {
		e = p.doc.Call("querySelector", now.key)
	} else if !e.Call("contains", up).Bool() {
		return
	}
	now.key = ""
	if !e.IsNull() {
		e.Call("dispatchEvent", js.Global().Get("MouseEvent").New("click", map[string]any{"bubbles": true, "cancelable": true, "detail": 1}))
	}
}

// pressable returns what a click on target would be for, and a selector that it keeps when it is drawn anew.
func pressable(target js.Value) (key string, e js.Value) {
	if target.Get("closest").Type() != js.TypeFunction {
		return "", e
	}
	e = target.Call("closest", "[data-act],[data-open],[data-tl]")
	if e.IsNull() || e.Call("matches", ":disabled").Bool() {
		return "", e
	}
	return selectorOf(e), e
}
