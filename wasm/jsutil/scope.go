//go:build js && wasm

package jsutil

import (
	"runtime"
	"syscall/js"
)

// A Scope owns the JavaScript callbacks of one thing (a view, a port, a program) and drops them together.
// The zero Scope is ready for use.
type Scope struct {
	undo []func()
	// OnPanic gets what a callback of this scope panicked with, and the stack. nil writes it to the
	// console as an error.
	OnPanic func(message string)
}

// Func returns a JavaScript function that calls handle with its first argument, undefined when there is
// none. It lives as long as the scope.
func (s *Scope) Func(handle func(arg js.Value)) js.Value {
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer s.recovered()
		if len(args) == 0 {
			handle(js.Undefined())
		} else {
			handle(args[0])
		}
		return nil
	})
	s.undo = append(s.undo, f.Release)
	return f.Value
}

// On listens for event on target until the scope closes.
func (s *Scope) On(target js.Value, event string, handle func(ev js.Value)) {
	f := s.Func(handle)
	target.Call("addEventListener", event, f)
	s.undo = append(s.undo, func() { target.Call("removeEventListener", event, f) })
}

// Defer runs f when the scope closes, before what was added earlier.
func (s *Scope) Defer(f func()) { s.undo = append(s.undo, f) }

// Close drops the callbacks: the last first, so that a listener is removed before its func is released.
func (s *Scope) Close() {
	undo := s.undo
	s.undo = nil
	for i := len(undo) - 1; i >= 0; i-- {
		undo[i]()
	}
}

func (s *Scope) recovered() {
	r := recover()
	if r == nil {
		return
	}
	message := "panic: " + words(r) + "\n" + stack()
	if s.OnPanic != nil {
		s.OnPanic(message)
		return
	}
	Error(message)
}

// words says what was panicked with. It does without fmt, which would be a fifth of the page's program.
func words(r any) string {
	switch r := r.(type) {
	case error:
		return r.Error()
	case string:
		return r
	case interface{ String() string }:
		return r.String()
	}
	return "(not an error)"
}

func stack() string {
	buf := make([]byte, 8<<10)
	return string(buf[:runtime.Stack(buf, false)])
}
