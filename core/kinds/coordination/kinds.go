// Package coordination holds the kinds of the coordination.k8s.io group.
package coordination

import (
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := coordinationv1.SchemeGroupVersion
	v1beta1 := coordinationv1beta1.SchemeGroupVersion
	return kinds.Assemble(strategies(), columns(), []*kinds.Kind{
		kinds.Of[coordinationv1.Lease, coordinationv1.LeaseList](v1, kinds.Kind{Resource: "leases", Namespaced: true}),
		kinds.Of[coordinationv1beta1.LeaseCandidate, coordinationv1beta1.LeaseCandidateList](v1beta1, kinds.Kind{Resource: "leasecandidates", Namespaced: true}),
	})
}
