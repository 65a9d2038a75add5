// Package lifecycle holds the kinds of the lifecycle.k8s.io group.
package lifecycle

import (
	lifecyclev1alpha1 "k8s.io/api/lifecycle/v1alpha1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1alpha1 := lifecyclev1alpha1.SchemeGroupVersion
	return kinds.Assemble(nil, nil, []*kinds.Kind{
		kinds.Of[lifecyclev1alpha1.EvictionRequest, lifecyclev1alpha1.EvictionRequestList](v1alpha1, kinds.Kind{Resource: "evictionrequests", Namespaced: true, HasStatus: true}),
		kinds.Of[lifecyclev1alpha1.Eviction, lifecyclev1alpha1.EvictionList](v1alpha1, kinds.Kind{Resource: "evictions", Namespaced: true, HasStatus: true}),
	})
}
