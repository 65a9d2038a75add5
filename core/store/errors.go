package store

import (
	"errors"
	"strconv"

	"terrarium/core/kinds"
)

var (
	// ErrNotFound is returned by Update and Delete when the key has no object.
	ErrNotFound = errors.New("not found")
	// ErrExists is returned by Create when the key has an object.
	ErrExists = errors.New("already exists")
	// ErrConflict is what a ConflictError is.
	ErrConflict = errors.New("conflict")
	// ErrTooOld is returned when a revision asked for has been compacted. The reader must list again.
	ErrTooOld = errors.New("revision has been compacted")
	// ErrFuture is returned when a revision asked for has not been reached.
	ErrFuture = errors.New("revision is in the future")
)

// A KeyError is ErrNotFound or ErrExists with the key it is about.
type KeyError struct {
	Key kinds.Key
	Err error
}

func (e *KeyError) Error() string { return e.Key.String() + ": " + e.Err.Error() }
func (e *KeyError) Unwrap() error { return e.Err }

// A ConflictError means that the object changed since the caller read it: nothing was written.
type ConflictError struct {
	Key       kinds.Key
	Want, Got kinds.Revision
}

func (e *ConflictError) Error() string {
	return e.Key.String() + ": expected revision " + format(e.Want) + ", found " + format(e.Got)
}

// Is makes errors.Is(err, ErrConflict) true.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

func format(r kinds.Revision) string { return strconv.FormatInt(int64(r), 10) }
