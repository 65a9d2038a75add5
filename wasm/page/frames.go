//go:build js && wasm

package main

import (
	"syscall/js"
	"time"

	"terrarium/wasm/jsutil"
)

// budget is how much of an animation frame drawing the board may take: what is left over waits for the next.
const budget = 8 * time.Millisecond

// frames runs funcs in animation frames. A hidden page has none, so nothing is drawn and, since streams are
// acknowledged from here, nothing is sent to it.
type frames struct {
	queue   []func()
	request js.Value
	tick    js.Value
	pressed time.Time // since when a button of the mouse is down; zero: it is not
}

// patience is how long a press holds drawing up: what is pressed must still be there when it is let go, or
// the browser sees no click.
const patience = 700 * time.Millisecond

func newFrames(scope *jsutil.Scope) *frames {
	f := &frames{request: js.Global().Get("requestAnimationFrame")}
	press := func(js.Value) { f.pressed = time.Now() }
	release := func(js.Value) { after(0, func() { f.pressed = time.Time{} }) } // the click comes first
	scope.On(js.Global(), "pointerdown", press)
	scope.On(js.Global(), "pointerup", release)
	scope.On(js.Global(), "pointercancel", release)
	f.tick = scope.Func(func(js.Value) {
		now := time.Now()
		if !f.pressed.IsZero() && now.Sub(f.pressed) < patience {
			f.request.Invoke(f.tick)
			return
		}
		queue := f.queue
		f.queue = nil
		for _, run := range queue {
			run()
		}
	})
	return f
}

// next runs f once, in the next animation frame.
func (f *frames) next(run func()) {
	if len(f.queue) == 0 {
		f.request.Invoke(f.tick)
	}
	f.queue = append(f.queue, run)
}

// after runs f in ms milliseconds.
func after(ms int, f func()) {
	s := new(jsutil.Scope)
	js.Global().Call("setTimeout", s.Func(func(js.Value) {
		defer s.Close()
		f()
	}), ms)
}
