package core

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds/check"
)

func (v *podValidator) affinity(at *check.Path) {
	a := v.spec.Affinity
	if a == nil {
		return
	}
	affinity := at.Child("affinity")
	if a.NodeAffinity != nil {
		node := affinity.Child("nodeAffinity")
		v.nodeAffinity(&node, a.NodeAffinity)
	}
	if a.PodAffinity != nil {
		pod := affinity.Child("podAffinity")
		v.podTerms(&pod, a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if a.PodAntiAffinity != nil {
		pod := affinity.Child("podAntiAffinity")
		v.podTerms(&pod, a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

func (v *podValidator) nodeAffinity(at *check.Path, a *corev1.NodeAffinity) {
	if r := a.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
		required := at.Child("requiredDuringSchedulingIgnoredDuringExecution")
		NodeSelector(&v.Errors, &required, r, v.rules.nodeAffinityValues)
	}
	preferred := at.Child("preferredDuringSchedulingIgnoredDuringExecution")
	for i := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		p, term := &a.PreferredDuringSchedulingIgnoredDuringExecution[i], preferred.Index(i)
		if p.Weight <= 0 || p.Weight > 100 {
			v.Invalid(&term, "weight", p.Weight, "must be in the range 1-100")
		}
		preference := term.Child("preference")
		nodeSelectorTerm(&v.Errors, &preference, &p.Preference, true)
	}
}

// NodeSelector checks a choice of nodes. With lax, wrong label values pass.
//
// Models pkg/apis/core/validation ValidateNodeSelector.
func NodeSelector(e *check.Errors, at *check.Path, s *corev1.NodeSelector, lax bool) {
	terms := at.Child("nodeSelectorTerms")
	if len(s.NodeSelectorTerms) == 0 {
		e.Required(&terms, "", "must have at least one node selector term")
	}
	for i := range s.NodeSelectorTerms {
		term := terms.Index(i)
		nodeSelectorTerm(e, &term, &s.NodeSelectorTerms[i], lax)
	}
}

func nodeSelectorTerm(e *check.Errors, at *check.Path, t *corev1.NodeSelectorTerm, lax bool) {
	expressions := at.Child("matchExpressions")
	for i := range t.MatchExpressions {
		expression := expressions.Index(i)
		nodeRequirement(e, &expression, &t.MatchExpressions[i], lax)
	}
	fields := at.Child("matchFields")
	for i := range t.MatchFields {
		field := fields.Index(i)
		nodeFieldRequirement(e, &field, &t.MatchFields[i])
	}
}

// Models pkg/apis/core/validation ValidateNodeSelectorRequirement.
func nodeRequirement(e *check.Errors, at *check.Path, r *corev1.NodeSelectorRequirement, lax bool) {
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) == 0 {
			e.Required(at, "values", "must be specified when `operator` is 'In' or 'NotIn'")
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			e.Forbidden(at, "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(r.Values) != 1 {
			e.Required(at, "values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
		}
	default:
		e.Invalid(at, "operator", r.Operator, "not a valid selector operator")
	}
	e.QualifiedName(at, "key", r.Key)
	if lax {
		return
	}
	values := at.Child("values")
	for i, s := range r.Values {
		value := values.Index(i)
		e.LabelValue(&value, "", s)
	}
}

// Models pkg/apis/core/validation ValidateNodeFieldSelectorRequirement.
func nodeFieldRequirement(e *check.Errors, at *check.Path, r *corev1.NodeSelectorRequirement) {
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) != 1 {
			e.Required(at, "values", "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")
		}
	default:
		e.Invalid(at, "operator", r.Operator, "not a valid selector operator")
	}
	if r.Key != metav1.ObjectNameField {
		e.Invalid(at, "key", r.Key, "not a valid field selector key")
		return
	}
	values := at.Child("values")
	for i, s := range r.Values {
		value := values.Index(i)
		e.DNSSubdomain(&value, "", s)
	}
}

func (v *podValidator) podTerms(at *check.Path, required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
	list := at.Child("requiredDuringSchedulingIgnoredDuringExecution")
	for i := range required {
		term := list.Index(i)
		v.podTerm(&term, &required[i])
	}
	list = at.Child("preferredDuringSchedulingIgnoredDuringExecution")
	for i := range preferred {
		p, weighted := &preferred[i], list.Index(i)
		if p.Weight <= 0 || p.Weight > 100 {
			v.Invalid(&weighted, "weight", p.Weight, "must be in the range 1-100")
		}
		term := weighted.Child("podAffinityTerm")
		v.podTerm(&term, &p.PodAffinityTerm)
	}
}

// Models pkg/apis/core/validation validatePodAffinityTerm.
func (v *podValidator) podTerm(at *check.Path, t *corev1.PodAffinityTerm) {
	v.LabelSelector(at, "labelSelector", t.LabelSelector, v.rules.selectorValues)
	v.LabelSelector(at, "namespaceSelector", t.NamespaceSelector, v.rules.selectorValues)
	for _, name := range t.Namespaces {
		v.DNSLabel(at, "namespace", name)
	}
	v.matchLabelKeys(at, t.MatchLabelKeys, t.MismatchLabelKeys, t.LabelSelector)
	if t.TopologyKey == "" {
		v.Required(at, "topologyKey", "can not be empty")
	}
	v.QualifiedName(at, "topologyKey", t.TopologyKey)
}

// matchLabelKeys checks labels whose values on the incoming pod narrow a selector.
//
// Models pkg/apis/core/validation ValidateMatchLabelKeysAndMismatchLabelKeys.
func (v *podValidator) matchLabelKeys(at *check.Path, match, mismatch []string, selector *metav1.LabelSelector) {
	v.labelKeys(at, "matchLabelKeys", match, selector)
	v.labelKeys(at, "mismatchLabelKeys", mismatch, selector)
	if selector != nil && len(match) > 0 {
		v.keysInSelector(at, match, selector)
	}
	list := at.Child("matchLabelKeys")
	for i, key := range match {
		for _, other := range mismatch {
			if key == other {
				place := list.Index(i)
				v.Invalid(&place, "", key, "exists in both matchLabelKeys and mismatchLabelKeys")
				break
			}
		}
	}
}

// keysInSelector refuses keys that the selector names already. The expression that the key itself adds when
// a pod is made may be there, once.
func (v *podValidator) keysInSelector(at *check.Path, match []string, selector *metav1.LabelSelector) {
	index := make(map[string]int, len(match))
	for i, key := range match {
		index[key] = i
	}
	seen := make(map[string]bool, len(selector.MatchLabels)+len(selector.MatchExpressions))
	for key := range selector.MatchLabels {
		seen[key] = true
	}
	for i := range selector.MatchExpressions {
		key := selector.MatchExpressions[i].Key
		if j, ok := index[key]; ok && seen[key] {
			place := at.Index(j)
			v.Invalid(&place, "", key, "exists in both matchLabelKeys and labelSelector")
		}
		seen[key] = true
	}
}

func (v *podValidator) labelKeys(at *check.Path, child string, keys []string, selector *metav1.LabelSelector) {
	if len(keys) == 0 {
		return
	}
	if selector == nil {
		v.Forbidden(at, child, "must not be specified when labelSelector is not set")
		return
	}
	list := at.Child(child)
	for i, key := range keys {
		place := list.Index(i)
		v.QualifiedName(&place, "", key)
	}
}
