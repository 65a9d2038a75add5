package batch

import (
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"cronjobs": table.Of(cronJobCells, "Name", "Schedule", "Timezone", "?Suspend", "#Active", "Last Schedule", "Age",
			"+Containers", "+Images", "+Selector"),
		"jobs": table.Of(jobCells, "Name", "Status", "Completions", "Duration", "Age",
			"+Containers", "+Images", "+Selector"),
	}
}

func cronJobCells(obj *batchv1.CronJob, now table.Time) []any {
	names, images := table.Containers(obj.Spec.JobTemplate.Spec.Template.Spec.Containers)
	suspend := "<unset>"
	if obj.Spec.Suspend != nil {
		suspend = "False"
		if *obj.Spec.Suspend {
			suspend = "True"
		}
	}
	last := "<none>"
	if obj.Status.LastScheduleTime != nil {
		last = now.Since(*obj.Status.LastScheduleTime)
	}
	return []any{obj.Name, obj.Spec.Schedule, table.Deref(obj.Spec.TimeZone, "<none>"), suspend,
		int64(len(obj.Status.Active)), last, now.Age(obj),
		names, images, metav1.FormatLabelSelector(obj.Spec.JobTemplate.Spec.Selector)}
}

func jobCells(obj *batchv1.Job, now table.Time) []any {
	names, images := table.Containers(obj.Spec.Template.Spec.Containers)
	completions := fmt.Sprintf("%d/1", obj.Status.Succeeded)
	if parallel := ptr.Deref(obj.Spec.Parallelism, 0); obj.Spec.Completions != nil {
		completions = fmt.Sprintf("%d/%d", obj.Status.Succeeded, *obj.Spec.Completions)
	} else if parallel > 1 {
		completions += fmt.Sprintf(" of %d", parallel)
	}
	took := ""
	if start, end := obj.Status.StartTime, obj.Status.CompletionTime; start != nil && end != nil {
		took = duration.HumanDuration(end.Sub(start.Time))
	} else if start != nil {
		took = now.Since(*start)
	}
	return []any{obj.Name, jobStatus(obj), completions, took, now.Age(obj),
		names, images, metav1.FormatLabelSelector(obj.Spec.Selector)}
}

func jobStatus(obj *batchv1.Job) string {
	has := func(of batchv1.JobConditionType) bool {
		i := slices.IndexFunc(obj.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == of })
		return i >= 0 && obj.Status.Conditions[i].Status == corev1.ConditionTrue
	}
	switch {
	case has(batchv1.JobComplete):
		return "Complete"
	case has(batchv1.JobFailed):
		return "Failed"
	case obj.DeletionTimestamp != nil:
		return "Terminating"
	case has(batchv1.JobSuspended):
		return "Suspended"
	case has(batchv1.JobFailureTarget):
		return "FailureTarget"
	case has(batchv1.JobSuccessCriteriaMet):
		return "SuccessCriteriaMet"
	}
	return "Running"
}
