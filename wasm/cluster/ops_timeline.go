//go:build js && wasm

package main

import (
	"terrarium/core/kinds"
	"terrarium/core/projection/timeline"
	"terrarium/core/projection/why"
	"terrarium/core/projection/wire"
	"terrarium/core/trace"
	"terrarium/wasm/port"
)

// addTimelineOps serves the timeline and the question why.
func (p *program) addTimelineOps(ops port.Ops) {
	c := p.cluster
	teller := why.New(c.Trace, c.Kinds, c.Store.Get)
	tl := timeline.New(c.Trace, c.Loop, teller)
	ops.Stream["timeline"] = func(_ port.Args, wake func()) (port.Source, error) { return tl.Subscribe(wake), nil }
	ops.Call["timelineWindow"] = p.now(func(a port.Args) (port.Result, error) {
		return port.Result{"data": wire.NewEncoder().Timeline(tl.Window(timeline.Query{
			Filter: filterOf(a), Axis: uint32(a.Float("axis")), From: int64(a.Float("from")), To: int64(a.Float("to")),
			Width: int64(a.Float("width")), Selected: trace.SpanID(a.Float("selected")), Follow: a.Bool("follow"),
		}))}, nil
	})
	ops.Call["timelineSpan"] = p.now(func(a port.Args) (port.Result, error) {
		return port.Result{"data": wire.NewEncoder().Span(tl.Details(trace.SpanID(a.Float("span"))))}, nil
	})
	ops.Call["timelineGo"] = p.now(func(a port.Args) (port.Result, error) {
		span, at := tl.Go(trace.SpanID(a.Float("span")), a.String("where"), filterOf(a), uint32(a.Float("axis")))
		return port.Result{"span": float64(span), "at": float64(at)}, nil
	})
	ops.Call["why"] = p.now(func(a port.Args) (port.Result, error) {
		key := kinds.Key{Resource: a.String("resource"), Namespace: a.String("namespace"), Name: a.String("name")}
		return port.Result{"data": wire.NewEncoder().Why(teller.Explain(key))}, nil
	})
}

// filterOf reads a filter: a text that is the whole name of an object ("pods/default/web") means that object.
func filterOf(a port.Args) timeline.Filter {
	f := timeline.Filter{Text: a.String("filter"), Quiet: a.Bool("quiet")}
	if key, ok := timeline.ParseKey(a.String("key")); ok {
		f.Key = key
	}
	return f
}
