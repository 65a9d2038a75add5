package apiserverinternal

import (
	apiserverinternalv1alpha1 "k8s.io/api/apiserverinternal/v1alpha1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"storageversions": table.Of(storageVersionCells, "Name", "CommonEncodingVersion", "StorageVersions", "Age"),
	}
}

func storageVersionCells(obj *apiserverinternalv1alpha1.StorageVersion, now table.Time) []any {
	var servers []string
	for _, v := range obj.Status.StorageVersions {
		servers = append(servers, v.APIServerID+"="+v.EncodingVersion)
	}
	return []any{obj.Name, table.Deref(obj.Status.CommonEncodingVersion, "<unset>"),
		table.Or(table.More(servers, 3), "<unset>"), now.Age(obj)}
}
