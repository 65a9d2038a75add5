//go:build js && wasm

package main

import (
	"syscall/js"
	"time"

	"terrarium/core/cluster"
	"terrarium/wasm/jsutil"
	"terrarium/wasm/port"
)

// slice is how long the cluster runs before the browser gets its turn.
const slice = 8 * time.Millisecond

// A program is the cluster with what drives and serves it.
type program struct {
	host    js.Value // terrariumWorker of cluster-worker.ts
	scope   jsutil.Scope
	opts    options
	cluster *cluster.Cluster
	server  *port.Server
	turns   *jsutil.Turns
	last    time.Time // of the turn before
}

func newProgram(host js.Value, opts options) *program {
	p := &program{host: host, opts: opts}
	p.turns = jsutil.NewTurns(&p.scope, p.turn)
	return p
}

func (p *program) start() {
	p.cluster = cluster.New(p.opts.config)
	p.cluster.Start()
	p.serve()
}

// serve lets the pages in and time run.
func (p *program) serve() {
	if p.opts.speed != 0 {
		p.cluster.Clock.SetSpeed(p.opts.speed) // one out of bounds leaves the speed as it is
	}
	if p.opts.paused {
		p.cluster.Clock.Pause()
	}
	p.server = port.NewServer(p.ops(), p.turns.Soon)
	p.last = time.Now()
	program := js.Global().Get("Object").New()
	program.Set("connect", p.scope.Func(p.server.Connect))
	program.Set("disconnect", p.scope.Func(p.server.Disconnect))
	p.host.Call("serve", program)
	p.turns.Soon()
}

// turn runs what is due, writes what was committed, and sends what the pages wait for.
func (p *program) turn() {
	now := time.Now()
	wall := now.Sub(p.last)
	p.last = now
	next := p.cluster.Clock.Slice(wall, func() bool { return time.Since(now) < slice })
	p.server.Pump()
	switch {
	case next == 0:
		p.turns.Soon()
	case next > 0:
		p.turns.After(next)
	}
}
