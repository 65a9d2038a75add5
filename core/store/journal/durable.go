package journal

import (
	"slices"

	"terrarium/core/kinds"
)

// A State says how the kept copy stands to the store.
type State uint8

const (
	Saved    State = iota // everything committed is durable
	Saving                // some of it is not yet
	NotSaved              // writing failed; see the error
)

// String returns the word the page's port uses.
func (s State) String() string {
	switch s {
	case Saved:
		return "saved"
	case Saving:
		return "saving"
	case NotSaved:
		return "not-saved"
	}
	return "unknown"
}

// A waiter is told when what it marks is durable. It waits only while no write has failed.
type waiter struct {
	mark
	done func(error)
}

// Durable returns the revision up to which everything is kept for good.
func (j *Journal) Durable() kinds.Revision { return j.durable.rev }

// WhenDurable calls done with nil once everything up to rev is kept for good, at once if it is, or with a
// NotSavedError if writing failed or fails. It does not write by itself: the next Flush or Pace does.
func (j *Journal) WhenDurable(rev kinds.Revision, done func(error)) { j.when(mark{rev: rev}, done) }

// WhenSaved is WhenDurable for all there is: every commit and every Touch.
func (j *Journal) WhenSaved(done func(error)) { j.when(j.now(), done) }

func (j *Journal) when(m mark, done func(error)) {
	switch {
	case j.durable.covers(m):
		done(nil)
	case j.failed != nil:
		done(&NotSavedError{j.failed})
	case j.phase == detached:
		done(&NotSavedError{ErrClosed})
	default:
		j.waiters = append(j.waiters, waiter{m, done})
	}
}

// settle answers those whose commits have become durable.
func (j *Journal) settle() {
	var ready []waiter
	j.waiters = slices.DeleteFunc(j.waiters, func(w waiter) bool {
		if j.durable.covers(w.mark) {
			ready = append(ready, w)
			return true
		}
		return false
	})
	for _, w := range ready {
		w.done(nil)
	}
}

// refuse answers all who wait that err keeps their commits from being saved.
func (j *Journal) refuse(err error) {
	waiters := j.waiters
	j.waiters = nil
	for _, w := range waiters {
		w.done(&NotSavedError{err})
	}
}

// State returns how things stand; the error says why for NotSaved.
func (j *Journal) State() (State, error) {
	switch {
	case j.failed != nil:
		return NotSaved, j.failed
	case j.phase == detached:
		return NotSaved, ErrClosed
	case !j.durable.covers(j.now()) || j.writing != nil || j.pending != nil:
		return Saving, nil
	}
	return Saved, nil
}
