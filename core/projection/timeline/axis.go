package timeline

import (
	"sort"

	"terrarium/core/projection/wire"
	"terrarium/core/trace"
)

// An axis maps spans to the screen.
type axis struct {
	kind     uint32
	trace    *trace.Recorder
	sel      *selection
	from, to int64
	width    int64 // tenths of a pixel
}

func (t *Timeline) axis(sel *selection, kind uint32) *axis {
	return &axis{kind: kind, trace: t.trace, sel: sel, width: 1}
}

func (a *axis) start(i int) int64 { return a.trace.Span(a.sel.ids[i]).Start.UnixMicro() }

func (a *axis) first() int64 {
	if a.kind == wire.AxisTime && len(a.sel.ids) > 0 {
		return a.start(0)
	}
	return 0
}

// last is the end of the axis; on that of time the newest span has some room behind it.
func (a *axis) last(now int64) int64 {
	n := len(a.sel.ids)
	if a.kind != wire.AxisTime {
		return int64(n)
	}
	if n == 0 {
		return now
	}
	return max(a.trace.Span(a.sel.ids[n-1]).End.UnixMicro(), now)
}

// window returns the positions of the first span that may be seen and of the one behind the last.
func (a *axis) window() (lo, hi int) {
	n := len(a.sel.ids)
	if a.kind == wire.AxisSteps {
		lo = int(min(max(a.from, 0), int64(n)))
		return lo, int(min(max(a.to+1, int64(lo)), int64(n)))
	}
	lo = sort.Search(n, func(i int) bool { return a.start(i) >= a.from-a.sel.longest })
	hi = sort.Search(n, func(i int) bool { return a.start(i) > a.to })
	return lo, max(lo, hi)
}

func (a *axis) x(unit int64) int64 {
	x := float64(unit-a.from) / float64(a.to-a.from) * float64(a.width)
	return int64(min(max(x, -1e12), 1e12)) // far outside is far enough
}

// extent is where the i-th span goes.
func (a *axis) extent(i int, s *trace.Span) (x0, x1 int64) {
	if a.kind == wire.AxisSteps {
		return a.x(int64(i)), a.x(int64(i)+1) - gap
	}
	return a.x(s.Start.UnixMicro()), a.x(s.End.UnixMicro())
}
