// Package storage holds the kinds of the storage.k8s.io group.
package storage

import (
	storagev1 "k8s.io/api/storage/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := storagev1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[storagev1.CSIDriver, storagev1.CSIDriverList](v1, kinds.Kind{Resource: "csidrivers"}),
		kinds.Of[storagev1.CSINode, storagev1.CSINodeList](v1, kinds.Kind{Resource: "csinodes", HasStatus: true}),
		kinds.Of[storagev1.CSIStorageCapacity, storagev1.CSIStorageCapacityList](v1, kinds.Kind{Resource: "csistoragecapacities", Namespaced: true}),
		kinds.Of[storagev1.StorageClass, storagev1.StorageClassList](v1, kinds.Kind{Resource: "storageclasses", ShortNames: []string{"sc"}}),
		kinds.Of[storagev1.VolumeAttachment, storagev1.VolumeAttachmentList](v1, kinds.Kind{Resource: "volumeattachments", HasStatus: true}),
		kinds.Of[storagev1.VolumeAttributesClass, storagev1.VolumeAttributesClassList](v1, kinds.Kind{Resource: "volumeattributesclasses", ShortNames: []string{"vac"}}),
	})
}
