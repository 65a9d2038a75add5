package kubelet

import "time"

// Upstream's figures for containers that crash and for images that cannot be pulled.
const (
	backoffBase = 10 * time.Second
	backoffMax  = 300 * time.Second
)

// A backoff is the delay before something is tried again: it doubles with every failure and is forgotten
// when there was none for twice the longest delay.
//
// Models client-go util/flowcontrol backoff.go.
type backoff struct {
	delay   time.Duration
	updated time.Time
}

// until returns when something that failed at the given time may be tried again, or the zero time if now.
func (b *backoff) until(failed, now time.Time) time.Time {
	if b.delay == 0 || failed.Sub(b.updated) > 2*backoffMax {
		return time.Time{}
	}
	if at := failed.Add(b.delay); at.After(now) {
		return at
	}
	return time.Time{}
}

// next makes the delay longer.
func (b *backoff) next(failed, now time.Time) {
	if b.delay == 0 || failed.Sub(b.updated) > 2*backoffMax {
		b.delay = backoffBase
	} else {
		b.delay = min(2*b.delay, backoffMax)
	}
	b.updated = now
}
