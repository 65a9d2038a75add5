// Package resource holds the kinds of the resource.k8s.io group.
package resource

import (
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := resourcev1.SchemeGroupVersion
	v1alpha3 := resourcev1alpha3.SchemeGroupVersion
	return kinds.Assemble(strategies(), columns(), []*kinds.Kind{
		kinds.Of[resourcev1.DeviceClass, resourcev1.DeviceClassList](v1, kinds.Kind{Resource: "deviceclasses"}),
		kinds.Of[resourcev1.DeviceTaintRule, resourcev1.DeviceTaintRuleList](v1, kinds.Kind{Resource: "devicetaintrules", HasStatus: true}),
		kinds.Of[resourcev1.ResourceClaim, resourcev1.ResourceClaimList](v1, kinds.Kind{Resource: "resourceclaims", Namespaced: true, HasStatus: true}),
		kinds.Of[resourcev1.ResourceClaimTemplate, resourcev1.ResourceClaimTemplateList](v1, kinds.Kind{Resource: "resourceclaimtemplates", Namespaced: true}),
		kinds.Of[resourcev1.ResourceSlice, resourcev1.ResourceSliceList](v1, kinds.Kind{Resource: "resourceslices"}),
		kinds.Of[resourcev1alpha3.ResourcePoolStatusRequest, resourcev1alpha3.ResourcePoolStatusRequestList](v1alpha3, kinds.Kind{Resource: "resourcepoolstatusrequests", HasStatus: true}),
	})
}
