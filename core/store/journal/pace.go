package journal

import "time"

// Pace is Flush for a caller that must not be held up. It is told how much wall time has passed since the last
// Pace and how much may pass before the cluster has something to do: 0 if that is at once, negative if never.
// It returns when it must be called again, in the same terms: next or sooner.
//
// It does what Flush does when somebody waits. Otherwise it begins a record after Config.Rest, or Config.Lazy
// while the cluster is busy, and encodes it a part at a time. After a failure it does a Retry when Backoff
// is over.
func (j *Journal) Pace(wall, next time.Duration) time.Duration {
	j.unsaved += wall
	j.busy = next == 0
	switch {
	case j.phase != open:
	case j.failed != nil && j.unsaved >= j.Backoff():
		j.Retry()
	case j.failed != nil:
	case j.urgent():
		j.flush()
	default:
		j.pace()
	}
	switch {
	case j.phase != open:
		return next
	case j.failed != nil:
		return soonest(next, max(j.Backoff()-j.unsaved, j.cfg.Rest))
	case j.pending != nil || j.building != nil && !j.building.done:
		return 0
	case j.dirtied():
		return soonest(next, max(j.cfg.Rest-j.unsaved, j.cfg.Rest/4))
	}
	return next
}

func (j *Journal) pace() {
	j.stepSnapshot()
	wait := j.cfg.Rest
	if j.busy {
		wait = j.cfg.Lazy
	}
	if j.pending == nil && j.writing == nil && j.failed == nil && j.dirtied() && j.unsaved >= wait {
		j.begin()
	}
	if w := j.pending; w != nil {
		// A sixteenth at least: the state encoded must not be compacted before the end.
		j.encode(max(j.cfg.Step, len(w.keys)/16))
	}
}

// soonest returns the shorter of two waits, of which the first may be negative for none.
func soonest(next, other time.Duration) time.Duration {
	if next < 0 {
		return other
	}
	return min(next, other)
}

// Backoff returns how long to wait, by the wall clock, before the next Retry: 1 s doubling to 1 min.
func (j *Journal) Backoff() time.Duration {
	return min(time.Second<<min(max(j.failures-1, 0), 6), time.Minute)
}
