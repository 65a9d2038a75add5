package nodeaffinity

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// Required is what a pod demands of its node: spec.nodeSelector and the required node affinity.
type Required struct {
	labels labels.Selector // nil: anything
	terms  []term          // one of them must match
	any    bool            // there is no required node affinity
}

// NewRequired reads the pod's demands.
// Models component-helpers/scheduling/corev1/nodeaffinity GetRequiredNodeAffinity.
func NewRequired(pod *corev1.Pod) *Required {
	r := &Required{any: true}
	if len(pod.Spec.NodeSelector) > 0 {
		r.labels = labels.SelectorFromSet(pod.Spec.NodeSelector)
	}
	if required := requiredAffinity(pod); required != nil {
		r.any, r.terms = false, newTerms(required.NodeSelectorTerms)
	}
	return r
}

func requiredAffinity(pod *corev1.Pod) *corev1.NodeSelector {
	if a := pod.Spec.Affinity; a != nil && a.NodeAffinity != nil {
		return a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	return nil
}

// Match reports whether the node meets the demands. A term that cannot be read matches nothing.
func (r *Required) Match(node *corev1.Node) bool {
	if r.labels != nil && !r.labels.Matches(labels.Set(node.Labels)) {
		return false
	}
	return r.any || matchAny(r.terms, node)
}

func matchAny(terms []term, node *corev1.Node) bool {
	for i := range terms {
		if terms[i].err == nil && terms[i].match(node) {
			return true
		}
	}
	return false
}

// A term is a node selector term: all its parts must match.
type term struct {
	labels labels.Selector // nil: none
	fields []fieldMatch
	err    error // why the term cannot be read
}

// A fieldMatch compares metadata.name, the only field there is, with one value.
type fieldMatch struct {
	key, value string
	not        bool
}

// newTerms reads terms; empty ones match no node and are left out.
func newTerms(list []corev1.NodeSelectorTerm) []term {
	var terms []term
	for i := range list {
		if !isEmpty(&list[i]) {
			terms = append(terms, newTerm(&list[i]))
		}
	}
	return terms
}

func isEmpty(t *corev1.NodeSelectorTerm) bool {
	return len(t.MatchExpressions) == 0 && len(t.MatchFields) == 0
}

func newTerm(t *corev1.NodeSelectorTerm) term {
	var out term
	for i := range t.MatchExpressions {
		e := &t.MatchExpressions[i]
		req, err := labels.NewRequirement(e.Key, operator(e.Operator), e.Values)
		if err != nil {
			out.err = err
			return out
		}
		if out.labels == nil {
			out.labels = labels.NewSelector()
		}
		out.labels = out.labels.Add(*req)
	}
	for i := range t.MatchFields {
		f := &t.MatchFields[i]
		if len(f.Values) != 1 || (f.Operator != corev1.NodeSelectorOpIn && f.Operator != corev1.NodeSelectorOpNotIn) {
			out.err = fmt.Errorf("field %q: %s needs to be In or NotIn with one value", f.Key, f.Operator)
			return out
		}
		out.fields = append(out.fields, fieldMatch{f.Key, f.Values[0], f.Operator == corev1.NodeSelectorOpNotIn})
	}
	return out
}

func operator(op corev1.NodeSelectorOperator) selection.Operator {
	switch op {
	case corev1.NodeSelectorOpIn:
		return selection.In
	case corev1.NodeSelectorOpNotIn:
		return selection.NotIn
	case corev1.NodeSelectorOpExists:
		return selection.Exists
	case corev1.NodeSelectorOpDoesNotExist:
		return selection.DoesNotExist
	case corev1.NodeSelectorOpGt:
		return selection.GreaterThan
	case corev1.NodeSelectorOpLt:
		return selection.LessThan
	}
	return selection.Operator(op) // refused by NewRequirement
}

func (t *term) match(node *corev1.Node) bool {
	if t.labels != nil && !t.labels.Matches(labels.Set(node.Labels)) {
		return false
	}
	for _, f := range t.fields {
		have := ""
		if f.key == metav1.ObjectNameField {
			have = node.Name
		}
		if (have == f.value) == f.not {
			return false
		}
	}
	return true
}

// A preference is a preferred term with its weight.
type preference struct {
	term
	weight int64
}

// newPreferences reads preferred terms; those without weight or content count for nothing.
func newPreferences(list []corev1.PreferredSchedulingTerm) ([]preference, error) {
	var out []preference
	for i := range list {
		if list[i].Weight == 0 || isEmpty(&list[i].Preference) {
			continue
		}
		t := newTerm(&list[i].Preference)
		if t.err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, t.err)
		}
		out = append(out, preference{t, int64(list[i].Weight)})
	}
	return out, nil
}

func score(prefs []preference, node *corev1.Node) int64 {
	var sum int64
	for i := range prefs {
		if prefs[i].match(node) {
			sum += prefs[i].weight
		}
	}
	return sum
}
