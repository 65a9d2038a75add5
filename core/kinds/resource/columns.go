package resource

import (
	"strings"

	resourcev1 "k8s.io/api/resource/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"deviceclasses":          table.NameAndAge(),
		"devicetaintrules":       table.Of(taintRuleCells, "Name", "Key", "Value", "Effect", "TimeAdded", "Age"),
		"resourceclaims":         table.Of(claimCells, "Name", "State", "Age"),
		"resourceclaimtemplates": table.NameAndAge(),
		"resourceslices":         table.Of(sliceCells, "Name", "Node", "Driver", "Pool", "Age"),
	}
}

func taintRuleCells(obj *resourcev1.DeviceTaintRule, now table.Time) []any {
	taint := &obj.Spec.Taint
	added := ""
	if taint.TimeAdded != nil {
		added = now.Since(*taint.TimeAdded)
	}
	return []any{obj.Name, taint.Key, taint.Value, string(taint.Effect), added, now.Age(obj)}
}

func claimCells(obj *resourcev1.ResourceClaim, now table.Time) []any {
	var states []string
	if obj.DeletionTimestamp != nil {
		states = append(states, "deleted")
	}
	switch {
	case obj.Status.Allocation == nil && obj.DeletionTimestamp == nil:
		states = append(states, "pending")
	case obj.Status.Allocation != nil:
		states = append(states, "allocated")
		if len(obj.Status.ReservedFor) > 0 {
			states = append(states, "reserved")
		}
	}
	return []any{obj.Name, strings.Join(states, ","), now.Age(obj)}
}

func sliceCells(obj *resourcev1.ResourceSlice, now table.Time) []any {
	return []any{obj.Name, table.Deref(obj.Spec.NodeName, ""), obj.Spec.Driver, obj.Spec.Pool.Name, now.Age(obj)}
}
