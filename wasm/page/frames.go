//go:build js && wasm

package main

import (
	"syscall/js"
	"time"

	"terrarium/wasm/jsutil"
)

// budget is how much of an animation frame drawing the board may take: what is left over waits for the next.
// The browser's own work on what changed (style, layout, paint) takes about as long again.
const budget = 5 * time.Millisecond

// frames runs funcs in animation frames. A hidden page has none, so nothing is drawn and, since streams are
// acknowledged from here, nothing is sent to it.
type frames struct {
	queue   []func()
	request js.Value
	tick    js.Value
	pressed time.Time // since when a button of the mouse is down; zero: it is not

	channel js.Value  // brings a message when the browser has put a frame on the screen
	began   time.Time // the frame on its way to the screen
	resting []func()  // that wait for its end
}

// restShare is how much longer than its last animation frame took the page waits before it lets the cluster
// send more: the cluster keeps most of the machine when much changes, and the page answers at once when little
// does.
const (
	restShare   = 3
	longestRest = 250 * time.Millisecond
)

// patience is how long a press holds drawing up: what is pressed must still be there when it is let go, or
// the browser sees no click.
const patience = 700 * time.Millisecond

func newFrames(scope *jsutil.Scope) *frames {
	f := &frames{request: js.Global().Get("requestAnimationFrame")}
	press := func(js.Value) { f.pressed = time.Now() }
	release := func(js.Value) { after(0, f.letGo) } // the click comes first
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
		f.began = now
		for i, run := range queue {
			if i > 0 && time.Since(now) > budget/2 { // what has had no turn comes first in the next frame
				if len(f.queue) == 0 {
					f.request.Invoke(f.tick)
				}
				f.queue = append(queue[i:len(queue):len(queue)], f.queue...)
				break
			}
			run()
		}
		if len(f.resting) > 0 {
			f.channel.Call("postMessage", js.Null())
		}
	})
	channel := js.Global().Get("MessageChannel").New()
	f.channel = channel.Get("port1")
	channel.Get("port2").Set("onmessage", scope.Func(func(js.Value) { f.shown() }))
	return f
}

// rest runs f when the frame under way is on the screen and the rest it asks for is over. It is for use
// within an animation frame.
func (f *frames) rest(then func()) { f.resting = append(f.resting, then) }

// shown hears that the browser is done with a frame.
func (f *frames) shown() {
	then := f.resting
	f.resting = nil
	pause := min(restShare*time.Since(f.began), longestRest)
	after(int(pause.Milliseconds()), func() {
		for _, run := range then {
			run()
		}
	})
}

// letGo ends the wait for the end of a press, which is none any more or will not be a click.
func (f *frames) letGo() { f.pressed = time.Time{} }

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
