//go:build js && wasm

package port

import (
	"fmt"
	"runtime/debug"
	"syscall/js"

	"terrarium/wasm/jsutil"
)

// A Server serves Ops to any number of clients.
type Server struct {
	ops     Ops
	clients map[*client]bool
	ready   []*stream // woken and acknowledged: each gets one frame at the next Pump
	pump    func()
}

// NewServer returns a server without clients. It calls pump, which must arrange for Pump to be called
// soon, when a stream has a frame to send.
func NewServer(ops Ops, pump func()) *Server {
	return &Server{ops: ops, clients: make(map[*client]bool), pump: pump}
}

// Connect serves the client at the other end of port until Disconnect.
func (s *Server) Connect(port js.Value) {
	c := &client{server: s, port: port, streams: make(map[int]*stream)}
	s.clients[c] = true
	port.Set("onmessage", c.scope.Func(func(ev js.Value) { c.receive(Args{ev.Get("data")}) }))
}

// Disconnect closes the client of that port and its streams.
func (s *Server) Disconnect(port js.Value) {
	for c := range s.clients {
		if c.port.Equal(port) {
			c.close()
		}
	}
}

// Close closes every client.
func (s *Server) Close() {
	for c := range s.clients {
		c.close()
	}
}

// Clients returns how many clients are connected.
func (s *Server) Clients() int { return len(s.clients) }

// Pump sends what the woken streams have to send, one frame each.
func (s *Server) Pump() {
	ready := s.ready
	s.ready = nil
	for _, st := range ready {
		st.queued = false
		st.send()
	}
}

// A client is one connected port.
type client struct {
	server  *Server
	scope   jsutil.Scope
	port    js.Value
	streams map[int]*stream
}

func (c *client) receive(a Args) {
	if a.v.Type() != js.TypeObject {
		return
	}
	id, op := int(a.Float("id")), a.String("op")
	defer func() {
		if r := recover(); r != nil {
			jsutil.Error(fmt.Sprintf("op %q: panic: %v\n%s", op, r, debug.Stack()))
			c.fail(id, fmt.Errorf("the cluster program failed at %q: %v", op, r))
		}
	}()
	switch op {
	case "ack":
		c.streams[id].acked()
	case "cancel":
		c.streams[id].close()
	default:
		c.serve(id, op, a)
	}
}

func (c *client) serve(id int, op string, a Args) {
	if call, ok := c.server.ops.Call[op]; ok {
		call(a, func(r Result, err error) { c.answer(id, r, err) })
		return
	}
	open, ok := c.server.ops.Stream[op]
	if !ok {
		c.fail(id, fmt.Errorf("unknown op %q", op))
		return
	}
	if c.streams[id] != nil {
		c.fail(id, fmt.Errorf("stream %d is already open", id))
		return
	}
	st := &stream{client: c, id: id, credit: true}
	source, err := open(a, st.wake)
	if err != nil {
		c.fail(id, err)
		return
	}
	st.source = source
	c.streams[id] = st
	st.wake() // the first frame: what there is now
}

func (c *client) answer(id int, r Result, err error) {
	if err != nil {
		c.fail(id, err)
		return
	}
	message := map[string]any{"id": id}
	for name, v := range r {
		message[name] = convert(v)
	}
	c.post(message)
}

func (c *client) fail(id int, err error) {
	c.post(map[string]any{"id": id, "error": err.Error()})
}

func (c *client) post(message map[string]any, transfer ...any) {
	if c.server.clients[c] {
		c.port.Call("postMessage", message, transfer)
	}
}

func (c *client) close() {
	for _, st := range c.streams {
		st.close()
	}
	delete(c.server.clients, c)
	c.port.Set("onmessage", js.Null())
	c.port.Call("close")
	c.scope.Close()
}

// convert makes v something that js.ValueOf takes.
func convert(v any) any {
	switch v := v.(type) {
	case []byte:
		return jsutil.ToJS(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = convert(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = convert(x)
		}
		return out
	}
	return v
}
