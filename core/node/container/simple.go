package container

import (
	"time"

	"terrarium/core/loop"
)

// The exit codes of a process that was asked to end, and of one that was killed.
const (
	codeTerminated = 143
	codeKilled     = 137
)

// A Simple runtime knows of a process only when it ends and with which code: from the image's behavior, or
// from the few commands that say so themselves (see plan).
type Simple struct{ loop *loop.Loop }

// NewSimple returns a runtime on l.
func NewSimple(l *loop.Loop) *Simple { return &Simple{l} }

// Start starts a process, or takes over one that was started before.
func (r *Simple) Start(spec Spec, exited func(Exit)) Process {
	p := &process{loop: r.loop, plan: planOf(spec), exited: exited, name: spec.Pod.Namespace + "/" + spec.Pod.Name}
	if p.plan.exits {
		started := spec.Started
		if started.IsZero() {
			started = r.loop.Now()
		}
		p.timer = r.loop.At(started.Add(p.plan.runs), p.label("container exits"), func() { p.end(exitOf(p.plan.code)) })
	}
	return p
}

type process struct {
	loop   *loop.Loop
	plan   plan
	exited func(Exit)
	name   string
	timer  *loop.Timer // when it ends; nil while it runs for ever
	killAt time.Time   // zero until it is asked to stop
}

func (p *process) label(action string) loop.Label {
	return loop.Label{Component: "kubelet", Action: action, Object: p.name}
}

// Stop ends the process soon if it listens, or after grace. A second call can only bring the end forward.
func (p *process) Stop(grace time.Duration) {
	if p.exited == nil {
		return
	}
	deadline := p.loop.Now().Add(grace)
	if !p.killAt.IsZero() && !deadline.Before(p.killAt) {
		return
	}
	p.killAt = deadline
	if p.plan.stops >= 0 && p.plan.stops < grace {
		p.endAt(p.loop.Now().Add(p.plan.stops), p.plan.stopped)
		return
	}
	p.endAt(deadline, Exit{Code: codeKilled, Signal: 9, Reason: "Error"})
}

// endAt moves the end of the process to an earlier time.
func (p *process) endAt(at time.Time, exit Exit) {
	if p.timer != nil && !p.timer.Due().After(at) {
		return
	}
	p.timer.Stop()
	p.timer = p.loop.At(at, p.label("container stops"), func() { p.end(exit) })
}

func (p *process) end(exit Exit) {
	exited := p.exited
	p.exited, p.timer = nil, nil
	exited(exit)
}

// Forget drops the process.
func (p *process) Forget() {
	p.timer.Stop()
	p.timer, p.exited = nil, nil
}

func exitOf(code int32) Exit {
	if code == 0 {
		return Exit{Reason: "Completed"}
	}
	return Exit{Code: code, Reason: "Error"}
}
