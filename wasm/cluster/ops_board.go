//go:build js && wasm

package main

import (
	"time"

	"terrarium/core/projection/board"
	"terrarium/core/projection/inspect"
	"terrarium/core/projection/wire"
	"terrarium/core/store"
	"terrarium/wasm/port"
)

// addBoardOps serves what the page draws of the cluster's objects.
func (p *program) addBoardOps(ops port.Ops) {
	c := p.cluster
	nodes := board.New(c.Store)
	in := inspect.New(inspect.Deps{Objects: c.Store, Kinds: c.Kinds, Printer: c.Codec, Clock: c.Loop, Decisions: c.Scheduler})
	p.objects = inspecting{inspector: in}
	c.OnCommit(func(ev store.Event) {
		nodes.Commit(ev.Key)
		in.Commit(ev.Key, ev.Object)
	})
	ops.Stream["board"] = func(_ port.Args, wake func()) (port.Source, error) { return nodes.Subscribe(wake), nil }
	ops.Stream["inspect"] = func(a port.Args, wake func()) (port.Source, error) {
		ref := wire.Ref{Resource: a.String("resource"), Namespace: a.String("namespace"), Name: a.String("name")}
		return in.Subscribe(ref, wake), nil
	}
	ops.Call["pending"] = p.now(func(a port.Args) (port.Result, error) {
		return port.Result{"data": in.Pending(a.String("namespace"), a.String("name"))}, nil
	})
}

// inspecting tells the inspectors of what changes without a commit: the tasks that wait.
type inspecting struct {
	inspector *inspect.Inspector
	last      time.Time
}

// tick looks at most four times a second: it goes through all tasks.
func (i *inspecting) tick(now time.Time) {
	if now.Sub(i.last) >= 250*time.Millisecond {
		i.last = now
		i.inspector.Tick()
	}
}
