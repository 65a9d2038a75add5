package coordination

import (
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"leases":          table.Of(leaseCells, "Name", "Holder", "Age"),
		"leasecandidates": table.Of(candidateCells, "Name", "LeaseName", "BinaryVersion", "EmulationVersion", "Age"),
	}
}

func leaseCells(obj *coordinationv1.Lease, now table.Time) []any {
	return []any{obj.Name, table.Deref(obj.Spec.HolderIdentity, ""), now.Age(obj)}
}

func candidateCells(obj *coordinationv1beta1.LeaseCandidate, now table.Time) []any {
	return []any{obj.Name, obj.Spec.LeaseName, obj.Spec.BinaryVersion, obj.Spec.EmulationVersion, now.Age(obj)}
}
