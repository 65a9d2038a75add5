package flowcontrol

import (
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"flowschemas": table.Of(flowSchemaCells, "Name", "PriorityLevel", "MatchingPrecedence",
			"DistinguisherMethod", "Age", "MissingPL"),
		"prioritylevelconfigurations": table.Of(priorityLevelCells, "Name", "Type", "NominalConcurrencyShares",
			"Queues", "HandSize", "QueueLengthLimit", "Age"),
	}
}

func flowSchemaCells(obj *flowcontrolv1.FlowSchema, now table.Time) []any {
	method := "<none>"
	if obj.Spec.DistinguisherMethod != nil {
		method = string(obj.Spec.DistinguisherMethod.Type)
	}
	missing := "?"
	for _, c := range obj.Status.Conditions {
		if c.Type == flowcontrolv1.FlowSchemaConditionDangling {
			missing = string(c.Status)
			break
		}
	}
	return []any{obj.Name, obj.Spec.PriorityLevelConfiguration.Name, int64(obj.Spec.MatchingPrecedence), method,
		now.Age(obj), missing}
}

func priorityLevelCells(obj *flowcontrolv1.PriorityLevelConfiguration, now table.Time) []any {
	var shares, queues, hand, length any = "<none>", "<none>", "<none>", "<none>"
	if limited := obj.Spec.Limited; limited != nil {
		shares = int64(ptr.Deref(limited.NominalConcurrencyShares, 0))
		if q := limited.LimitResponse.Queuing; q != nil {
			queues, hand, length = int64(q.Queues), int64(q.HandSize), int64(q.QueueLengthLimit)
		}
	}
	return []any{obj.Name, string(obj.Spec.Type), shares, queues, hand, length, now.Age(obj)}
}
