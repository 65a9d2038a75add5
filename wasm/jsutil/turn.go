//go:build js && wasm

package jsutil

import (
	"syscall/js"
	"time"
)

// Turns calls a func on a later turn of the event loop: at once after the browser has had its turn
// (a MessageChannel ping, 0.1 ms, where a timer would cost 4), or after a delay.
type Turns struct {
	port       js.Value
	setTimeout js.Value
	ring       js.Value
	timer      js.Value // the waiting timer; undefined when there is none
	pinged     bool     // a ping is on its way
}

// NewTurns returns Turns whose callbacks belong to scope. turn must not block.
func NewTurns(scope *Scope, turn func()) *Turns {
	channel := js.Global().Get("MessageChannel").New()
	t := &Turns{port: channel.Get("port1"), setTimeout: js.Global().Get("setTimeout"), timer: js.Undefined()}
	channel.Get("port2").Set("onmessage", scope.Func(func(js.Value) {
		t.pinged = false
		t.stopTimer()
		turn()
	}))
	t.ring = scope.Func(func(js.Value) {
		t.timer = js.Undefined()
		t.Soon()
	})
	scope.Defer(func() {
		t.stopTimer()
		channel.Get("port1").Call("close")
		channel.Get("port2").Call("close")
	})
	return t
}

// Soon asks for a turn as soon as the browser has had its own.
func (t *Turns) Soon() {
	if t.pinged {
		return
	}
	t.pinged = true
	t.port.Call("postMessage", 0)
}

// After asks for a turn in d, unless one comes earlier. It replaces an earlier After.
func (t *Turns) After(d time.Duration) {
	if t.pinged {
		return
	}
	t.stopTimer()
	if d <= 0 {
		t.Soon()
		return
	}
	ms := (d + time.Millisecond - 1) / time.Millisecond
	t.timer = t.setTimeout.Invoke(t.ring, int(min(ms, time.Hour/time.Millisecond)))
}

func (t *Turns) stopTimer() {
	if !t.timer.IsUndefined() {
		js.Global().Call("clearTimeout", t.timer)
		t.timer = js.Undefined()
	}
}

// After runs f once, in d.
func After(d time.Duration, f func()) {
	s := new(Scope)
	js.Global().Call("setTimeout", s.Func(func(js.Value) {
		defer s.Close()
		f()
	}), int(d/time.Millisecond))
}
