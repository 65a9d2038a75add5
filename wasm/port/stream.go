//go:build js && wasm

package port

import "terrarium/wasm/jsutil"

// A stream is one open stream of a client. It is in the server's ready list exactly when it was woken
// since its last frame and the client has acknowledged that frame.
type stream struct {
	client *client
	id     int
	source Source
	woken  bool // Next may have something
	credit bool // the client is ready for a frame
	queued bool // in the server's ready list
}

func (st *stream) wake() {
	st.woken = true
	st.queue()
}

func (st *stream) acked() {
	if st != nil {
		st.credit = true
		st.queue()
	}
}

func (st *stream) queue() {
	if !st.woken || !st.credit || st.queued {
		return
	}
	st.queued = true
	s := st.client.server
	s.ready = append(s.ready, st)
	s.pump()
}

func (st *stream) send() {
	if st.source == nil || !st.credit || st.client.streams[st.id] != st {
		return
	}
	st.woken = false
	frame, ok := st.source.Next()
	if !ok {
		return
	}
	st.credit = false
	a := jsutil.ToJS(frame)
	st.client.post(map[string]any{"id": st.id, "frame": a}, a.Get("buffer"))
}

func (st *stream) close() {
	if st == nil {
		return
	}
	delete(st.client.streams, st.id)
	if st.source != nil {
		st.source.Close()
	}
}
