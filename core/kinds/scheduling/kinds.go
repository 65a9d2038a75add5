// Package scheduling holds the kinds of the scheduling.k8s.io group.
package scheduling

import (
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := schedulingv1.SchemeGroupVersion
	v1alpha3 := schedulingv1alpha3.SchemeGroupVersion
	v1beta1 := schedulingv1beta1.SchemeGroupVersion
	return kinds.Assemble(strategies(), columns(), []*kinds.Kind{
		kinds.Of[schedulingv1.PriorityClass, schedulingv1.PriorityClassList](v1, kinds.Kind{Resource: "priorityclasses", ShortNames: []string{"pc"}}),
		kinds.Of[schedulingv1beta1.PodGroup, schedulingv1beta1.PodGroupList](v1beta1, kinds.Kind{Resource: "podgroups", Namespaced: true, HasStatus: true}),
		kinds.Of[schedulingv1beta1.Workload, schedulingv1beta1.WorkloadList](v1beta1, kinds.Kind{Resource: "workloads", Namespaced: true}),
		kinds.Of[schedulingv1alpha3.CompositePodGroup, schedulingv1alpha3.CompositePodGroupList](v1alpha3, kinds.Kind{Resource: "compositepodgroups", Namespaced: true, HasStatus: true}),
	})
}
