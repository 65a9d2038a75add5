package loop

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// streams are independent generators by name: drawing from one never shifts another, so a change in one
// component leaves the luck of all others alone.
type streams struct {
	seed   uint64
	byName map[string]*rand.Rand
}

func newStreams(seed uint64) streams {
	return streams{seed: seed, byName: make(map[string]*rand.Rand)}
}

// Rand returns the random stream of that name. Keep it where it is drawn from often.
func (l *Loop) Rand(stream string) *rand.Rand {
	if r := l.rand.byName[stream]; r != nil {
		return r
	}
	h := fnv.New64a()
	h.Write([]byte(stream))
	r := rand.New(rand.NewPCG(l.rand.seed, h.Sum64()))
	l.rand.byName[stream] = r
	return r
}

// A Range is a span of durations to draw from, both ends included.
type Range struct{ Min, Max time.Duration }

// Draw returns a duration within the range, uniformly. A zero range draws nothing from r.
func (g Range) Draw(r *rand.Rand) time.Duration {
	if g.Max <= g.Min {
		return g.Min
	}
	return g.Min + time.Duration(r.Int64N(int64(g.Max-g.Min)+1))
}
