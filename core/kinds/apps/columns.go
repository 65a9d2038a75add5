package apps

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"controllerrevisions": table.Of(controllerRevisionCells, "Name", "Controller", "Revision", "Age"),
		"daemonsets": table.Of(daemonSetCells, "Name", "#Desired", "#Current", "#Ready", "#Up-to-date", "#Available",
			"Node Selector", "Age", "+Containers", "+Images", "+Selector"),
		"deployments": table.Of(deploymentCells, "Name", "Ready", "Up-to-date", "Available", "Age",
			"+Containers", "+Images", "+Selector"),
		"replicasets": table.Of(replicaSetCells, "Name", "#Desired", "#Current", "#Ready", "Age",
			"+Containers", "+Images", "+Selector"),
		"statefulsets": table.Of(statefulSetCells, "Name", "Ready", "Age", "+Containers", "+Images"),
	}
}

func controllerRevisionCells(obj *appsv1.ControllerRevision, now table.Time) []any {
	controller := "<none>"
	if ref := metav1.GetControllerOf(obj); ref != nil {
		gk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind).GroupKind()
		controller = strings.ToLower(gk.String()) + "/" + ref.Name
	}
	return []any{obj.Name, controller, obj.Revision, now.Age(obj)}
}

func daemonSetCells(obj *appsv1.DaemonSet, now table.Time) []any {
	s := &obj.Status
	names, images := table.Containers(obj.Spec.Template.Spec.Containers)
	return []any{obj.Name, int64(s.DesiredNumberScheduled), int64(s.CurrentNumberScheduled), int64(s.NumberReady),
		int64(s.UpdatedNumberScheduled), int64(s.NumberAvailable),
		labels.FormatLabels(obj.Spec.Template.Spec.NodeSelector), now.Age(obj),
		names, images, metav1.FormatLabelSelector(obj.Spec.Selector)}
}

func deploymentCells(obj *appsv1.Deployment, now table.Time) []any {
	names, images := table.Containers(obj.Spec.Template.Spec.Containers)
	selected := "<invalid>"
	if selector, err := metav1.LabelSelectorAsSelector(obj.Spec.Selector); err == nil {
		selected = selector.String()
	}
	return []any{obj.Name, fmt.Sprintf("%d/%d", obj.Status.ReadyReplicas, ptr.Deref(obj.Spec.Replicas, 1)),
		int64(obj.Status.UpdatedReplicas), int64(obj.Status.AvailableReplicas), now.Age(obj), names, images, selected}
}

func replicaSetCells(obj *appsv1.ReplicaSet, now table.Time) []any {
	names, images := table.Containers(obj.Spec.Template.Spec.Containers)
	return []any{obj.Name, int64(ptr.Deref(obj.Spec.Replicas, 1)), int64(obj.Status.Replicas),
		int64(obj.Status.ReadyReplicas), now.Age(obj), names, images, metav1.FormatLabelSelector(obj.Spec.Selector)}
}

func statefulSetCells(obj *appsv1.StatefulSet, now table.Time) []any {
	names, images := table.Containers(obj.Spec.Template.Spec.Containers)
	return []any{obj.Name, fmt.Sprintf("%d/%d", obj.Status.ReadyReplicas, ptr.Deref(obj.Spec.Replicas, 1)),
		now.Age(obj), names, images}
}
