//go:build js && wasm

package main

import (
	"runtime"
	"syscall/js"
	"time"

	"terrarium/core/projection/wire"
	"terrarium/web/state"
	"terrarium/web/view"
)

// warmUp draws a made-up board and timeline where nobody sees them, once the page has nothing else to do. A
// browser compiles a wasm function when it is first called; those that draw a first pod, and the two
// hundred of a first collection of garbage, would otherwise all be compiled in an animation frame of a rollout.
func (p *page) warmUp() {
	steps := []func(b *board, host js.Value){warmBoard, warmNodes, warmTimeline, warmCollector}
	b := &board{page: p, state: state.NewBoard()}
	host := p.doc.Call("createElement", "div")
	var next func()
	next = func() {
		b.began = time.Now()
		steps[0](b, host)
		if steps = steps[1:]; len(steps) > 0 {
			after(warmPause, next)
		}
	}
	after(warmPause, next)
}

// warmPause lies between the steps of warmUp, in milliseconds: together they would hold a slow machine up.
const warmPause = 120

func warmBoard(b *board, host js.Value) {
	b.state.Apply(&wire.Frame{
		Full:   true,
		Owners: []wire.Owner{{ID: 1, Kind: "ReplicaSet", RootKind: "Deployment", Name: "a", RootName: "a"}},
		Nodes:  []wire.Node{{ID: 2, Name: "a-1", State: wire.NodeReady, Conditions: []wire.Condition{{Type: "Ready", Status: "True"}}}, {ID: 3, Name: "a-2"}},
		Pods:   []wire.Pod{{ID: 4, Owner: 1, Name: "a-b"}, {ID: 5, Owner: 1, Name: "a-c"}, {ID: 6, Owner: 1, Name: "a-d"}},
	})
	pods, density, _ := view.Tray(b.state)
	tray := newPlace(b, host)
	tray.patch(pods, density)
	tray.patch(pods[:2], density)
	tray.patch(pods, view.Cozy)
}

func warmNodes(b *board, host js.Value) {
	s := &slot{at: host}
	draw := func(f *wire.Frame) {
		b.state.Apply(f)
		for n := b.state.NextChanged(); n != nil; n = b.state.NextChanged() {
			s.draw(b, n)
		}
	}
	draw(&wire.Frame{NodesGone: []uint32{3}})
	draw(&wire.Frame{Moves: []wire.Move{{Pod: 4, Node: 2, Phase: "ContainerCreating"}, {Pod: 5, Node: 2, Phase: "Running"}}})
	draw(&wire.Frame{Moves: []wire.Move{{Pod: 4, Node: 2, Phase: "Running", Ready: true, Restarts: 1}}, Uses: []wire.Use{{Node: 2, Requested: wire.Resources{MilliCPU: 1, Memory: 1 << 20, Pods: 1}}}})
	draw(&wire.Frame{PodsGone: []uint32{5}})
	setValueHTML(host, view.Summary(b.state))
	setValueHTML(host, view.Legend(b.state))
}

func warmTimeline(_ *board, host js.Value) {
	t := state.NewTimeline()
	pod := wire.Ref{Resource: "pods", Kind: "Pod", Namespace: "a", Name: "a"}
	t.Take(&wire.Timeline{
		Axis: wire.AxisSteps, To: 2, Last: 2, Shown: 2, Quiet: 1, Lanes: []wire.Lane{{Name: "a-controller", Rows: 1}, {Name: "kubelet", Rows: 2}},
		Items: []wire.Item{
			{ID: 1, Count: 1, X1: 500, Object: pod, Text: "created Pod a", Flags: wire.ItemWrote, Took: 1500},
			{ID: 2, Count: 2, Lane: 1, X0: 500, X1: 900, Object: pod, Node: "a", Flags: wire.ItemQuiet},
		},
		Arrows: []wire.Arrow{{From: 0, To: 1}}, Ticks: []wire.Tick{{X: 10, At: 1}},
	})
	setValueHTML(host, view.Timeline(t))
	_ = view.TimelineSummary(t.Window)
}

func warmCollector(*board, js.Value) { runtime.GC() }
