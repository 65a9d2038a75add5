package events

import (
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
	"terrarium/core/kinds/core"
)

// strategies returns how objects of each resource of the group are treated.
func strategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{"events": {
		ValidateName:   path.ValidatePathSegmentName,
		Validate:       validateEvent,
		ValidateUpdate: validateEventUpdate,
		CreateOnUpdate: true,
		FieldNames: []string{"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
			"involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason",
			"reportingComponent", "source", "type"},
		Fields: eventFields,
	}}
}

// eventFields has the names of the core group: both groups are the same events.
func eventFields(obj kinds.Object) fields.Set {
	ev := obj.(*eventsv1.Event)
	source := ev.DeprecatedSource.Component
	if source == "" {
		source = ev.ReportingController
	}
	o := &ev.Regarding
	return fields.Set{
		"involvedObject.kind":            o.Kind,
		"involvedObject.namespace":       o.Namespace,
		"involvedObject.name":            o.Name,
		"involvedObject.uid":             string(o.UID),
		"involvedObject.apiVersion":      o.APIVersion,
		"involvedObject.resourceVersion": o.ResourceVersion,
		"involvedObject.fieldPath":       o.FieldPath,
		"reason":                         ev.Reason,
		"reportingComponent":             ev.ReportingController,
		"source":                         source,
		"type":                           ev.Type,
	}
}

func shared(e *check.Errors, ev *eventsv1.Event) {
	core.EventReport{
		Namespace: ev.Namespace, Timed: !ev.EventTime.IsZero(), ObjectNamespace: ev.Regarding.Namespace,
		Controller: ev.ReportingController, ControllerField: "reportingController", Instance: ev.ReportingInstance,
		Action: ev.Action, Reason: ev.Reason, Note: ev.Note,
	}.Check(e)
}

// validateEvent checks a new event; unlike in the core group it must have its time, and none of the old
// fields.
//
// Models pkg/apis/core/validation ValidateEventCreate.
func validateEvent(obj kinds.Object) field.ErrorList {
	ev := obj.(*eventsv1.Event)
	var e check.Errors
	shared(&e, ev)
	series(&e, ev)
	if ev.EventTime.IsZero() {
		e.Required(nil, "eventTime", "")
	}
	if ev.Type != "Normal" && ev.Type != "Warning" {
		e.Invalid(nil, "type", "", "has invalid value: "+ev.Type)
	}
	for _, f := range [...]struct {
		set  bool
		name string
	}{
		{!ev.DeprecatedFirstTimestamp.IsZero(), "firstTimestamp"},
		{!ev.DeprecatedLastTimestamp.IsZero(), "lastTimestamp"},
		{ev.DeprecatedCount != 0, "count"},
		{ev.DeprecatedSource.Component != "" || ev.DeprecatedSource.Host != "", "source"},
	} {
		if f.set {
			e.Invalid(nil, f.name, "", "needs to be unset")
		}
	}
	return e.List()
}

func series(e *check.Errors, ev *eventsv1.Event) {
	if ev.Series == nil {
		return
	}
	if ev.Series.Count < 2 {
		e.Invalid(nil, "series.count", "", "should be at least 2")
	}
	if ev.Series.LastObservedTime.IsZero() {
		e.Required(nil, "series.lastObservedTime", "")
	}
}

// validateEventUpdate checks that only the series of an event changes.
//
// Models pkg/apis/core/validation ValidateEventUpdate.
func validateEventUpdate(obj, old kinds.Object) field.ErrorList {
	ev, was := obj.(*eventsv1.Event), old.(*eventsv1.Event)
	var e check.Errors
	shared(&e, ev)
	if !check.Equal(&ev.Series, &was.Series) {
		series(&e, ev)
	}
	kept := func(name string, same bool, value any) {
		if !same {
			e.Invalid(nil, name, value, "field is immutable")
		}
	}
	kept("involvedObject", ev.Regarding == was.Regarding, check.Internal(ev.Regarding))
	kept("reason", ev.Reason == was.Reason, ev.Reason)
	kept("message", ev.Note == was.Note, ev.Note)
	kept("source", ev.DeprecatedSource == was.DeprecatedSource, check.Internal(ev.DeprecatedSource))
	kept("firstTimestamp", ev.DeprecatedFirstTimestamp.Equal(&was.DeprecatedFirstTimestamp), ev.DeprecatedFirstTimestamp)
	kept("lastTimestamp", ev.DeprecatedLastTimestamp.Equal(&was.DeprecatedLastTimestamp), ev.DeprecatedLastTimestamp)
	kept("count", ev.DeprecatedCount == was.DeprecatedCount, ev.DeprecatedCount)
	kept("type", ev.Type == was.Type, ev.Type)
	kept("eventTime", ev.EventTime.Truncate(time.Microsecond).Equal(was.EventTime.Truncate(time.Microsecond)), ev.EventTime)
	kept("action", ev.Action == was.Action, ev.Action)
	kept("related", check.Equal(&ev.Related, &was.Related), check.Internal(ev.Related))
	kept("reportingController", ev.ReportingController == was.ReportingController, ev.ReportingController)
	kept("reportingInstance", ev.ReportingInstance == was.ReportingInstance, ev.ReportingInstance)
	return e.List()
}
