package autoscaling

import (
	"fmt"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"horizontalpodautoscalers": table.Of(autoscalerCells, "Name", "Reference", "Targets", "MinPods", "MaxPods",
			"Replicas", "Age"),
	}
}

// autoscalerCells prints both versions.
func autoscalerCells(obj kinds.Object, now table.Time) []any {
	switch obj := obj.(type) {
	case *autoscalingv2.HorizontalPodAutoscaler:
		ref := obj.Spec.ScaleTargetRef
		return []any{obj.Name, ref.Kind + "/" + ref.Name, targets(obj.Spec.Metrics, obj.Status.CurrentMetrics),
			number(obj.Spec.MinReplicas), int64(obj.Spec.MaxReplicas), int64(obj.Status.CurrentReplicas), now.Age(obj)}
	case *autoscalingv1.HorizontalPodAutoscaler:
		ref := obj.Spec.ScaleTargetRef
		cpu := "<none>"
		if obj.Spec.TargetCPUUtilizationPercentage != nil {
			cpu = "cpu: " + percent(obj.Status.CurrentCPUUtilizationPercentage, "<unknown>") + "/" +
				percent(obj.Spec.TargetCPUUtilizationPercentage, "<auto>")
		}
		return []any{obj.Name, ref.Kind + "/" + ref.Name, cpu, number(obj.Spec.MinReplicas),
			int64(obj.Spec.MaxReplicas), int64(obj.Status.CurrentReplicas), now.Age(obj)}
	}
	return nil
}

func number(n *int32) string {
	if n == nil {
		return "<unset>"
	}
	return fmt.Sprint(*n)
}

func percent(n *int32, other string) string {
	if n == nil {
		return other
	}
	return fmt.Sprintf("%d%%", *n)
}

// targets shows the first two metrics as current/wanted.
//
// Models pkg/printers/internalversion formatHPAMetrics.
func targets(specs []autoscalingv2.MetricSpec, statuses []autoscalingv2.MetricStatus) string {
	if len(specs) == 0 {
		return "<none>"
	}
	var shown []string
	for i := range min(len(specs), 2) {
		var status autoscalingv2.MetricStatus
		if i < len(statuses) {
			status = statuses[i]
		}
		shown = append(shown, metric(&specs[i], &status))
	}
	out := strings.Join(shown, ", ")
	if len(specs) > 2 {
		out += fmt.Sprintf(" + %d more...", len(specs)-2)
	}
	return out
}

func metric(spec *autoscalingv2.MetricSpec, status *autoscalingv2.MetricStatus) string {
	switch spec.Type {
	case autoscalingv2.ExternalMetricSourceType:
		var now *autoscalingv2.MetricValueStatus
		if status.External != nil {
			now = &status.External.Current
		}
		return valueOf(&spec.External.Target, now)
	case autoscalingv2.ObjectMetricSourceType:
		var now *autoscalingv2.MetricValueStatus
		if status.Object != nil {
			now = &status.Object.Current
		}
		return valueOf(&spec.Object.Target, now)
	case autoscalingv2.PodsMetricSourceType:
		now := "<unknown>"
		if status.Pods != nil {
			now = status.Pods.Current.AverageValue.String()
		}
		return now + "/" + spec.Pods.Target.AverageValue.String()
	case autoscalingv2.ResourceMetricSourceType:
		var now *autoscalingv2.MetricValueStatus
		if status.Resource != nil {
			now = &status.Resource.Current
		}
		return string(spec.Resource.Name) + ": " + usageOf(&spec.Resource.Target, now)
	case autoscalingv2.ContainerResourceMetricSourceType:
		var now *autoscalingv2.MetricValueStatus
		if status.ContainerResource != nil {
			now = &status.ContainerResource.Current
		}
		return string(spec.ContainerResource.Name) + ": " + usageOf(&spec.ContainerResource.Target, now)
	}
	return "<unknown type>"
}

// valueOf shows a metric of something else than pods, in total or on average.
func valueOf(target *autoscalingv2.MetricTarget, now *autoscalingv2.MetricValueStatus) string {
	current := "<unknown>"
	if target.AverageValue != nil {
		if now != nil && now.AverageValue != nil {
			current = now.AverageValue.String()
		}
		return current + "/" + target.AverageValue.String() + " (avg)"
	}
	if now != nil {
		current = now.Value.String()
	}
	return current + "/" + target.Value.String()
}

// usageOf shows a resource that pods use, as an amount or in percent of what they request.
func usageOf(target *autoscalingv2.MetricTarget, now *autoscalingv2.MetricValueStatus) string {
	if target.AverageValue == nil {
		var current *int32
		if now != nil {
			current = now.AverageUtilization
		}
		return percent(current, "<unknown>") + "/" + percent(target.AverageUtilization, "<auto>")
	}
	var current *resource.Quantity
	if now == nil {
		return "<unknown>/" + target.AverageValue.String()
	}
	current = now.AverageValue
	return current.String() + "/" + target.AverageValue.String()
}
