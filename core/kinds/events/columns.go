package events

import (
	"strings"

	eventsv1 "k8s.io/api/events/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"events": table.Of(eventCells, "Last Seen", "Type", "Reason", "Object", "+Subobject", "+Source", "Message",
			"+First Seen", "+Count", "+Name"),
	}
}

func eventCells(obj *eventsv1.Event, now table.Time) []any {
	first := now.Since(obj.DeprecatedFirstTimestamp)
	if obj.DeprecatedFirstTimestamp.IsZero() {
		first = now.SinceMicro(obj.EventTime)
	}
	last := now.Since(obj.DeprecatedLastTimestamp)
	if obj.DeprecatedLastTimestamp.IsZero() {
		last = first
	}
	count := max(1, obj.DeprecatedCount)
	if obj.Series != nil {
		last, count = now.SinceMicro(obj.Series.LastObservedTime), obj.Series.Count
	}
	object := strings.ToLower(obj.Regarding.Kind)
	if obj.Regarding.Name != "" {
		object += "/" + obj.Regarding.Name
	}
	source := table.Or(obj.DeprecatedSource.Component, obj.ReportingController)
	if host := table.Or(obj.DeprecatedSource.Host, obj.ReportingInstance); host != "" {
		source += ", " + host
	}
	return []any{last, obj.Type, obj.Reason, object, obj.Regarding.FieldPath, source,
		strings.TrimSpace(obj.Note), first, int64(count), obj.Name}
}
