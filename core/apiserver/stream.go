package apiserver

import (
	"encoding/json"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

// An EventEncoder turns a watch into the lines of JSON that go over the wire.
type EventEncoder struct {
	// Timeout is how many seconds the client asked the watch to last; 0 is no limit.
	Timeout int64

	server  *Server
	call    *restCall
	stream  *WatchStream
	as      form
	initial [][]byte // the state at the start, as events
	headed  bool     // the table's columns have been sent
	failed  bool
}

func (s *Server) newEventEncoder(c *restCall, w *WatchStream, as form) (*EventEncoder, error) {
	e := &EventEncoder{Timeout: c.timeout, server: s, call: c, stream: w, as: as}
	if !c.initial {
		return e, nil
	}
	match := matcher(c.Request)
	objs, rev := s.store.List(c.Kind.StorageResource(), c.Namespace)
	for _, o := range objs {
		if !match(o) {
			continue
		}
		line, err := e.encode("ADDED", o)
		if err != nil {
			return nil, err
		}
		e.initial = append(e.initial, line)
	}
	if c.bookmarks {
		e.initial = append(e.initial, e.bookmark(rev, true))
	}
	return e, nil
}

// OnWake sets what is called when there is more to read; it may only post to the loop.
func (e *EventEncoder) OnWake(f func()) { e.stream.OnWake(f) }

// Close ends the watch.
func (e *EventEncoder) Close() { e.stream.Close() }

// Next returns the next event as one line of JSON; ok is false when the reader has caught up. ended says
// that this was the last: the client must list again.
func (e *EventEncoder) Next() (line []byte, ok, ended bool) {
	if e.failed {
		return nil, false, true
	}
	if len(e.initial) > 0 {
		line, e.initial = e.initial[0], e.initial[1:]
		return line, true, false
	}
	ev, ok, err := e.stream.Next()
	if err == nil && ok {
		line, err = e.encode(string(ev.Type), e.shown(ev))
	}
	if err != nil {
		e.failed = true
		return e.failure(err), true, true
	}
	return line, ok, false
}

// shown is the object that an event carries: a deletion has the object's last state at the revision of the
// deletion.
func (e *EventEncoder) shown(ev store.Event) kinds.Object { return ev.Object }

func (e *EventEncoder) encode(typ string, obj kinds.Object) ([]byte, error) {
	var body []byte
	var err error
	switch e.as {
	case asTable:
		body, err = json.Marshal(e.server.table(e.call, []kinds.Object{obj}, metav1.ListMeta{ResourceVersion: obj.GetResourceVersion()}, !e.headed))
		e.headed = true
	case asMetadata:
		body, err = json.Marshal(metadataOf(obj))
	default:
		body, err = e.server.codec.JSON(obj)
	}
	if err != nil {
		return nil, err
	}
	return watchLine(typ, body), nil
}

func watchLine(typ string, body []byte) []byte {
	for len(body) > 0 && body[len(body)-1] == '\n' {
		body = body[:len(body)-1]
	}
	line := make([]byte, 0, len(body)+32)
	line = append(line, `{"type":"`...)
	line = append(line, typ...)
	line = append(line, `","object":`...)
	line = append(line, body...)
	return append(line, "}\n"...)
}

// Bookmark returns an event that only says how far the watch has come; ok is false when the client wants
// none.
func (e *EventEncoder) Bookmark() (line []byte, ok bool) {
	if !e.call.bookmarks || e.failed {
		return nil, false
	}
	return e.bookmark(e.stream.Revision(), false), true
}

func (e *EventEncoder) bookmark(rev kinds.Revision, endOfInitial bool) []byte {
	obj := e.call.Kind.New()
	obj.SetResourceVersion(strconv.FormatInt(int64(rev), 10))
	if endOfInitial {
		obj.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
	}
	line, err := e.encode("BOOKMARK", obj)
	if err != nil {
		return e.failure(err)
	}
	return line
}

func (e *EventEncoder) failure(err error) []byte {
	return watchLine("ERROR", e.server.errorResponse(asStatus(err)).Body)
}

func asStatus(err error) error {
	if _, ok := err.(*apierrors.StatusError); ok {
		return err
	}
	return apierrors.NewInternalError(err)
}
