// Package node holds the kinds of the node.k8s.io group.
package node

import (
	nodev1 "k8s.io/api/node/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := nodev1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[nodev1.RuntimeClass, nodev1.RuntimeClassList](v1, kinds.Kind{Resource: "runtimeclasses"}),
	})
}
