package core

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
//
// Models pkg/printers/internalversion printers.go, here and in the other columns files.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"componentstatuses": table.Of(componentStatusCells, "Name", "Status", "Message", "Error"),
		"configmaps":        table.Of(configMapCells, "Name", "Data", "Age"),
		"endpoints":         table.Of(endpointsCells, "Name", "Endpoints", "Age"),
		"events": table.Of(eventCells, "Last Seen", "Type", "Reason", "Object", "+Subobject", "+Source", "Message",
			"+First Seen", "+Count", "+Name"),
		"limitranges": table.NameAndCreation(),
		"namespaces":  table.Of(namespaceCells, "Name", "Status", "Age"),
		"nodes": table.Of(nodeCells, "Name", "Status", "Roles", "Age", "Version", "+Internal-IP", "+External-IP",
			"+OS-Image", "+Kernel-Version", "+Container-Runtime"),
		"persistentvolumeclaims": table.Of(claimCells, "Name", "Status", "Volume", "Capacity", "Access Modes",
			"StorageClass", "VolumeAttributesClass", "Age", "+VolumeMode"),
		"persistentvolumes": table.Of(volumeCells, "Name", "Capacity", "Access Modes", "Reclaim Policy", "Status",
			"Claim", "StorageClass", "VolumeAttributesClass", "Reason", "Age", "+VolumeMode"),
		"pods": table.Of(podCells, "Name", "Ready", "Status", "Restarts", "Age", "+IP", "+Node", "+Nominated Node",
			"+Readiness Gates"),
		"podtemplates": table.Of(podTemplateCells, "Name", "Containers", "Images", "Pod Labels"),
		"replicationcontrollers": table.Of(replicationControllerCells, "Name", "#Desired", "#Current", "#Ready", "Age",
			"+Containers", "+Images", "+Selector"),
		"resourcequotas":  table.Of(resourceQuotaCells, "Name", "Request", "Limit", "Age"),
		"secrets":         table.Of(secretCells, "Name", "Type", "Data", "Age"),
		"serviceaccounts": table.NameAndAge(),
		"services": table.Of(serviceCells, "Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age",
			"+Selector"),
	}
}

func componentStatusCells(obj *corev1.ComponentStatus, _ table.Time) []any {
	for _, c := range obj.Conditions {
		if c.Type == corev1.ComponentHealthy {
			status := "Unhealthy"
			if c.Status == corev1.ConditionTrue {
				status = "Healthy"
			}
			return []any{obj.Name, status, c.Message, c.Error}
		}
	}
	return []any{obj.Name, "Unknown", "", ""}
}

func configMapCells(obj *corev1.ConfigMap, now table.Time) []any {
	return []any{obj.Name, int64(len(obj.Data) + len(obj.BinaryData)), now.Age(obj)}
}

func namespaceCells(obj *corev1.Namespace, now table.Time) []any {
	return []any{obj.Name, string(obj.Status.Phase), now.Age(obj)}
}

func secretCells(obj *corev1.Secret, now table.Time) []any {
	return []any{obj.Name, string(obj.Type), int64(len(obj.Data)), now.Age(obj)}
}

func podTemplateCells(obj *corev1.PodTemplate, _ table.Time) []any {
	names, images := table.Containers(obj.Template.Spec.Containers)
	return []any{obj.Name, names, images, labels.FormatLabels(obj.Template.Labels)}
}

func replicationControllerCells(obj *corev1.ReplicationController, now table.Time) []any {
	var containers []corev1.Container
	if obj.Spec.Template != nil {
		containers = obj.Spec.Template.Spec.Containers
	}
	names, images := table.Containers(containers)
	return []any{obj.Name, int64(ptr.Deref(obj.Spec.Replicas, 0)), int64(obj.Status.Replicas),
		int64(obj.Status.ReadyReplicas), now.Age(obj), names, images, labels.FormatLabels(obj.Spec.Selector)}
}

func resourceQuotaCells(obj *corev1.ResourceQuota, now table.Time) []any {
	names := make([]corev1.ResourceName, 0, len(obj.Status.Hard))
	for name := range obj.Status.Hard {
		names = append(names, name)
	}
	slices.Sort(names)
	var requests, limits []string
	for _, name := range names {
		used, hard := obj.Status.Used[name], obj.Status.Hard[name]
		text := fmt.Sprintf("%s: %s/%s", name, used.String(), hard.String())
		if strings.HasPrefix(string(name), "limits.") {
			limits = append(limits, text)
		} else {
			requests = append(requests, text)
		}
	}
	return []any{obj.Name, strings.Join(requests, ", "), strings.Join(limits, ", "), now.Age(obj)}
}

func eventCells(obj *corev1.Event, now table.Time) []any {
	first := now.Since(obj.FirstTimestamp)
	if obj.FirstTimestamp.IsZero() {
		first = now.SinceMicro(obj.EventTime)
	}
	last := now.Since(obj.LastTimestamp)
	if obj.LastTimestamp.IsZero() {
		last = first
	}
	count := max(1, obj.Count)
	if obj.Series != nil {
		last, count = now.SinceMicro(obj.Series.LastObservedTime), obj.Series.Count
	}
	object := strings.ToLower(obj.InvolvedObject.Kind)
	if obj.InvolvedObject.Name != "" {
		object += "/" + obj.InvolvedObject.Name
	}
	source := table.Or(obj.Source.Component, obj.ReportingController)
	if host := table.Or(obj.Source.Host, obj.ReportingInstance); host != "" {
		source += ", " + host
	}
	return []any{last, obj.Type, obj.Reason, object, obj.InvolvedObject.FieldPath, source,
		strings.TrimSpace(obj.Message), first, int64(count), obj.Name}
}
