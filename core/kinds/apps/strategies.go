package apps

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/core"
)

// strategies returns how objects of each resource of the group are treated.
func strategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{
		"controllerrevisions": controllerRevisions(),
		"daemonsets":          daemonSets(),
		"deployments":         deployments(),
		"replicasets":         replicaSets(),
		"statefulsets":        statefulSets(),
	}
}

// podTemplateOf returns the template from which a controller makes pods.
func podTemplateOf(obj kinds.Object) *corev1.PodTemplateSpec {
	switch o := obj.(type) {
	case *appsv1.Deployment:
		return &o.Spec.Template
	case *appsv1.ReplicaSet:
		return &o.Spec.Template
	case *appsv1.StatefulSet:
		return &o.Spec.Template
	case *appsv1.DaemonSet:
		return &o.Spec.Template
	}
	return nil
}

// templateWarnings returns hints about the template of a new or changed controller.
func templateWarnings(obj, old kinds.Object) []string {
	var was *corev1.PodTemplateSpec
	if old != nil {
		was = podTemplateOf(old)
	}
	return core.TemplateWarnings(field.NewPath("spec", "template"), podTemplateOf(obj), was)
}

// namedWarnings also hints at names that make odd host names.
func namedWarnings(obj, old kinds.Object) []string {
	if old != nil {
		return templateWarnings(obj, old)
	}
	return append(core.NameWarnings(obj.GetName(), "this is used in Pod names and hostnames"), templateWarnings(obj, nil)...)
}
