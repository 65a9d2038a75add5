// Package autoscaling holds the kinds of the autoscaling group.
package autoscaling

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := autoscalingv1.SchemeGroupVersion
	v2 := autoscalingv2.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[autoscalingv2.HorizontalPodAutoscaler, autoscalingv2.HorizontalPodAutoscalerList](v2, kinds.Kind{Resource: "horizontalpodautoscalers", ShortNames: []string{"hpa"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true}),
		kinds.Of[autoscalingv1.HorizontalPodAutoscaler, autoscalingv1.HorizontalPodAutoscalerList](v1, kinds.Kind{Resource: "horizontalpodautoscalers", ShortNames: []string{"hpa"}, Categories: []string{"all"}, Namespaced: true, HasStatus: true}),
		kinds.Virtual[autoscalingv1.Scale](v1, kinds.Kind{Namespaced: true}), // only the body of a subresource
	})
}
