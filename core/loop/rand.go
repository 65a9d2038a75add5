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
	byName map[string]*stream
}

type stream struct {
	source *rand.PCG
	rand   *rand.Rand
}

func newStreams(seed uint64) streams {
	return streams{seed: seed, byName: make(map[string]*stream)}
}

// Rand returns the random stream of that name. Keep it where it is drawn from often.
func (l *Loop) Rand(name string) *rand.Rand {
	if s := l.rand.byName[name]; s != nil {
		return s.rand
	}
	source := rand.NewPCG(l.rand.seed, hashName(name))
	s := &stream{source, rand.New(source)}
	l.rand.byName[name] = s
	return s.rand
}

// Restart makes a loop on which nothing has happened yet go on from another time and seed, as after a
// restore. Streams that were handed out already follow the new seed.
func (l *Loop) Restart(now time.Time, seed uint64) {
	if l.ran > 0 || len(l.tasks) > 0 {
		panic("BUG: loop: restarted after it began")
	}
	l.now, l.rand.seed = now, seed
	// any order: each stream is seeded by its own name
	for name, s := range l.rand.byName {
		s.source.Seed(seed, hashName(name))
	}
}

// Seed returns the seed of everything random.
func (l *Loop) Seed() uint64 { return l.rand.seed }

func hashName(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
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
