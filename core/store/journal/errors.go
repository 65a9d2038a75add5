package journal

import (
	"errors"
	"strconv"

	"terrarium/core/kinds"
)

var (
	// ErrCorrupt means that the kept snapshot cannot be read or is not there. Nothing is written over it.
	ErrCorrupt = errors.New("the saved cluster is damaged and cannot be read; reset to start with an empty one")
	// ErrNewer means that a newer version of the program wrote what is kept. Nothing is written over it.
	ErrNewer = errors.New("the saved cluster was written by a newer version; reload to get that version")
	// ErrClosed means that the journal or its backend was closed.
	ErrClosed = errors.New("the storage is closed")
)

// A NotSavedError tells who waits for a commit to become durable that it is not, for now: it is part of
// the cluster but lost if the program ends before a Retry succeeds.
type NotSavedError struct{ Err error }

func (e *NotSavedError) Error() string { return "not saved: " + e.Err.Error() }
func (e *NotSavedError) Unwrap() error { return e.Err }

// A CodecError names the object that could not be encoded or decoded.
type CodecError struct {
	Key kinds.Key
	Err error
}

func (e *CodecError) Error() string { return "object " + e.Key.String() + ": " + e.Err.Error() }
func (e *CodecError) Unwrap() error { return e.Err }

func format(r kinds.Revision) string { return strconv.FormatInt(int64(r), 10) }
