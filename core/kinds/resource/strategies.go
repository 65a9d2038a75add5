package resource

import (
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/fields"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// strategies returns how objects of each resource of the group are treated.
func strategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{
		"resourceslices": {
			FieldNames: []string{resourcev1.ResourceSliceSelectorNodeName, resourcev1.ResourceSliceSelectorDriver,
				resourcev1.ResourceSliceSelectorPoolName},
			Fields: func(obj kinds.Object) fields.Set {
				spec := &obj.(*resourcev1.ResourceSlice).Spec
				return fields.Set{
					resourcev1.ResourceSliceSelectorNodeName: table.Deref(spec.NodeName, ""),
					resourcev1.ResourceSliceSelectorDriver:   spec.Driver,
					resourcev1.ResourceSliceSelectorPoolName: spec.Pool.Name,
				}
			},
		},
	}
}
