package batch

import (
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/fields"

	"terrarium/core/kinds"
)

// strategies returns how objects of each resource of the group are treated.
func strategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{
		"jobs": {
			FieldNames: []string{"status.successful"},
			Fields: func(obj kinds.Object) fields.Set {
				return fields.Set{"status.successful": strconv.Itoa(int(obj.(*batchv1.Job).Status.Succeeded))}
			},
		},
	}
}
