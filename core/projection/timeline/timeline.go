// Package timeline computes what the page draws of the trace: windows of lanes, spans and arrows, and the
// details of one span.
//
// It promises: the size of a window's answer depends on its width, not on how many spans there are; spans
// too dense to draw one by one come as one item with a count; nothing is computed for spans that nobody
// looks at, except one pass over each new span for every filter in use.
//
// It does not promise to keep more than core/trace keeps.
package timeline

import (
	"slices"
	"strings"

	"terrarium/core/projection/why"
	"terrarium/core/projection/wire"
	"terrarium/core/trace"
)

// A Timeline projects the spans of a recorder.
type Timeline struct {
	trace  *trace.Recorder
	clock  trace.Clock
	teller *why.Teller
	recent []*selection // of the filters in use, the newest last

	readers []*Subscription
}

// New returns the timeline of rec.
func New(rec *trace.Recorder, clock trace.Clock, teller *why.Teller) *Timeline {
	t := &Timeline{trace: rec, clock: clock, teller: teller}
	rec.OnEnd(t.grew)
	return t
}

// Bounds says how far the timeline reaches.
func (t *Timeline) Bounds() *wire.Bounds {
	b := &wire.Bounds{Now: t.clock.Now().UnixMicro()}
	if s := t.newest(); s != nil {
		b.Newest = uint64(s.ID)
	}
	return b
}

func (t *Timeline) newest() *trace.Span {
	all := t.trace.Spans(0)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// filtersKept is how many filters are remembered: one for each tab, and some that a person goes back to.
const filtersKept = 4

// selected returns the spans that the filter shows, up to date.
func (t *Timeline) selected(f Filter) *selection {
	f.Text = strings.ToLower(strings.TrimSpace(f.Text))
	for i, s := range t.recent {
		if s.filter == f {
			t.recent = append(append(t.recent[:i], t.recent[i+1:]...), s)
			s.update(t.trace)
			return s
		}
	}
	s := newSelection(f)
	s.update(t.trace)
	if len(t.recent) >= filtersKept {
		t.recent = t.recent[1:]
	}
	t.recent = append(t.recent, s)
	return s
}

// Where to go from a span.
const (
	ToNext     = "next"
	ToPrevious = "previous"
	ToCause    = "cause"
	ToEffect   = "effect"
	ToFirst    = "first"
	ToLast     = "last"
	ToItself   = "itself" // to learn where it is
)

// Go returns the span that a step leads to from the given one, and where it is on the axis; 0 where there is
// none. Next and previous are among those that the filter shows; cause and effect are wherever they are.
func (t *Timeline) Go(from trace.SpanID, where string, f Filter, axis uint32) (to trace.SpanID, at int64) {
	sel := t.selected(f)
	span := t.trace.Span(from)
	switch where {
	case ToCause:
		if span != nil {
			if c := t.teller.Cause(span); c != nil {
				to = c.ID
			}
		}
	case ToEffect:
		if effects := t.effects(from, 1); len(effects) > 0 {
			to = effects[0].ID
		}
	default:
		to = sel.step(from, where)
	}
	if to == 0 {
		return 0, 0
	}
	if axis == wire.AxisTime {
		return to, t.trace.Span(to).Start.UnixMicro()
	}
	i, _ := slices.BinarySearch(sel.ids, to)
	return to, int64(i)
}

// effects returns spans that were triggered by the given one, oldest first, those that wrote before those
// that found nothing to do.
func (t *Timeline) effects(id trace.SpanID, most int) []*trace.Span {
	const reach = 4000 // spans to look through: effects follow soon
	var busy, quiet []*trace.Span
	for i, s := range t.trace.Spans(id + 1) {
		if i == reach || len(busy) == most {
			break
		}
		for i := range s.Triggers {
			if t.made(&s.Triggers[i]) != id {
				continue
			}
			if why.Quiet(s) {
				quiet = append(quiet, s)
			} else {
				busy = append(busy, s)
			}
			break
		}
	}
	all := append(busy, quiet...)
	return all[:min(most, len(all))]
}

// made returns the span that made the change that a trigger is about, or 0.
func (t *Timeline) made(tr *trace.Trigger) trace.SpanID {
	if s := t.teller.Made(tr); s != nil {
		return s.ID
	}
	return 0
}
