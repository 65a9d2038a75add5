//go:build js && wasm

package main

import (
	"errors"
	"fmt"
	"math"
	"time"

	"terrarium/core/loop"
	"terrarium/core/trace"
	"terrarium/wasm/port"
)

func (p *program) addTimeOps(ops port.Ops) {
	ops.Call["clock"] = p.now(func(port.Args) (port.Result, error) { return p.clock(), nil })
	ops.Call["speed"] = p.now(p.speed)
	ops.Call["pause"] = p.now(func(port.Args) (port.Result, error) { p.cluster.Clock.Pause(); return p.clock(), nil })
	ops.Call["resume"] = p.now(func(port.Args) (port.Result, error) { p.cluster.Clock.Resume(); return p.clock(), nil })
	ops.Call["step"] = p.now(p.step)
	ops.Call["advance"] = p.advance
	ops.Call["traceHash"] = p.now(func(port.Args) (port.Result, error) { return port.Result{"hash": p.cluster.Trace.Hash()}, nil })
}

func (p *program) clock() port.Result {
	var speed any = p.cluster.Clock.Speed()
	if math.IsInf(p.cluster.Clock.Speed(), 1) {
		speed = "max"
	}
	return port.Result{"now": p.cluster.Loop.Now().UnixMilli(), "speed": speed, "paused": p.cluster.Clock.Paused()}
}

func (p *program) speed(a port.Args) (port.Result, error) {
	x := a.Float("x")
	if a.String("x") == "max" {
		x = math.Inf(1)
	}
	err := p.cluster.Clock.SetSpeed(x)
	return p.clock(), err
}

// step runs tasks until a reconcile, a scheduling cycle or a pod sync has ended.
func (p *program) step(port.Args) (port.Result, error) {
	seen := p.lastSpan()
	label, ok := p.cluster.Clock.Step(func(loop.Label) bool {
		for _, s := range p.cluster.Trace.Spans(seen + 1) {
			if s.Kind != trace.Request {
				return true
			}
		}
		return false
	})
	if !ok {
		return nil, errors.New("nothing waits to be done")
	}
	r := p.clock()
	r["label"] = map[string]any{"component": label.Component, "action": label.Action, "object": label.Object}
	return r, nil
}

func (p *program) lastSpan() trace.SpanID {
	spans := p.cluster.Trace.Spans(0)
	if len(spans) == 0 {
		return 0
	}
	return spans[len(spans)-1].ID
}

func (p *program) advance(a port.Args, reply func(port.Result, error)) {
	d, err := time.ParseDuration(a.String("duration"))
	if err != nil {
		reply(nil, fmt.Errorf("duration %q: want something like 90s or 6m", a.String("duration")))
		return
	}
	if err := p.cluster.Clock.Advance(d, func() { reply(p.clock(), nil) }); err != nil {
		reply(nil, err)
	}
	p.turns.Soon()
}
