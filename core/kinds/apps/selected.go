package apps

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
	"terrarium/core/kinds/core"
)

const aboveReplicas = "cannot be greater than status.replicas"

// selected is a pod template and the selector that must find its pods.
type selected struct {
	selector      *metav1.LabelSelector
	template, old *corev1.PodTemplateSpec // old is nil for a new object
}

// check checks selector and template of a Deployment or a ReplicaSet. Upstream speaks of the other one in
// two messages.
//
// Models pkg/apis/apps/validation ValidatePodTemplateSpecForReplicaSet.
func (s selected) check(e *check.Errors, at *check.Path) {
	if s.selector == nil {
		e.Required(at, "selector", "")
	} else {
		e.LabelSelector(at, "selector", s.selector, false)
		if len(s.selector.MatchLabels)+len(s.selector.MatchExpressions) == 0 {
			e.Invalid(at, "selector", s.selector, "empty selector is invalid for deployment")
		}
	}
	selector, err := metav1.LabelSelectorAsSelector(s.selector)
	if err != nil {
		e.Invalid(at, "selector", s.selector, "invalid label selector")
		return
	}
	template := at.Child("template")
	if !selector.Empty() && !selector.Matches(labels.Set(s.template.Labels)) {
		e.Invalid(&template, "metadata.labels", s.template.Labels, "`selector` does not match template `labels`")
	}
	core.ValidatePodTemplate(e, &template, s.template, s.old)
	core.ValidateReplicaTemplate(e, &template, s.template, "ReplicaSet")
}

func selectorKept(e *check.Errors, selector, old *metav1.LabelSelector) {
	if !check.Equal(&selector, &old) {
		spec := check.Root("spec")
		e.Invalid(&spec, "selector", selector, "field is immutable")
	}
}

// collisionsKept checks that the counter that goes into names of revisions only grows.
func collisionsKept(e *check.Errors, at *check.Path, n, old *int32) {
	switch {
	case old == nil:
	case n == nil:
		e.Invalid(at, "collisionCount", int32(0), "cannot be decremented")
	case *n < *old:
		e.Invalid(at, "collisionCount", *n, "cannot be decremented")
	}
}

// positiveOrPercent checks a number of pods, absolute or in percent.
//
// Models pkg/apis/apps/validation ValidatePositiveIntOrPercent.
func positiveOrPercent(e *check.Errors, at *check.Path, child string, n intstr.IntOrString) {
	if n.Type == intstr.String {
		e.InvalidAll(at, child, n, validation.IsValidPercent(n.StrVal))
	} else {
		e.NonNegative(at, child, int64(n.IntVal))
	}
}

func percentOf(n intstr.IntOrString) (int, bool) {
	if n.Type != intstr.String || len(validation.IsValidPercent(n.StrVal)) > 0 {
		return 0, false
	}
	percent, _ := strconv.Atoi(n.StrVal[:len(n.StrVal)-1]) // the largest number there is when it is larger
	return percent, true
}

// amountOf returns the number, of pods or of percent.
func amountOf(n intstr.IntOrString) int {
	if percent, ok := percentOf(n); ok {
		return percent
	}
	return n.IntValue()
}

// atMostAll refuses more than 100 percent.
func atMostAll(e *check.Errors, at *check.Path, child string, n intstr.IntOrString) {
	if percent, ok := percentOf(n); ok && percent > 100 {
		e.Invalid(at, child, n, "must not be greater than 100%")
	}
}
