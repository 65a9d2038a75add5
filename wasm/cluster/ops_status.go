//go:build js && wasm

package main

import (
	"math"
	"runtime"

	"terrarium/core/projection/wire"
	"terrarium/wasm/port"
)

// stats are figures for tests and the curious.
func (p *program) stats(_ port.Args, reply func(port.Result, error)) {
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	c := p.cluster
	r := port.Result{
		"revision": int64(c.Store.Revision()),
		"tasks":    int64(c.Loop.Ran()),
		"nodes":    c.Store.Count("nodes", ""),
		"pods":     c.Store.Count("pods", ""),
		"clients":  p.server.Clients(),
		"heap":     int64(mem.HeapAlloc),
		"collects": int64(mem.NumGC),
	}
	if c.Journal != nil {
		r["durable"] = int64(c.Journal.Durable())
	}
	reply(r, nil)
}

// A statusSource tells a page how the clock and the storage stand, whenever either changes.
type statusSource struct {
	program *program
	encoder *wire.Encoder
	last    wire.Status
	wake    func()
	closed  bool
}

func (p *program) openStatus(_ port.Args, wake func()) (port.Source, error) {
	s := &statusSource{program: p, encoder: wire.NewEncoder(), wake: wake}
	p.statuses[s] = true
	return s, nil
}

// Next returns the status if it is not as it was.
func (s *statusSource) Next() (frame []byte, ok bool) {
	now := s.program.status()
	if now == s.last {
		return nil, false
	}
	s.last = now
	return s.encoder.Status(&now), true
}

func (s *statusSource) Close() { delete(s.program.statuses, s) }

func (p *program) status() wire.Status {
	c := p.cluster
	st := wire.Status{Now: c.Loop.Now().UnixMilli(), Paused: c.Clock.Paused(), Speed: wire.MaxSpeed}
	if x := c.Clock.Speed(); !math.IsInf(x, 1) {
		st.Speed = int64(math.Round(x * 1000))
	}
	st.Saved, st.Message = p.keeper.status()
	if next := c.Loop.Pending(1); len(next) > 0 {
		st.NextComponent, st.NextAction, st.NextObject = next[0].Component, next[0].Action, next[0].Object
		st.NextAt = next[0].At.UnixMilli()
	}
	return st
}
