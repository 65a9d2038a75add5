// Package storagemigration holds the kinds of the storagemigration.k8s.io group.
package storagemigration

import (
	storagemigrationv1 "k8s.io/api/storagemigration/v1"

	"terrarium/core/kinds"
)

// Kinds returns the kinds of the group, in discovery order.
func Kinds() []*kinds.Kind {
	v1 := storagemigrationv1.SchemeGroupVersion
	return kinds.Assemble(nil, columns(), []*kinds.Kind{
		kinds.Of[storagemigrationv1.StorageVersionMigration, storagemigrationv1.StorageVersionMigrationList](v1, kinds.Kind{Resource: "storageversionmigrations", HasStatus: true}),
	})
}
