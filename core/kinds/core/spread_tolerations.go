package core

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

// topologySpread checks how pods are to be spread.
//
// Models pkg/apis/core/validation validateTopologySpreadConstraints.
func (v *podValidator) topologySpread(at *check.Path) {
	list := at.Child("topologySpreadConstraints")
	for i := range v.spec.TopologySpreadConstraints {
		c, constraint := &v.spec.TopologySpreadConstraints[i], list.Index(i)
		v.Positive(&constraint, "maxSkew", int64(c.MaxSkew))
		if c.TopologyKey == "" {
			v.Required(&constraint, "topologyKey", "can not be empty")
		}
		if c.WhenUnsatisfiable != corev1.DoNotSchedule && c.WhenUnsatisfiable != corev1.ScheduleAnyway {
			v.NotSupported(&constraint, "whenUnsatisfiable", c.WhenUnsatisfiable, "DoNotSchedule", "ScheduleAnyway")
		}
		for _, other := range v.spec.TopologySpreadConstraints[i+1:] {
			if c.TopologyKey == other.TopologyKey && c.WhenUnsatisfiable == other.WhenUnsatisfiable {
				v.Duplicate(&constraint, "{topologyKey, whenUnsatisfiable}", "{"+c.TopologyKey+", "+string(c.WhenUnsatisfiable)+"}")
				break
			}
		}
		if n := c.MinDomains; n != nil {
			v.Positive(&constraint, "minDomains", int64(*n))
			if c.WhenUnsatisfiable != corev1.DoNotSchedule {
				v.Invalid(&constraint, "minDomains", *n, "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "+string(c.WhenUnsatisfiable))
			}
		}
		v.inclusionPolicy(&constraint, "nodeAffinityPolicy", c.NodeAffinityPolicy)
		v.inclusionPolicy(&constraint, "nodeTaintsPolicy", c.NodeTaintsPolicy)
		if v.rules.spreadKeys {
			v.oldSpreadKeys(&constraint, c)
		} else {
			v.matchLabelKeys(&constraint, c.MatchLabelKeys, nil, c.LabelSelector)
		}
		if !v.rules.spreadSelector {
			v.LabelSelector(&constraint, "labelSelector", c.LabelSelector, false)
		}
	}
}

func (v *podValidator) inclusionPolicy(at *check.Path, child string, p *corev1.NodeInclusionPolicy) {
	if p != nil && *p != corev1.NodeInclusionPolicyIgnore && *p != corev1.NodeInclusionPolicyHonor {
		v.NotSupported(at, child, *p, "Honor", "Ignore")
	}
}

// oldSpreadKeys checks the label keys of an object that was made before they were merged into the selector.
//
// Models pkg/apis/core/validation ValidateMatchLabelKeysInTopologySpread.
func (v *podValidator) oldSpreadKeys(at *check.Path, c *corev1.TopologySpreadConstraint) {
	if len(c.MatchLabelKeys) == 0 {
		return
	}
	keys := at.Child("matchLabelKeys")
	inSelector := map[string]bool{}
	if c.LabelSelector == nil {
		v.Forbidden(&keys, "", "must not be specified when labelSelector is not set")
	} else {
		for key := range c.LabelSelector.MatchLabels {
			inSelector[key] = true
		}
		for i := range c.LabelSelector.MatchExpressions {
			inSelector[c.LabelSelector.MatchExpressions[i].Key] = true
		}
	}
	for i, key := range c.MatchLabelKeys {
		place := keys.Index(i)
		v.QualifiedName(&place, "", key)
		if inSelector[key] {
			v.Invalid(&place, "", key, "exists in both matchLabelKeys and labelSelector")
		}
	}
}

// tolerations checks which taints of nodes do not matter to the pod.
//
// Models pkg/apis/core/validation ValidateTolerations.
func (v *podValidator) tolerations(at *check.Path, list []corev1.Toleration) {
	place := at.Child("tolerations")
	Tolerations(&v.Errors, &place, list)
}

// Tolerations checks a list of tolerations at its place.
func Tolerations(e *check.Errors, at *check.Path, list []corev1.Toleration) {
	for i := range list {
		t, toleration := &list[i], at.Index(i)
		if t.Key != "" {
			e.QualifiedName(&toleration, "key", t.Key)
		} else if t.Operator != corev1.TolerationOpExists {
			e.Invalid(&toleration, "operator", t.Operator, "operator must be Exists when `key` is empty, which means \"match all values and all keys\"")
		}
		if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
			e.Invalid(&toleration, "effect", t.Effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
		}
		switch t.Operator {
		case corev1.TolerationOpEqual, "":
			if !check.IsLabelValue(t.Value) {
				e.Invalid(&toleration, "operator", t.Value, strings.Join(validation.IsValidLabelValue(t.Value), ";"))
			}
		case corev1.TolerationOpExists:
			if t.Value != "" {
				e.Invalid(&toleration, "operator", t.Value, "value must be empty when `operator` is 'Exists'")
			}
		case corev1.TolerationOpLt, corev1.TolerationOpGt:
			e.NotSupported(&toleration, "operator", t.Operator, "Equal", "Exists", "Lt", "Gt")
		default:
			e.NotSupported(&toleration, "operator", t.Operator, "Equal", "Exists")
		}
		if t.Effect != "" {
			taintEffect(e, &toleration, t.Effect)
		}
	}
}

func taintEffect(e *check.Errors, at *check.Path, effect corev1.TaintEffect) {
	switch effect {
	case corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
	default:
		e.NotSupported(at, "effect", effect, "NoSchedule", "PreferNoSchedule", "NoExecute")
	}
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
