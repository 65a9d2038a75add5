package core

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// Longest texts of an event.
const (
	longestReportingInstance = 128
	longestAction            = 128
	longestReason            = 128
	longestNote              = 1024
)

func events() kinds.Strategy {
	return kinds.Strategy{
		ValidateName:   path.ValidatePathSegmentName,
		Validate:       func(obj kinds.Object) field.ErrorList { return validateEvent(obj.(*corev1.Event)) },
		ValidateUpdate: func(obj, _ kinds.Object) field.ErrorList { return validateEvent(obj.(*corev1.Event)) },
		CreateOnUpdate: true,
		FieldNames: []string{"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
			"involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason",
			"reportingComponent", "source", "type"},
		Fields: eventFields,
	}
}

func eventFields(obj kinds.Object) fields.Set {
	e := obj.(*corev1.Event)
	source := e.Source.Component
	if source == "" {
		source = e.ReportingController
	}
	o := &e.InvolvedObject
	return fields.Set{
		"involvedObject.kind":            o.Kind,
		"involvedObject.namespace":       o.Namespace,
		"involvedObject.name":            o.Name,
		"involvedObject.uid":             string(o.UID),
		"involvedObject.apiVersion":      o.APIVersion,
		"involvedObject.resourceVersion": o.ResourceVersion,
		"involvedObject.fieldPath":       o.FieldPath,
		"reason":                         e.Reason,
		"reportingComponent":             e.ReportingController,
		"source":                         source,
		"type":                           e.Type,
	}
}

// validateEvent checks an event: one with an eventTime must name its reporter, one without belongs to the
// namespace of its object.
//
// Models pkg/apis/core/validation legacyValidateEvent.
func validateEvent(ev *corev1.Event) field.ErrorList {
	var e check.Errors
	EventReport{
		Namespace: ev.Namespace, Timed: !ev.EventTime.IsZero(), ObjectNamespace: ev.InvolvedObject.Namespace,
		Controller: ev.ReportingController, ControllerField: "reportingComponent", Instance: ev.ReportingInstance,
		Action: ev.Action, Reason: ev.Reason, Note: ev.Message,
	}.Check(&e)
	return e.List()
}

// An EventReport is what the events of both API groups have in common.
type EventReport struct {
	Namespace, ObjectNamespace string
	Timed                      bool // eventTime is set
	Controller                 string
	ControllerField            string
	Instance                   string
	Action, Reason, Note       string
}

// Check applies the rules that both API groups share.
func (r EventReport) Check(e *check.Errors) {
	const namespace, detail = "involvedObject.namespace", "does not match event.namespace"
	if !r.Timed {
		elsewhere := r.ObjectNamespace != "" && r.ObjectNamespace != r.Namespace
		clusterScoped := r.ObjectNamespace == "" && r.Namespace != metav1.NamespaceNone && r.Namespace != metav1.NamespaceDefault
		if elsewhere || clusterScoped {
			e.Invalid(nil, namespace, r.ObjectNamespace, detail)
		}
		return
	}
	if r.ObjectNamespace == "" && r.Namespace != metav1.NamespaceDefault && r.Namespace != metav1.NamespaceSystem {
		e.Invalid(nil, namespace, r.ObjectNamespace, detail)
	}
	if r.Controller == "" {
		e.Required(nil, r.ControllerField, "")
	}
	e.QualifiedName(nil, r.ControllerField, r.Controller)
	r.text(e, "reportingInstance", r.Instance, longestReportingInstance)
	r.text(e, "action", r.Action, longestAction)
	r.text(e, "reason", r.Reason, longestReason)
	if len(r.Note) > longestNote {
		e.Invalid(nil, "message", "", "can have at most 1024 characters")
	}
}

func (r EventReport) text(e *check.Errors, name, value string, limit int) {
	if value == "" {
		e.Required(nil, name, "")
	}
	if len(value) > limit {
		e.Invalid(nil, name, "", "can have at most "+decimal(int64(limit))+" characters")
	}
}
