package apiserver

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

// A WatchStream gives the changes that a watch asked for, in order, each once. The reader pulls; Wake,
// set through OnWake, says when there is more.
type WatchStream struct {
	cursor *store.Cursor
	match  func(kinds.Object) bool
	all    bool // every object matches
	wake   func()
}

// OnWake sets what is called when the stream goes from read-to-the-end to having more. It is called
// during a commit, so it may only post to the loop.
func (w *WatchStream) OnWake(f func()) { w.wake = f }

// Next returns the next change; ok is false when the reader has caught up. The error is 410 Expired when
// the reader fell behind what is kept: it must list again.
//
// An object that comes to match the watch's selectors is Added for this reader, one that ceases to is
// Deleted, as upstream's watch cache has it.
func (w *WatchStream) Next() (ev store.Event, ok bool, err error) {
	for {
		ev, ok, err = w.cursor.Next()
		if err != nil {
			return ev, false, apierrors.NewResourceExpired("too old resource version")
		}
		if !ok || w.all {
			return ev, ok, nil
		}
		if ev, ok = w.filter(ev); ok {
			return ev, true, nil
		}
	}
}

func (w *WatchStream) filter(ev store.Event) (store.Event, bool) {
	was := ev.Type != store.Added && ev.Old != nil && w.match(ev.Old)
	is := ev.Type != store.Deleted && w.match(ev.Object)
	switch {
	case is && was:
		ev.Type = store.Modified
	case is:
		ev.Type = store.Added
	case was:
		ev.Type = store.Deleted
	default:
		return ev, false
	}
	return ev, true
}

// Revision returns the revision up to which this reader has seen everything.
func (w *WatchStream) Revision() kinds.Revision { return w.cursor.Revision() }

// Close ends the watch.
func (w *WatchStream) Close() { w.cursor.Close() }

func (s *Server) watch(req *Request) (*Response, error) {
	if err := checkFields(req); err != nil {
		return nil, err
	}
	w := &WatchStream{match: matcher(req), wake: func() {}}
	w.all = (req.Labels == nil || req.Labels.Empty()) && (req.Fields == nil || req.Fields.Empty())
	from := req.Revision
	if from == 0 {
		from = s.store.Revision()
	}
	cursor, err := s.store.Watch(req.Kind.StorageResource(), req.Namespace, from, func() { w.wake() })
	switch {
	case errors.Is(err, store.ErrTooOld):
		return nil, apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", from, s.store.Compacted()))
	case errors.Is(err, store.ErrFuture):
		return nil, tooLarge(from, s.store.Revision())
	case err != nil:
		return nil, apierrors.NewInternalError(err)
	}
	w.cursor = cursor
	return &Response{Watch: w, Revision: from}, nil
}
