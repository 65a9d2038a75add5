package timeline

import (
	"slices"
	"sort"
	"strings"

	"terrarium/core/kinds"
	"terrarium/core/projection/why"
	"terrarium/core/trace"
)

// A Filter says which spans are shown. Its zero value shows all that are not quiet.
type Filter struct {
	Text  string    // in the component, the node, or the name of an object worked on or written
	Key   kinds.Key // worked on, written, or a trigger
	Quiet bool      // show heartbeats, events, and reconciles without anything to do, too
}

// ParseKey reads kinds.Key.String. Text that is none gives ok false.
func ParseKey(s string) (key kinds.Key, ok bool) {
	parts := strings.Split(s, "/")
	switch {
	case slices.Contains(parts, ""):
	case len(parts) == 2:
		return kinds.Key{Resource: parts[0], Name: parts[1]}, true
	case len(parts) == 3:
		return kinds.Key{Resource: parts[0], Namespace: parts[1], Name: parts[2]}, true
	}
	return kinds.Key{}, false
}

// shows reports whether the filter lets a span through, apart from its being quiet.
func (f *Filter) shows(s *trace.Span) bool {
	return (f.Key == kinds.Key{} || touches(s, f.Key)) && (f.Text == "" || f.mentions(s))
}

func touches(s *trace.Span, key kinds.Key) bool {
	return s.Key == key ||
		slices.ContainsFunc(s.Writes, func(w trace.Write) bool { return w.Key == key }) ||
		slices.ContainsFunc(s.Triggers, func(t trace.Trigger) bool { return t.Key == key })
}

func (f *Filter) mentions(s *trace.Span) bool {
	if strings.Contains(s.Component, f.Text) || strings.Contains(s.Node, f.Text) || f.names(s.Key) {
		return true
	}
	return slices.ContainsFunc(s.Writes, func(w trace.Write) bool { return f.names(w.Key) })
}

func (f *Filter) names(k kinds.Key) bool {
	if strings.Contains(f.Text, "/") {
		return strings.Contains(k.String(), f.Text)
	}
	return strings.Contains(k.Name, f.Text) || strings.Contains(k.Namespace, f.Text) || strings.Contains(k.Resource, f.Text)
}

// A selection is the spans that a filter shows, by age.
type selection struct {
	filter Filter
	next   trace.SpanID // the first that was not looked at
	ids    []trace.SpanID
	quiet  []trace.SpanID // that the filter would show if it showed quiet ones; empty when it does
	lanes  []lane         // in the order drawn
	laneOf map[string]int // component -> position in lanes
	// longest is the most virtual time any span took: how far before a window its spans may begin.
	longest int64
}

func newSelection(f Filter) *selection {
	return &selection{filter: f, next: 1, laneOf: make(map[string]int)}
}

// update takes new spans in and drops those that the recorder dropped.
func (s *selection) update(rec *trace.Recorder) {
	for _, span := range rec.Spans(s.next) {
		s.next = span.ID + 1
		if !s.filter.shows(span) {
			continue
		}
		if !s.filter.Quiet && why.Quiet(span) {
			s.quiet = append(s.quiet, span.ID)
			continue
		}
		s.ids = append(s.ids, span.ID)
		s.longest = max(s.longest, span.End.Sub(span.Start).Microseconds())
		s.addLane(span)
	}
	if kept := rec.Spans(0); len(kept) > 0 {
		s.ids = from(s.ids, kept[0].ID)
		s.quiet = from(s.quiet, kept[0].ID)
	}
}

// from drops what is before first.
func from(ids []trace.SpanID, first trace.SpanID) []trace.SpanID {
	if len(ids) == 0 || ids[0] >= first {
		return ids
	}
	i, _ := slices.BinarySearch(ids, first)
	return append(make([]trace.SpanID, 0, 2*(len(ids)-i)), ids[i:]...)
}

// step returns the neighbor of a span, which need not be shown itself.
func (s *selection) step(id trace.SpanID, where string) trace.SpanID {
	if len(s.ids) == 0 {
		return 0
	}
	i, found := slices.BinarySearch(s.ids, id)
	switch where {
	case ToPrevious:
		i--
	case ToNext:
		if found {
			i++
		}
	case ToItself:
		if !found {
			return 0
		}
	case ToFirst:
		i = 0
	case ToLast:
		i = len(s.ids) - 1
	default:
		return 0
	}
	if i < 0 || i >= len(s.ids) {
		return 0
	}
	return s.ids[i]
}

// A lane is one component.
type lane struct {
	name string
	rank int
}

// Lanes stand in the order in which work flows from a person to a running pod; what keeps house comes after.
const (
	rankPerson = iota
	rankDeployment
	rankReplicaSet
	rankScheduler
	rankKubelet
	rankController
	rankServer
)

func rankOf(s *trace.Span) int {
	switch s.Kind {
	case trace.Request:
		if strings.HasPrefix(s.Component, "kube-") || strings.HasPrefix(s.Component, "system:") {
			return rankServer
		}
		return rankPerson
	case trace.Schedule:
		return rankScheduler
	case trace.Sync:
		return rankKubelet
	case trace.Reconcile:
		switch s.Component {
		case "deployment-controller":
			return rankDeployment
		case "replicaset-controller":
			return rankReplicaSet
		}
	}
	return rankController
}

func (s *selection) addLane(span *trace.Span) {
	if _, ok := s.laneOf[span.Component]; ok {
		return
	}
	l := lane{span.Component, rankOf(span)}
	i := sort.Search(len(s.lanes), func(i int) bool {
		o := s.lanes[i]
		return o.rank > l.rank || (o.rank == l.rank && o.name > l.name)
	})
	s.lanes = slices.Insert(s.lanes, i, l)
	for i, l := range s.lanes {
		s.laneOf[l.name] = i
	}
}
