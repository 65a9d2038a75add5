//go:build js && wasm

package port

import (
	"errors"
	"syscall/js"
	"testing"
	"time"

	"terrarium/wasm/jsutil"
)

// A world is a server and one client of it, at the two ends of a MessageChannel.
type world struct {
	*testing.T
	scope  jsutil.Scope
	server *Server
	near   js.Value // the client's end
	far    js.Value
	heard  chan js.Value
	source *source
}

// A source counts.
type source struct {
	n, due int // sent, and to send
	wake   func()
	closed bool
}

func (s *source) Next() ([]byte, bool) {
	if s.n == s.due {
		return nil, false
	}
	s.n = s.due // whatever happened since the last frame is one frame
	return []byte{byte(s.n)}, true
}

func (s *source) Close() { s.closed = true }

func newWorld(t *testing.T) *world {
	w := &world{T: t, heard: make(chan js.Value, 100), source: &source{due: 1}}
	turns := jsutil.NewTurns(&w.scope, func() { w.server.Pump() })
	w.server = NewServer(Ops{
		Call: map[string]Call{
			"echo": func(a Args, reply func(Result, error)) {
				reply(Result{"text": a.String("text"), "n": a.Float("n"), "yes": a.Bool("yes"), "bytes": []byte{1, 2}, "list": []any{"x", map[string]any{"b": []byte{3}}}}, nil)
			},
			"refuse": func(_ Args, reply func(Result, error)) { reply(nil, errors.New("no")) },
			"panic":  func(Args, func(Result, error)) { panic("oh") },
			"later": func(_ Args, reply func(Result, error)) {
				jsutil.After(time.Millisecond, func() { reply(Result{}, nil) })
			},
		},
		Stream: map[string]Stream{
			"count": func(_ Args, wake func()) (Source, error) {
				w.source.wake = wake
				return w.source, nil
			},
			"none": func(Args, func()) (Source, error) { return nil, errors.New("no stream") },
		},
	}, turns.Soon)
	channel := js.Global().Get("MessageChannel").New()
	w.near, w.far = channel.Get("port1"), channel.Get("port2")
	w.near.Set("onmessage", w.scope.Func(func(ev js.Value) { w.heard <- ev.Get("data") }))
	w.server.Connect(w.far)
	t.Cleanup(func() {
		w.server.Close()
		w.near.Call("close")
		w.scope.Close()
	})
	return w
}

func (w *world) say(id int, op string, more map[string]any) {
	m := map[string]any{"id": id, "op": op}
	for k, v := range more {
		m[k] = v
	}
	w.near.Call("postMessage", m)
}

// hear returns the next message.
func (w *world) hear() js.Value {
	w.Helper()
	select {
	case v := <-w.heard:
		return v
	case <-time.After(5 * time.Second):
		w.Fatal("nothing heard")
		return js.Undefined()
	}
}

func (w *world) silence() {
	w.Helper()
	select {
	case v := <-w.heard:
		w.Fatalf("heard %s", js.Global().Get("JSON").Call("stringify", v))
	case <-time.After(30 * time.Millisecond):
	}
}

func text(v js.Value) string { return js.Global().Get("JSON").Call("stringify", v).String() }

func TestCall(t *testing.T) {
	w := newWorld(t)
	w.say(7, "echo", map[string]any{"text": "<b>", "n": 2.5, "yes": true})
	got := w.hear()
	if got.Get("id").Int() != 7 || got.Get("text").String() != "<b>" || got.Get("n").Float() != 2.5 || !got.Get("yes").Bool() {
		t.Errorf("got %s", text(got))
	}
	if b := got.Get("bytes"); !b.InstanceOf(js.Global().Get("Uint8Array")) || b.Length() != 2 {
		t.Errorf("bytes: got %s", text(b))
	}
	if b := got.Get("list").Index(1).Get("b"); b.Index(0).Int() != 3 {
		t.Errorf("bytes in a list: got %s", text(b))
	}
}

func TestRefusals(t *testing.T) {
	w := newWorld(t)
	for op, want := range map[string]string{
		"refuse": "no", "none": "no stream", "nonsense": `unknown op "nonsense"`, "": `unknown op ""`,
	} {
		w.say(1, op, nil)
		if got := w.hear().Get("error").String(); got != want {
			t.Errorf("op %q: got %q, want %q", op, got, want)
		}
	}
	for _, junk := range []any{nil, "text", 5, []any{1}, map[string]any{}} {
		w.near.Call("postMessage", junk)
	}
	w.say(2, "later", nil)
	for w.hear().Get("id").Int() != 2 { // answers to junk may come first
	}
}

// One handler that panics is answered, and the next call is served.
func TestPanic(t *testing.T) {
	quiet := js.Global().Get("console").Get("error")
	js.Global().Get("console").Set("error", js.Global().Get("Function").New())
	defer js.Global().Get("console").Set("error", quiet)
	w := newWorld(t)
	w.say(1, "panic", nil)
	if got, want := w.hear().Get("error").String(), `the cluster program failed at "panic": oh`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	w.say(2, "echo", nil)
	if got := w.hear().Get("id").Int(); got != 2 {
		t.Errorf("after a panic: got an answer to %d", got)
	}
}

// A stream sends one frame, and the next only after an acknowledgment, whatever happens meanwhile.
func TestBackPressure(t *testing.T) {
	w := newWorld(t)
	frame := func() int {
		t.Helper()
		return w.hear().Get("frame").Index(0).Int()
	}
	w.say(1, "count", nil)
	if got := frame(); got != 1 {
		t.Fatalf("first frame: got %d", got)
	}
	for range 5 {
		w.source.due++
		w.source.wake()
	}
	w.silence()
	w.say(1, "ack", nil)
	if got := frame(); got != 6 {
		t.Errorf("five changes while the client was busy: got frame %d, want one frame, 6", got)
	}
	w.say(1, "ack", nil)
	w.silence() // nothing new
	w.source.due++
	w.source.wake()
	if got := frame(); got != 7 {
		t.Errorf("a change while the client waits: got %d", got)
	}
	w.say(1, "cancel", nil)
	w.say(2, "later", nil)
	w.hear()
	if !w.source.closed {
		t.Error("a canceled stream keeps its source open")
	}
	w.source.due++
	w.source.wake()
	w.say(1, "ack", nil)
	w.silence()
}

func TestDisconnect(t *testing.T) {
	w := newWorld(t)
	w.say(1, "count", nil)
	w.hear()
	w.server.Disconnect(w.far)
	if !w.source.closed || w.server.Clients() != 0 {
		t.Errorf("after the client went: source closed %v, %d clients", w.source.closed, w.server.Clients())
	}
	w.source.wake() // a late wake harms nobody
	w.server.Pump()
}
