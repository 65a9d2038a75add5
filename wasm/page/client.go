//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"

	"terrarium/wasm/jsutil"
)

// A client talks to the worker: the other end of wasm/port.
type client struct {
	port    js.Value
	frames  *frames
	id      int
	calls   map[int]func(js.Value, error)
	streams map[int]*stream
}

// A stream is one open stream: at most one of its frames is on its way or waiting to be drawn.
type stream struct {
	// take handles a frame, nil for going on with the one before. It runs in an animation frame and
	// returns true when it has drawn everything and wants the next.
	take func(frame []byte) (done bool)
	fail func(error)
}

func newClient(scope *jsutil.Scope, port js.Value, frames *frames) *client {
	c := &client{port: port, frames: frames, calls: make(map[int]func(js.Value, error)), streams: make(map[int]*stream)}
	port.Set("onmessage", scope.Func(func(ev js.Value) { c.receive(ev.Get("data")) }))
	return c
}

// Call asks once. done gets the answer, or an error in words for a person.
func (c *client) Call(op string, params map[string]any, done func(js.Value, error)) {
	c.id++
	c.calls[c.id] = done
	c.post(c.id, op, params)
}

// Stream asks for frames until cancel is called. See stream.take.
func (c *client) Stream(op string, params map[string]any, take func(frame []byte) (done bool), fail func(error)) (cancel func()) {
	c.id++
	id := c.id
	c.streams[id] = &stream{take, fail}
	c.post(id, op, params)
	return func() {
		if c.streams[id] != nil {
			delete(c.streams, id)
			c.post(id, "cancel", nil)
		}
	}
}

func (c *client) post(id int, op string, params map[string]any) {
	message := map[string]any{"id": id, "op": op}
	for k, v := range params {
		message[k] = v
	}
	c.port.Call("postMessage", message)
}

func (c *client) receive(data js.Value) {
	id := data.Get("id").Int()
	var err error
	if e := data.Get("error"); e.Type() == js.TypeString {
		err = errors.New(e.String())
	}
	if done, ok := c.calls[id]; ok {
		delete(c.calls, id)
		if done != nil {
			done(data, err)
		}
		return
	}
	s := c.streams[id]
	if s == nil {
		return
	}
	if err != nil {
		delete(c.streams, id)
		s.fail(err)
		return
	}
	frame := jsutil.ToGo(data.Get("frame"))
	c.frames.next(func() { c.draw(id, s, frame) })
}

// draw lets the stream's owner handle a frame, over as many animation frames as it takes.
func (c *client) draw(id int, s *stream, frame []byte) {
	if c.streams[id] != s {
		return
	}
	if s.take(frame) {
		c.frames.rest(func() {
			if c.streams[id] == s {
				c.post(id, "ack", nil)
			}
		})
		return
	}
	c.frames.next(func() { c.draw(id, s, nil) })
}

// Request makes one request of the Kubernetes API. done gets the body, or the server's words as an error.
func (c *client) Request(method, path, contentType, body string, done func(body string, err error)) {
	params := map[string]any{"method": method, "path": path}
	if body != "" {
		params["body"], params["contentType"] = body, contentType
	}
	c.Call("request", params, func(answer js.Value, err error) {
		if err != nil {
			done("", err)
			return
		}
		body := answer.Get("body").String()
		if answer.Get("status").Int() >= 400 {
			done(body, errors.New(statusMessage(body)))
			return
		}
		done(body, nil)
	})
}

// statusMessage returns the message of a Kubernetes Status.
func statusMessage(body string) string {
	message := ""
	if jsutil.Try(func() { message = text(js.Global().Get("JSON").Call("parse", body).Get("message")) }) != nil || message == "" {
		return body
	}
	return message
}
