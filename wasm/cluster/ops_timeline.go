//go:build js && wasm

package main

import (
	"errors"
	"strings"

	"terrarium/core/kinds"
	"terrarium/core/projection/timeline"
	"terrarium/core/projection/why"
	"terrarium/core/projection/wire"
	"terrarium/core/trace"
	"terrarium/wasm/port"
)

// addTimelineOps serves the timeline and "why?".
func (p *program) addTimelineOps(ops port.Ops) {
	c := p.cluster
	teller := why.New(c.Trace, c.Kinds, c.Store.Get)
	lines := timeline.New(c.Trace, c.Loop, teller)
	bounds := make(map[*boundsSource]bool)
	c.Trace.OnEnd(func() {
		for s := range bounds {
			s.wake()
		}
	})
	ops.Stream["timeline"] = func(_ port.Args, wake func()) (port.Source, error) {
		s := &boundsSource{lines: lines, encoder: wire.NewEncoder(), wake: wake, all: bounds}
		bounds[s] = true
		return s, nil
	}
	ops.Call["timelineWindow"] = p.now(func(a port.Args) (port.Result, error) {
		w := lines.Window(timeline.Query{
			Filter: filterOf(a), Axis: uint32(a.Float("axis")), From: int64(a.Float("from")), To: int64(a.Float("to")),
			Width: int64(a.Float("width")), Selected: trace.SpanID(a.Float("selected")), Follow: a.Bool("follow"),
		})
		return port.Result{"data": wire.NewEncoder().Timeline(w)}, nil
	})
	ops.Call["timelineSpan"] = p.now(func(a port.Args) (port.Result, error) {
		s := lines.Details(trace.SpanID(a.Float("id")))
		if s == nil {
			return nil, errors.New("this part of the timeline is no longer kept")
		}
		return port.Result{"data": wire.NewEncoder().Span(s)}, nil
	})
	ops.Call["timelineGo"] = p.now(func(a port.Args) (port.Result, error) {
		return port.Result{"id": int64(lines.Go(trace.SpanID(a.Float("id")), a.String("where"), filterOf(a)))}, nil
	})
	ops.Call["why"] = p.now(func(a port.Args) (port.Result, error) {
		w := teller.Explain(kinds.Key{Resource: a.String("resource"), Namespace: a.String("namespace"), Name: a.String("name")})
		var text []string
		for _, s := range w.Sentences {
			text = append(text, s.Text)
		}
		return port.Result{"data": wire.NewEncoder().Why(w), "text": strings.Join(text, "\n")}, nil
	})
}

// filterOf reads {text, key, quiet}; key is "resource/namespace/name".
func filterOf(a port.Args) timeline.Filter {
	f := timeline.Filter{Text: a.String("text"), Quiet: a.Bool("quiet")}
	f.Key, _ = timeline.ParseKey(a.String("key")) // one that is none filters nothing
	return f
}

// A boundsSource tells a page that there is more to see.
type boundsSource struct {
	lines   *timeline.Timeline
	encoder *wire.Encoder
	wake    func()
	all     map[*boundsSource]bool
}

func (s *boundsSource) Next() (frame []byte, ok bool) {
	return s.encoder.Bounds(s.lines.Bounds()), true
}

func (s *boundsSource) Close() { delete(s.all, s) }
