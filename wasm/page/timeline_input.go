//go:build js && wasm

package main

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"terrarium/core/projection/wire"
)

const zoomStep = 1.5

// listen wires what a person does with the timeline. One listener of a kind: the spans come and go.
func (t *timeline) listen(host, tools element) {
	scope := &t.page.scope
	for _, e := range []element{host, tools} {
		scope.On(e.Underlying(), "click", t.clicked)
		scope.On(e.Underlying(), "input", t.typed)
	}
	// The answer to "why?" in the inspector leads here, too.
	scope.On(t.page.el("inspector").Underlying(), "click", t.clicked)
	scope.On(host.Underlying(), "keydown", t.keyed)
	scope.On(host.Underlying(), "wheel", t.wheeled)
	t.drag(host)
	js.Global().Get("ResizeObserver").New(scope.Func(func(js.Value) { t.page.frame(t.resized) })).Call("observe", t.scroll.Underlying())
	scope.On(t.page.doc, "terrarium:filter", func(ev js.Value) { t.show(text(ev.Get("detail").Get("text")), true) })
}

func (t *timeline) clicked(ev js.Value) {
	target := ev.Get("target")
	if e := target.Call("closest", "[data-tl]"); !e.IsNull() {
		t.act(e)
		return
	}
	if e := target.Call("closest", ".tl-item"); !e.IsNull() && !t.dragged {
		if id := spanOf(e); id != 0 {
			t.select_(id, true)
		}
	}
}

func spanOf(e js.Value) uint64 {
	id, err := strconv.ParseUint(text(e.Call("getAttribute", "data-span")), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

func (t *timeline) act(e js.Value) {
	switch text(e.Call("getAttribute", "data-tl")) {
	case "in":
		t.zoom(1/zoomStep, t.state.Width/2)
	case "out":
		t.zoom(zoomStep, t.state.Width/2)
	case "follow":
		t.state.Follow = !t.state.Follow
		t.ask()
	case "close":
		t.select_(0, false)
	case "span":
		if id := spanOf(e); id != 0 {
			t.select_(id, true)
			t.page.doc.Call("dispatchEvent", js.Global().Get("CustomEvent").New("terrarium:view", map[string]any{"detail": map[string]any{"view": "timeline"}}))
		}
	}
}

func (t *timeline) zoom(by float64, at int64) {
	t.state.Zoom(by, at)
	t.ask()
}

// typed handles the controls that have values.
func (t *timeline) typed(ev js.Value) {
	e := ev.Get("target")
	switch e.Get("id").String() {
	case "tl-filter":
		t.show(strings.TrimSpace(e.Get("value").String()), false)
	case "tl-quiet":
		t.state.Quiet = e.Get("checked").Bool()
		t.restart()
	case "tl-axis":
		axis := uint32(wire.AxisSteps)
		if e.Get("value").String() == "1" {
			axis = wire.AxisTime
		}
		t.state.SetAxis(axis)
		t.ask()
	case "tl-range":
		from, err := strconv.ParseFloat(e.Get("value").String(), 64)
		if err == nil {
			t.state.MoveTo(int64(from))
			t.ask()
		}
	}
}

// restart goes to the newest of another choice of spans.
func (t *timeline) restart() {
	t.state.Follow = true
	t.ask()
}

// show filters: by the name of an object when exact or when it is as complete as one, else by text.
func (t *timeline) show(filter string, exact bool) {
	t.state.Filter, t.state.Exact = filter, filter != "" && (exact || strings.Count(filter, "/") == 2)
	if exact {
		t.filter.Underlying().Set("value", filter)
	}
	t.restart()
}

// keyed handles keys on the spans.
func (t *timeline) keyed(ev js.Value) {
	if ev.Get("ctrlKey").Bool() || ev.Get("metaKey").Bool() || ev.Get("altKey").Bool() {
		return
	}
	onSpans := !ev.Get("target").Call("closest", ".tl-scroll").IsNull()
	key := ev.Get("key").String()
	if key == "Escape" && t.state.Selected != 0 {
		t.select_(0, false)
		if s := t.svg(); !s.IsNull() {
			s.Call("focus", map[string]any{"preventScroll": true})
		}
	} else if !onSpans || !t.spanKey(key) {
		return
	}
	ev.Call("preventDefault")
	ev.Call("stopPropagation")
}

func (t *timeline) spanKey(key string) bool {
	move := map[string]string{"ArrowRight": "next", "ArrowLeft": "previous", "ArrowUp": "cause", "ArrowDown": "effect", "Home": "first", "End": "last"}
	if where := move[key]; where != "" {
		if t.state.Selected == 0 && where != "first" {
			where = "last"
		}
		t.goTo(where, t.state.Selected)
		return true
	}
	switch key {
	case "+", "=":
		t.zoom(1/zoomStep, t.state.Width/2)
	case "-":
		t.zoom(zoomStep, t.state.Width/2)
	case "f", "F":
		t.restart()
		t.announce("Following the newest span.")
	case "Enter":
		it := t.state.Item()
		if it == nil || it.Object.Name == "" {
			return false
		}
		t.page.inspect(it.Object, true)
	default:
		return false
	}
	return true
}

// wheeled zooms with Ctrl (a pinch), and pans with a wheel or fingers that go sideways.
func (t *timeline) wheeled(ev js.Value) {
	if ev.Get("target").Call("closest", ".tl-svg").IsNull() {
		return
	}
	dx, dy := ev.Get("deltaX").Float(), ev.Get("deltaY").Float()
	if ev.Get("shiftKey").Bool() && dx == 0 {
		dx = dy
	}
	switch {
	case ev.Get("ctrlKey").Bool():
		t.zoom(math.Exp(dy/300), int64(ev.Get("clientX").Float()-t.svg().Call("getBoundingClientRect").Get("left").Float()))
	case math.Abs(dx) > math.Abs(dy) || ev.Get("shiftKey").Bool():
		t.state.Pan(int64(dx))
		t.ask()
	default:
		return // up and down scrolls the lanes
	}
	ev.Call("preventDefault")
}

// drag pans with the pointer; a short one is a click.
func (t *timeline) drag(host element) {
	const least = 4 // pixels
	scope := &t.page.scope
	var last float64
	var down bool
	scope.On(host.Underlying(), "pointerdown", func(ev js.Value) {
		if ev.Get("button").Int() != 0 || ev.Get("target").Call("closest", ".tl-svg").IsNull() {
			return
		}
		down, t.dragged, last = true, false, ev.Get("clientX").Float()
	})
	scope.On(js.Global(), "pointermove", func(ev js.Value) {
		if !down {
			return
		}
		x := ev.Get("clientX").Float()
		if !t.dragged && math.Abs(x-last) < least {
			return
		}
		t.dragged = true
		t.page.frames.letGo()
		t.state.Pan(int64(last - x))
		last = x
		t.ask()
	})
	for _, end := range []string{"pointerup", "pointercancel"} {
		scope.On(js.Global(), end, func(js.Value) { down = false })
	}
}
