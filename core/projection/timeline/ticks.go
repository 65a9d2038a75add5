package timeline

import (
	"time"

	"terrarium/core/projection/wire"
	"terrarium/core/trace"
)

const tickWidth = 110 * tenths // between two ticks at least

// ticks are the times above the lanes.
func (a *axis) ticks(spans []*trace.Span) []wire.Tick {
	if a.kind == wire.AxisTime {
		return a.timeTicks()
	}
	var ticks []wire.Tick
	lo, _ := a.window()
	last := time.Time{}
	for i, s := range spans {
		x := a.x(int64(lo + i))
		if x < 0 || x > a.width || s.Start.Equal(last) {
			continue
		}
		if n := len(ticks); n > 0 && x-ticks[n-1].X < tickWidth {
			continue
		}
		last = s.Start
		ticks = append(ticks, wire.Tick{X: x, At: s.Start.UnixMicro()})
	}
	return ticks
}

// timeTicks are at round times.
func (a *axis) timeTicks() []wire.Tick {
	least := int64(float64(a.to-a.from) * tickWidth / float64(a.width)) // microseconds
	step := roundStep(least)
	var ticks []wire.Tick
	for at := (a.from/step + 1) * step; at <= a.to; at += step {
		ticks = append(ticks, wire.Tick{X: a.x(at), At: at})
	}
	return ticks
}

// roundStep returns the least step of the clock that is not shorter than least microseconds.
func roundStep(least int64) int64 {
	for unit := int64(1); unit < 1_000_000; unit *= 10 {
		for _, k := range []int64{1, 2, 5} {
			if unit*k >= least {
				return unit * k
			}
		}
	}
	for _, s := range []int64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200} {
		if s*1_000_000 >= least {
			return s * 1_000_000
		}
	}
	const day = 24 * 3600 * 1_000_000
	return (least/day + 1) * day
}
