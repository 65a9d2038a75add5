package check

import (
	"maps"
	"slices"
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Keys returns the keys of a map in order: what decides anything goes by them.
func Keys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// Labels checks a set of labels.
func (e *Errors) Labels(at *Path, child string, labels map[string]string) {
	good := true
	// any order: all must be good
	for k, v := range labels {
		good = good && IsQualifiedName(k) && IsLabelValue(v)
	}
	if good {
		return
	}
	for _, k := range Keys(labels) {
		e.QualifiedName(at, child, k)
		e.LabelValue(at, child, labels[k])
	}
}

// Annotations checks a set of annotations: names and total size.
func (e *Errors) Annotations(at *Path, child string, annotations map[string]string) {
	good, size := true, 0
	// any order: all must be good, and sizes add up
	for k, v := range annotations {
		good = good && IsQualifiedName(strings.ToLower(k))
		size += len(k) + len(v)
	}
	if !good {
		for _, k := range Keys(annotations) {
			if !IsQualifiedName(strings.ToLower(k)) {
				e.InvalidAll(at, child, k, validation.IsQualifiedName(strings.ToLower(k)))
			}
		}
	}
	if size > apivalidation.TotalAnnotationSizeLimitB {
		e.TooLong(at, child, apivalidation.TotalAnnotationSizeLimitB)
	}
}

// LabelSelector checks a selector; nil is a good one. With lax, wrong label values in its expressions pass:
// objects that had one before may keep it.
func (e *Errors) LabelSelector(at *Path, child string, s *metav1.LabelSelector, lax bool) {
	if s == nil {
		return
	}
	sel := at.Child(child)
	if child == "" {
		sel = *at
	}
	e.Labels(&sel, "matchLabels", s.MatchLabels)
	exprs := sel.Child("matchExpressions")
	for i := range s.MatchExpressions {
		expr := exprs.Index(i)
		e.selectorRequirement(&expr, &s.MatchExpressions[i], lax)
	}
}

// Models apimachinery pkg/apis/meta/v1/validation ValidateLabelSelectorRequirement.
func (e *Errors) selectorRequirement(at *Path, r *metav1.LabelSelectorRequirement, lax bool) {
	switch r.Operator {
	case metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn:
		if len(r.Values) == 0 {
			e.Required(at, "values", "must be specified when `operator` is 'In' or 'NotIn'")
		}
	case metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			e.Forbidden(at, "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
		}
	default:
		e.Invalid(at, "operator", r.Operator, "not a valid selector operator")
	}
	e.QualifiedName(at, "key", r.Key)
	if lax {
		return
	}
	values := at.Child("values")
	for i, v := range r.Values {
		value := values.Index(i)
		e.LabelValue(&value, "", v)
	}
}
