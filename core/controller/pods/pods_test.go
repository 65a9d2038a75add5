package pods

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestAvailable(t *testing.T) {
	ready := &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{
		Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: epoch},
	}}}}
	for _, tt := range []struct {
		minReady int32
		after    time.Duration
		want     bool
		wait     time.Duration
	}{
		{0, 0, true, 0}, {10, 0, false, 10 * time.Second}, {10, 9 * time.Second, false, time.Second}, {10, 10 * time.Second, true, 0},
	} {
		now := epoch.Add(tt.after)
		if got := Available(ready, tt.minReady, now); got != tt.want {
			t.Errorf("minReadySeconds %d after %v: got %v", tt.minReady, tt.after, got)
		}
		if wait, ok := UntilAvailable(ready, tt.minReady, now); ok != (tt.wait > 0) || ok && wait != tt.wait {
			t.Errorf("minReadySeconds %d after %v: wait %v, %v, want %v", tt.minReady, tt.after, wait, ok, tt.wait)
		}
	}
	if Available(&corev1.Pod{}, 0, epoch) || Ready(&corev1.Pod{}) {
		t.Error("a pod without conditions is not ready")
	}
}

func aTemplate() *corev1.PodTemplateSpec {
	return &corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}, Annotations: map[string]string{"a": "b"}, Finalizers: []string{"x/y"}},
		Spec: corev1.PodSpec{
			NodeSelector: map[string]string{"disk": "ssd"}, SecurityContext: &corev1.PodSecurityContext{},
			Volumes: make([]corev1.Volume, 0, 4), Tolerations: make([]corev1.Toleration, 0, 4),
			Containers: []corev1.Container{{
				Name: "c", VolumeMounts: make([]corev1.VolumeMount, 0, 4),
				Resources: corev1.ResourceRequirements{
					Limits:   corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("1Gi")},
					Requests: corev1.ResourceList{"cpu": resource.MustParse("500m")},
				},
			}},
		},
	}
}

// What the request path does to one pod must not show in the template or in the next pod.
func TestFromTemplateOwnsWhatIsWritten(t *testing.T) {
	template, ref := aTemplate(), metav1.OwnerReference{Name: "web-1", UID: "u"}
	first, second := FromTemplate("default", template, ref), FromTemplate("default", template, ref)
	if first.GenerateName != "web-1-" || first.Namespace != "default" || first.OwnerReferences[0].UID != "u" || first.Finalizers[0] != "x/y" {
		t.Errorf("metadata: %+v", first.ObjectMeta)
	}
	first.Labels["app"], first.Annotations["a"] = "changed", "changed"
	c := &first.Spec.Containers[0]
	c.ImagePullPolicy = corev1.PullAlways
	c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: "token"})
	c.Resources.Requests["memory"] = c.Resources.Limits["memory"]
	first.Spec.Volumes = append(first.Spec.Volumes, corev1.Volume{Name: "token"})
	first.Spec.Tolerations = append(first.Spec.Tolerations, corev1.Toleration{Key: "k"})
	first.Spec.NodeSelector["disk"] = "changed"
	first.Spec.SecurityContext.RunAsUser = new(int64(1))
	if diff := cmp.Diff(aTemplate(), template); diff != "" {
		t.Errorf("the template was changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(FromTemplate("default", aTemplate(), ref), second); diff != "" {
		t.Errorf("another pod was changed (-want +got):\n%s", diff)
	}
	if spare := second.Spec.Containers[0].VolumeMounts; cap(spare) > len(spare) {
		t.Error("two pods could append to the same array")
	}
}

func TestPhases(t *testing.T) {
	going := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &metav1.Time{}}}
	ended := &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodSucceeded}}
	for _, tt := range []struct {
		pod                           *corev1.Pod
		active, terminating, terminal bool
	}{{&corev1.Pod{}, true, false, false}, {going, false, true, false}, {ended, false, false, true}} {
		if Active(tt.pod) != tt.active || Terminating(tt.pod) != tt.terminating || Terminal(tt.pod) != tt.terminal {
			t.Errorf("%+v: got %v, %v, %v", tt.pod.Status, Active(tt.pod), Terminating(tt.pod), Terminal(tt.pod))
		}
	}
}
