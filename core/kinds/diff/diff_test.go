package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/diff"
)

func deployment(edit func(*appsv1.Deployment)) *appsv1.Deployment {
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", ResourceVersion: "7", UID: "u", Generation: 1},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To[int32](2),
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{
				{Name: "log", Image: "busybox"}, {Name: "web", Image: "nginx:1.7.9"},
			}}},
		},
	}
	edit(d)
	return d
}

func TestObjects(t *testing.T) {
	tests := []struct {
		name          string
		before, after kinds.Object
		want          []diff.Change
	}{
		{"nothing but noise", deployment(func(*appsv1.Deployment) {}), deployment(func(d *appsv1.Deployment) {
			d.ResourceVersion, d.Generation = "8", 2
			d.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl"}}
			d.Annotations = map[string]string{"kubectl.kubernetes.io/last-applied-configuration": "{}"}
		}), nil},
		{"scalar and label", deployment(func(*appsv1.Deployment) {}), deployment(func(d *appsv1.Deployment) {
			d.Spec.Replicas = ptr.To[int32](5)
			d.Labels = map[string]string{"app.kubernetes.io/name": "web", "tier": ""}
		}), []diff.Change{
			{"metadata.labels[app.kubernetes.io/name]", "", "web"},
			{"metadata.labels.tier", "", `""`},
			{"spec.replicas", "2", "5"},
		}},
		{"named elements are compared by name", deployment(func(*appsv1.Deployment) {}), deployment(func(d *appsv1.Deployment) {
			d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web", Image: "nginx:1.9.1"}}
		}), []diff.Change{
			{"spec.template.spec.containers[log].image", "busybox", ""},
			{"spec.template.spec.containers[log].name", "log", ""},
			{"spec.template.spec.containers[web].image", "nginx:1.7.9", "nginx:1.9.1"},
		}},
		{"create", nil, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "p", UID: "u", ResourceVersion: "3"},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Command: []string{"sleep", "5"}}}},
		}, []diff.Change{
			{"metadata.name", "", "p"},
			{"spec.containers[c].command[0]", "", "sleep"},
			{"spec.containers[c].command[1]", "", "5"},
			{"spec.containers[c].name", "", "c"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, diff.Objects(tt.before, tt.after)); d != "" {
				t.Errorf("changes (-want +got):\n%s", d)
			}
		})
	}
}
