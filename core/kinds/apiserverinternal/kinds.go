// Package apiserverinternal holds the kinds of the internal.apiserver.k8s.io group.
package apiserverinternal

import (
	apiserverinternalv1alpha1 "k8s.io/api/apiserverinternal/v1alpha1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1alpha1 := apiserverinternalv1alpha1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[apiserverinternalv1alpha1.StorageVersion, apiserverinternalv1alpha1.StorageVersionList](v1alpha1, kinds.Kind{Resource: "storageversions", HasStatus: true}),
	})
}
