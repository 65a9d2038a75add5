//go:build js && wasm

package main

import (
	"math"
	"syscall/js"
	"time"

	"terrarium/core/cluster"
	"terrarium/wasm/jsutil"
	"terrarium/wasm/port"
)

// slice is how long the cluster runs before the browser gets its turn.
const slice = 8 * time.Millisecond

// A program is the cluster with what drives, keeps and serves it.
type program struct {
	host    js.Value // terrariumWorker of cluster-worker.ts
	scope   jsutil.Scope
	opts    options
	cluster *cluster.Cluster
	keeper  *keeper
	server  *port.Server
	turns   *jsutil.Turns
	last    time.Time // up to when the cluster's time has passed
	paced   time.Time // of the last Pace

	rehearsal *rehearsal // nil when it is over
	rehearse  time.Time  // when it goes on

	statuses map[*statusSource]bool
	objects  inspecting
}

func newProgram(host js.Value, opts options) *program {
	p := &program{host: host, opts: opts, statuses: make(map[*statusSource]bool), rehearsal: newRehearsal()}
	p.turns = jsutil.NewTurns(&p.scope, p.turn)
	return p
}

// start brings back what is kept, or makes a new cluster, serves it, and goes on with then.
func (p *program) start(then func()) {
	p.cluster = cluster.New(p.opts.config)
	p.keeper = newKeeper(p.cluster, p.host.Get("memoryOnly").Bool())
	p.keeper.restore(func(found bool) {
		p.serve(found)
		then()
	})
}

// reset deletes the cluster, for good, and begins a new one; the pages begin again as well.
func (p *program) reset(_ port.Args, reply func(port.Result, error)) {
	p.keeper.erase(func(err error) {
		reply(port.Result{}, err)
		p.server.Close()
		p.server = nil
		p.opts, _ = parseOptions(p.host.Get("query").String()) // as when the program began
		p.start(func() { p.host.Call("reset") })
	})
}

// serve lets the pages in and time run. found says that the cluster was there before.
func (p *program) serve(found bool) {
	if err := p.cluster.Start(); err != nil {
		p.host.Call("failed", "The cluster could not start: "+err.Error())
		return
	}
	if p.opts.speed != 0 {
		p.cluster.Clock.SetSpeed(p.opts.speed) // one out of bounds leaves the speed as it is
	}
	if p.opts.paused && !found {
		p.cluster.Clock.Pause()
	}
	p.server = port.NewServer(p.ops(), p.turns.Soon)
	p.last = time.Now()
	p.paced = p.last
	p.rehearse = p.last.Add(rehearsalDelay)
	program := js.Global().Get("Object").New()
	program.Set("connect", p.scope.Func(p.server.Connect))
	program.Set("disconnect", p.scope.Func(p.server.Disconnect))
	p.host.Call("serve", program)
	uid := p.cluster.UID()
	p.keeper.onceKept(func() { p.host.Call("kept", uid) })
	p.turns.Soon()
}

// pass lets the time pass in the cluster that has passed outside.
func (p *program) pass(now time.Time) (next time.Duration) {
	wall := now.Sub(p.last)
	p.last = now
	return p.cluster.Clock.Slice(wall, until(now.Add(slice)))
}

// catchUp does so between turns, so that what a page asks for happens now and not at the time of the last turn.
// As fast as it can go there is nothing to catch up with.
func (p *program) catchUp() {
	if !math.IsInf(p.cluster.Clock.Speed(), 1) {
		p.pass(time.Now())
	}
}

// until returns a func that reports whether it is before end. It asks the clock once in eight times: that goes
// through JavaScript, and costs as much as a small task.
func until(end time.Time) func() bool {
	calls := 0
	return func() bool {
		calls++
		return calls%8 != 0 || time.Now().Before(end)
	}
}

// turn runs what is due, writes what was committed, and sends what the pages wait for.
func (p *program) turn() {
	if p.server == nil {
		return
	}
	now := time.Now()
	next := p.pass(now)
	next = p.cluster.Pace(now.Sub(p.paced), next)
	p.paced = now
	for s := range p.statuses {
		s.wake()
	}
	p.objects.tick(now)
	p.server.Pump()
	switch next = p.pastime(next); {
	case next == 0:
		p.turns.Soon()
	case next > 0:
		p.turns.After(next)
	}
}

// pastime goes on with the rehearsal while the cluster has nothing to do: for next, for ever when negative.
// It returns when to be called again, in the same terms.
func (p *program) pastime(next time.Duration) time.Duration {
	if p.rehearsal == nil || next >= 0 && next < rehearsalSlice {
		return next
	}
	wait := time.Until(p.rehearse)
	if wait <= 0 {
		if p.rehearsal.run(until(time.Now().Add(rehearsalSlice))) {
			p.rehearsal = nil
			return max(next-rehearsalSlice, -1)
		}
		wait = rehearsalSlice
		p.rehearse = time.Now().Add(wait)
	}
	if next < 0 {
		return wait
	}
	return min(next, wait)
}
