// Package flowcontrol holds the kinds of the flowcontrol.apiserver.k8s.io group.
package flowcontrol

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := flowcontrolv1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[flowcontrolv1.FlowSchema, flowcontrolv1.FlowSchemaList](v1, kinds.Kind{Resource: "flowschemas", HasStatus: true}),
		kinds.Of[flowcontrolv1.PriorityLevelConfiguration, flowcontrolv1.PriorityLevelConfigurationList](v1, kinds.Kind{Resource: "prioritylevelconfigurations", HasStatus: true}),
	})
}
