package scheduling

import (
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"compositepodgroups": table.Of(compositeCells, "Name", "Policy", "Workload", "Age"),
		"podgroups":          table.Of(podGroupCells, "Name", "Policy", "Workload", "Status", "Age"),
		"priorityclasses":    table.Of(priorityClassCells, "Name", "#Value", "?Global-Default", "Age", "PreemptionPolicy"),
		"workloads":          table.NameAndAge(),
	}
}

func priorityClassCells(obj *schedulingv1.PriorityClass, now table.Time) []any {
	return []any{obj.Name, int64(obj.Value), obj.GlobalDefault, now.Age(obj), table.Deref(obj.PreemptionPolicy, "")}
}

func podGroupCells(obj *schedulingv1beta1.PodGroup, now table.Time) []any {
	status, disrupted := "Pending", ""
	for _, c := range obj.Status.Conditions {
		switch c.Type {
		case schedulingv1beta1.PodGroupInitiallyScheduled:
			status = "Unschedulable"
			if c.Status == metav1.ConditionTrue {
				status = "Scheduled"
			}
		case schedulingv1beta1.DisruptionTarget:
			disrupted = c.Reason
		}
	}
	workload := "<none>"
	if ref := obj.Spec.WorkloadRef; ref != nil {
		workload = ref.WorkloadName
	}
	return []any{obj.Name, policy(obj.Spec.SchedulingPolicy.Gang != nil), workload, table.Or(disrupted, status), now.Age(obj)}
}

func compositeCells(obj *schedulingv1alpha3.CompositePodGroup, now table.Time) []any {
	workload := "<none>"
	if ref := obj.Spec.WorkloadRef; ref != nil {
		workload = ref.WorkloadName
	}
	return []any{obj.Name, policy(obj.Spec.SchedulingPolicy.Gang != nil), workload, now.Age(obj)}
}

func policy(gang bool) string {
	if gang {
		return "Gang"
	}
	return "Basic"
}
