package trace

import (
	"encoding/hex"
	"hash"
	"hash/fnv"
	"slices"
	"time"

	"terrarium/core/kinds"
)

// A Clock tells virtual time. *loop.Loop is one.
type Clock interface{ Now() time.Time }

// Config bounds a Recorder.
type Config struct {
	// Keep is how many finished spans stay in memory. More: a longer timeline, more memory (about
	// 0.5 KB a span plus the objects it wrote).
	Keep int // default 20,000
}

// A Recorder keeps the spans of a cluster and knows which one is open.
type Recorder struct {
	clock Clock
	keep  int

	first SpanID  // ID of spans[0]
	spans []*Span // consecutive IDs; the newest last
	open  []*Span // innermost last
	byRev map[kinds.Revision]SpanID

	hash hash.Hash64
	buf  []byte
	wake []func()
}

// NewRecorder returns an empty recorder.
func NewRecorder(clock Clock, cfg Config) *Recorder {
	if cfg.Keep <= 0 {
		cfg.Keep = 20_000
	}
	return &Recorder{clock: clock, keep: cfg.Keep, first: 1, byRev: make(map[kinds.Revision]SpanID), hash: fnv.New64a()}
}

// Begin opens a span inside the one that is open, if any. The caller must End it before it returns to
// the loop.
func (r *Recorder) Begin(component string, kind Kind, key kinds.Key, triggers []Trigger) *Span {
	s := &Span{
		ID: r.first + SpanID(len(r.spans)), Component: component, Kind: kind, Key: key,
		Start: r.clock.Now(), Triggers: triggers,
	}
	if p := r.Current(); p != nil {
		s.Parent = p.ID
	}
	r.spans = append(r.spans, s)
	r.open = append(r.open, s)
	return s
}

// End closes s, with every span that was left open inside it by a panic, and drops old spans.
func (r *Recorder) End(s *Span, err error) {
	i := slices.Index(r.open, s)
	if i < 0 {
		panic("BUG: trace: a span ends that is not open")
	}
	r.open = r.open[:i]
	s.End = s.Start.Add(s.cost)
	if err != nil {
		s.Err = err.Error()
	}
	if p := r.Current(); p != nil {
		r.Spend(s.cost)
	}
	r.hashSpan(s)
	r.trim()
	for _, f := range r.wake {
		f()
	}
}

// trim drops the oldest spans, an eighth of what is kept at a time.
func (r *Recorder) trim() {
	if len(r.open) > 0 || len(r.spans) <= r.keep+r.keep/8 {
		return
	}
	n := len(r.spans) - r.keep
	for _, s := range r.spans[:n] {
		for _, w := range s.Writes {
			delete(r.byRev, w.Revision)
		}
	}
	r.spans = append([]*Span(nil), r.spans[n:]...)
	r.first += SpanID(n)
}

// Current returns the innermost open span, or nil.
func (r *Recorder) Current() *Span {
	if len(r.open) == 0 {
		return nil
	}
	return r.open[len(r.open)-1]
}

// Spend adds the time that a request takes to the open span.
func (r *Recorder) Spend(d time.Duration) {
	s := r.Current()
	if s == nil {
		return
	}
	if s.parallel > 0 {
		s.longest = max(s.longest, d)
		return
	}
	s.cost += d
}

// Parallel runs fn; the requests that the open span makes in it go out at the same time, so together
// they take as long as the longest.
func (r *Recorder) Parallel(fn func()) {
	s := r.Current()
	if s == nil || s.parallel > 0 {
		fn()
		return
	}
	s.parallel, s.longest = 1, 0
	fn()
	s.parallel = 0
	s.cost += s.longest
}

// Write adds a write to the open span.
func (r *Recorder) Write(w Write) {
	s := r.Current()
	if s == nil {
		return
	}
	s.Writes = append(s.Writes, w)
	if w.Revision > 0 {
		r.byRev[w.Revision] = s.ID
	}
}

// Read adds a read to the open span.
func (r *Recorder) Read(rd Read) {
	if s := r.Current(); s != nil {
		s.Reads = append(s.Reads, rd)
	}
}

// Step adds a stage to the open span.
func (r *Recorder) Step(name, detail string) {
	if s := r.Current(); s != nil {
		s.Steps = append(s.Steps, Step{name, detail})
	}
}

// Span returns the span of that ID, or nil if it was dropped or never was.
func (r *Recorder) Span(id SpanID) *Span {
	if id < r.first || id >= r.first+SpanID(len(r.spans)) {
		return nil
	}
	return r.spans[id-r.first]
}

// MadeBy returns the span that made a revision, or nil.
func (r *Recorder) MadeBy(rev kinds.Revision) *Span { return r.Span(r.byRev[rev]) }

// Spans returns the kept spans from the given ID on, oldest first. The slice is a view: read it before
// returning to the loop.
func (r *Recorder) Spans(from SpanID) []*Span {
	if from < r.first {
		from = r.first
	}
	i := int(from - r.first)
	if i >= len(r.spans) {
		return nil
	}
	return r.spans[i:]
}

// OnEnd calls f after every span that ends. f must be cheap: it only marks that there is more.
func (r *Recorder) OnEnd(f func()) { r.wake = append(r.wake, f) }

// Commit adds a commit of the store to the hash.
func (r *Recorder) Commit(verb string, key kinds.Key, rev kinds.Revision, uid string) {
	b := append(r.buf[:0], verb...)
	b = append(append(append(b, 0), key.Resource...), 0)
	b = append(append(append(b, key.Namespace...), 0), key.Name...)
	b = append(append(append(b, 0), uid...), 0)
	b = appendUint(b, uint64(rev))
	b = appendUint(b, uint64(r.clock.Now().UnixNano()))
	r.buf = b
	r.hash.Write(b)
}

func (r *Recorder) hashSpan(s *Span) {
	b := append(r.buf[:0], s.Component...)
	b = append(append(append(b, 0), s.Key.Resource...), 0)
	b = append(append(append(b, s.Key.Namespace...), 0), s.Key.Name...)
	b = append(append(append(b, 0), s.Err...), byte(s.Kind), byte(len(s.Triggers)), byte(len(s.Writes)))
	b = appendUint(b, uint64(s.ID))
	b = appendUint(b, uint64(s.Start.UnixNano()))
	b = appendUint(b, uint64(s.End.UnixNano()))
	r.buf = b
	r.hash.Write(b)
}

func appendUint(b []byte, v uint64) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56))
}

// Hash returns the hash of all that happened so far: two runs with the same hash did the same things at
// the same virtual times.
func (r *Recorder) Hash() string { return hex.EncodeToString(r.hash.Sum(nil)) }
