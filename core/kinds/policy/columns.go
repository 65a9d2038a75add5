package policy

import (
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"poddisruptionbudgets": table.Of(budgetCells, "Name", "Min Available", "Max Unavailable", "#Allowed Disruptions", "Age"),
	}
}

func budgetCells(obj *policyv1.PodDisruptionBudget, now table.Time) []any {
	text := func(v *intstr.IntOrString) string {
		if v == nil {
			return "N/A"
		}
		return v.String()
	}
	return []any{obj.Name, text(obj.Spec.MinAvailable), text(obj.Spec.MaxUnavailable),
		int64(obj.Status.DisruptionsAllowed), now.Age(obj)}
}
