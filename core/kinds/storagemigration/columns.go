package storagemigration

import (
	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"storageversionmigrations": table.Of(migrationCells, "Name", "Resource", "Status"),
	}
}

func migrationCells(obj *storagemigrationv1.StorageVersionMigration, _ table.Time) []any {
	status := "Unknown"
	for _, c := range obj.Status.Conditions {
		switch storagemigrationv1.MigrationConditionType(c.Type) {
		case storagemigrationv1.MigrationRunning, storagemigrationv1.MigrationFailed, storagemigrationv1.MigrationSucceeded:
			if c.Status == metav1.ConditionTrue {
				status = c.Type
			}
		}
	}
	return []any{obj.Name, obj.Spec.Resource.String(), status}
}
