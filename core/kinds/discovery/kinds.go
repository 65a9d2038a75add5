// Package discovery holds the kinds of the discovery.k8s.io group.
package discovery

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := discoveryv1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[discoveryv1.EndpointSlice, discoveryv1.EndpointSliceList](v1, kinds.Kind{Resource: "endpointslices", Namespaced: true}),
	})
}
