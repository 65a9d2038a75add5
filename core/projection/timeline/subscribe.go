package timeline

import (
	"slices"

	"terrarium/core/projection/wire"
)

// A Subscription tells one page that the timeline grew. What it grew by, the page asks for.
type Subscription struct {
	timeline *Timeline
	encoder  *wire.Encoder
	wake     func()
	told     wire.Bounds
}

// Subscribe calls wake when there may be something new, until Close; often, so wake must be cheap.
func (t *Timeline) Subscribe(wake func()) *Subscription {
	s := &Subscription{timeline: t, encoder: wire.NewEncoder(), wake: wake}
	t.readers = append(t.readers, s)
	return s
}

// grew hears of every span that ends.
func (t *Timeline) grew() {
	for _, s := range t.readers {
		s.wake()
	}
}

// Next returns how far the timeline reaches; ok is false when that was said already.
func (s *Subscription) Next() (frame []byte, ok bool) {
	b := s.timeline.Bounds()
	if b.Newest == s.told.Newest && s.told.Now != 0 {
		return nil, false
	}
	s.told = *b
	return s.encoder.Bounds(b), true
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.timeline.readers = slices.DeleteFunc(s.timeline.readers, func(r *Subscription) bool { return r == s })
}
