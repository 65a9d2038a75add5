//go:build js && wasm

package main

import (
	"strconv"
	"syscall/js"

	"terrarium/core/projection/wire"
	"terrarium/web/view"
)

// A clock is the time control and the sign that says what is saved.
type clock struct {
	page   *page
	decode wire.Decoder
	status *wire.Status // the last one; nil before the first

	pause, step, speed, now, next element
	saved, savedText, unsaved     element
}

func newClock(p *page) *clock {
	return &clock{
		page: p, pause: p.el("pause"), step: p.el("step"), speed: p.el("speed"), now: p.el("clock"), next: p.el("next"),
		saved: p.el("saved"), savedText: p.el("saved-text"), unsaved: p.el("unsaved"),
	}
}

func (c *clock) start() {
	c.page.scope.On(c.pause.Underlying(), "click", func(js.Value) { c.toggle() })
	c.page.scope.On(c.step.Underlying(), "click", func(js.Value) { c.stepOnce() })
	c.page.scope.On(c.speed.Underlying(), "change", func(js.Value) { c.setSpeed() })
	c.page.port.Stream("status", nil, func(frame []byte) bool {
		s, err := c.decode.Status(frame)
		if err != nil {
			c.page.toasts.err(err)
			return false
		}
		c.draw(s)
		c.page.inspector.tick(s.Now)
		return true
	}, c.page.toasts.err)
}

func (c *clock) toggle() {
	op := "pause"
	if c.status != nil && c.status.Paused {
		op = "resume"
	}
	c.page.port.Call(op, nil, func(_ js.Value, err error) { c.page.toasts.err(err) })
}

// stepOnce runs the next task; a running clock stops first, since a step in passing shows nothing.
func (c *clock) stepOnce() {
	if c.status != nil && !c.status.Paused {
		c.page.port.Call("pause", nil, func(_ js.Value, err error) { c.page.toasts.err(err) })
	}
	c.page.port.Call("step", nil, func(answer js.Value, err error) {
		if err != nil {
			c.page.toasts.err(err)
			return
		}
		label := answer.Get("label")
		if label.Type() != js.TypeObject {
			return
		}
		did := text(label.Get("component")) + " " + text(label.Get("action"))
		if on := text(label.Get("object")); on != "" {
			did += " " + on
		}
		c.page.announce("Ran " + did)
	})
}

func (c *clock) setSpeed() {
	value := c.speed.Underlying().Get("value").String()
	var x any = value
	if value != "max" {
		x = js.Global().Call("Number", value)
	}
	c.page.port.Call("speed", map[string]any{"x": x}, func(_ js.Value, err error) { c.page.toasts.err(err) })
}

func (c *clock) draw(s *wire.Status) {
	first := c.status == nil
	old := c.status
	c.status = s
	setText(c.now, view.Clock(s.Now))
	c.now.SetAttribute("datetime", view.Stamp(s.Now))
	setText(c.next, view.Next(s))
	c.next.SetTitle(c.next.TextContent())
	if first {
		for _, e := range []element{c.pause, c.step, c.speed} {
			setDisabled(e, false)
		}
	}
	if first || old.Paused != s.Paused {
		c.pause.SetAttribute("aria-pressed", strconv.FormatBool(s.Paused))
		c.pause.SetAttribute("title", map[bool]string{true: "Let time run (Space)", false: "Pause time (Space)"}[s.Paused])
		c.page.doc.Get("documentElement").Call("setAttribute", "data-paused", strconv.FormatBool(s.Paused))
	}
	if first || old.Speed != s.Speed {
		c.drawSpeed(s.Speed)
	}
	if first || old.Saved != s.Saved || old.Message != s.Message {
		c.drawSaved(s)
	}
}

// drawSpeed selects the speed; one that the list lacks (a test's) is added to it.
func (c *clock) drawSpeed(thousandths int64) {
	value := "max"
	if thousandths != wire.MaxSpeed {
		value = view.Cores(thousandths)
	}
	sel := c.speed.Underlying()
	sel.Set("value", value)
	if sel.Get("selectedIndex").Int() < 0 {
		o := wrap(c.page.doc.Call("createElement", "option"))
		o.SetAttribute("value", value)
		o.SetTextContent(value + "×")
		sel.Call("append", o.Underlying())
		sel.Set("value", value)
	}
}

func (c *clock) drawSaved(s *wire.Status) {
	c.saved.SetAttribute("data-state", s.Saved)
	words := map[string]string{"saved": "Saved", "saving": "Saving", "not-saved": "Not saved"}[s.Saved]
	setText(c.savedText, words)
	c.saved.SetTitle(s.Message)
	if s.Saved == "not-saved" {
		setHTML(c.unsaved, view.Unsaved(s.Message))
	}
	setHidden(c.unsaved, s.Saved != "not-saved")
}
