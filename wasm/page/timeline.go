//go:build js && wasm

package main

import (
	"strconv"
	"syscall/js"

	"terrarium/core/projection/wire"
	"terrarium/wasm/jsutil"
	"terrarium/web/state"
	"terrarium/web/view"
)

// followEvery is how often, in milliseconds, a growing timeline is drawn anew: each time costs the cluster a
// few milliseconds.
const followEvery = 200

// A timeline is the timeline's pane. The worker computes each window; at most one question is under way.
type timeline struct {
	page  *page
	state *state.Timeline

	scroll, details, say, summary, rng, follow, filter, quiet, axis element

	asking  bool // a window is on its way
	again   bool // and is not what is wanted any more
	resting bool // a window was drawn for growth a moment ago
	grown   bool // meanwhile
	dragged bool // the pointer moved the window, so that its click does not count
	reveal  bool // the selected span is to be scrolled into view when drawn
}

// startTimeline fills the timeline's pane and begins to follow the cluster.
func startTimeline(p *page) {
	host, tools := p.el("timeline"), p.el("timeline-tools")
	setHTML(host, view.TimelineBody())
	setHTML(tools, view.TimelineTools())
	t := &timeline{
		page: p, state: state.NewTimeline(),
		scroll: p.el("tl-scroll"), details: p.el("tl-details"), say: p.el("tl-say"), summary: p.el("tl-summary"), rng: p.el("tl-range"),
		follow: p.el("tl-follow"), filter: p.el("tl-filter"), quiet: p.el("tl-quiet"), axis: p.el("tl-axis"),
	}
	t.listen(host, tools)
	t.measure()
	t.state.SetAxis(wire.AxisSteps)
	setHTML(t.scroll, view.Timeline(t.state))
	decoder := new(wire.Decoder)
	p.port.Stream("timeline", nil, func(frame []byte) bool {
		if _, err := decoder.Bounds(frame); err == nil {
			t.grew()
		}
		return true
	}, func(err error) { p.toasts.err(err) })
}

// grew asks for the newest, but not too often.
func (t *timeline) grew() {
	if t.resting {
		t.grown = true
		return
	}
	t.resting = true
	after(followEvery, func() {
		t.resting = false
		if t.grown {
			t.grown = false
			t.grew()
		}
	})
	t.ask()
}

// ask asks for the window as it should be now.
func (t *timeline) ask() {
	if t.asking {
		t.again = true
		return
	}
	t.asking = true
	params := t.params()
	params["from"], params["to"], params["width"] = float64(t.state.From), float64(t.state.To), t.state.Width
	params["follow"], params["selected"] = t.state.Follow, float64(t.state.Selected)
	t.page.port.Call("timelineWindow", params, func(answer js.Value, err error) {
		t.asking = false
		if err != nil {
			setText(t.summary, err.Error())
			return
		}
		w, err := new(wire.Decoder).Timeline(jsutil.ToGo(answer.Get("data")))
		if err != nil {
			setText(t.summary, err.Error())
			return
		}
		if t.again {
			t.again = false
			t.ask()
		}
		if t.state.Take(w) {
			t.page.frame(t.draw)
		}
	})
}

// params say what is shown.
func (t *timeline) params() map[string]any {
	p := map[string]any{"axis": t.state.Axis, "quiet": t.state.Quiet}
	if t.state.Exact {
		p["key"] = t.state.Filter
	} else {
		p["filter"] = t.state.Filter
	}
	return p
}

// draw puts the window on the page.
func (t *timeline) draw() {
	w := t.state.Window
	spans := t.svg()
	focused := !spans.IsNull() && t.page.doc.Get("activeElement").Equal(spans)
	setHTML(t.scroll, view.Timeline(t.state))
	if focused {
		if s := t.svg(); !s.IsNull() {
			s.Call("focus", map[string]any{"preventScroll": true})
		}
	}
	setText(t.summary, view.TimelineSummary(w))
	setPressed(t.follow, t.state.Follow)
	size := t.state.To - t.state.From
	r := t.rng.Underlying()
	for _, a := range []struct {
		name  string
		value int64
	}{{"min", w.First}, {"max", max(w.Last-size, w.First)}, {"value", t.state.From}} {
		r.Set(a.name, strconv.FormatInt(a.value, 10))
	}
	r.Set("disabled", w.Last-w.First <= size)
	if t.reveal {
		t.reveal = false
		if it := t.state.Item(); it != nil {
			e := t.page.doc.Call("getElementById", "span-"+strconv.FormatUint(it.ID, 10))
			if !e.IsNull() {
				e.Call("scrollIntoView", map[string]any{"block": "nearest", "inline": "nearest"})
			}
			t.announce(view.SpanLabel(w, it))
		}
	}
}

func (t *timeline) svg() js.Value { return t.page.doc.Call("getElementById", "tl-svg") }

func (t *timeline) announce(s string) { setText(t.say, s) }

func setPressed(e element, on bool) {
	e.SetAttribute("aria-pressed", strconv.FormatBool(on))
}

// measure fits the window to the pane. The lanes' names stand at the left, as wide as the style says.
func (t *timeline) measure() {
	host := t.scroll.Underlying()
	if host.Get("clientWidth").Int() == 0 {
		return // a narrow screen shows something else
	}
	names := js.Global().Call("parseInt", js.Global().Call("getComputedStyle", host).Call("getPropertyValue", "--tl-names")).Int()
	t.state.Resize(int64(host.Get("clientWidth").Int() - names))
}

// resized draws the timeline in its new width.
func (t *timeline) resized() {
	before := t.state.Width
	t.measure()
	if t.state.Width != before {
		t.ask()
	}
}

// select_ shows a span: its details, its chain, and, when the window is elsewhere, the place where it is.
func (t *timeline) select_(span uint64, reveal bool) {
	t.state.Select(span)
	setHidden(t.details, span == 0)
	if span == 0 {
		t.resized()
		t.ask()
		return
	}
	setHTML(t.details, view.SpanDetails(t.state))
	t.measure()
	t.page.port.Call("timelineSpan", map[string]any{"span": float64(span)}, func(answer js.Value, err error) {
		if err != nil || t.state.Selected != span {
			return
		}
		d, err := new(wire.Decoder).Span(jsutil.ToGo(answer.Get("data")))
		if err != nil {
			return
		}
		t.state.Details = d
		setHTML(t.details, view.SpanDetails(t.state))
	})
	if !reveal {
		t.ask()
		return
	}
	t.goTo("itself", span)
}

// goTo selects the span that a step leads to and brings it into view. A span that the filter or the quiet
// switch hides is still selected; then the window stays where it is.
func (t *timeline) goTo(where string, from uint64) {
	params := t.params()
	params["span"], params["where"] = float64(from), where
	t.page.port.Call("timelineGo", params, func(answer js.Value, err error) {
		if err != nil {
			return
		}
		span := uint64(answer.Get("span").Float())
		if span == 0 {
			if where == "itself" {
				t.ask()
			} else {
				t.announce("There is no " + where + ".")
			}
			return
		}
		t.state.Reveal(int64(answer.Get("at").Float()))
		t.reveal = true
		if span != t.state.Selected {
			t.select_(span, false)
			return
		}
		t.ask()
	})
}
