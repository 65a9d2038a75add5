// Package policy holds the kinds of the policy group.
package policy

import (
	policyv1 "k8s.io/api/policy/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := policyv1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[policyv1.PodDisruptionBudget, policyv1.PodDisruptionBudgetList](v1, kinds.Kind{Resource: "poddisruptionbudgets", ShortNames: []string{"pdb"}, Namespaced: true, HasStatus: true}),
		kinds.Virtual[policyv1.Eviction](v1, kinds.Kind{Namespaced: true}), // only the body of a subresource
	})
}
