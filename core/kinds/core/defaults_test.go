package core

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"terrarium/core/kinds"
)

// Defaults are filled into copies: a controller's objects share their template with the store.
func TestDefaultSharesNothing(t *testing.T) {
	shared := corev1.PodSpec{
		Containers: []corev1.Container{{Name: "a", Image: "b", Ports: []corev1.ContainerPort{{ContainerPort: 80}},
			LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{}}}}},
		Volumes:         []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{}}}},
		SecurityContext: nil,
	}
	before := shared.DeepCopy()
	pod := &corev1.Pod{Spec: shared}
	defaultPod(pod)
	preparePod(pod)
	if diff := cmp.Diff(before, &shared); diff != "" {
		t.Errorf("the shared spec changed (-before +after):\n%s", diff)
	}
	if pod.Spec.Containers[0].Ports[0].Protocol != corev1.ProtocolTCP {
		t.Error("no default was filled in")
	}
}

// A defaulted object stays as it is: every write through the API meets the defaults again.
func TestDefaultTwice(t *testing.T) {
	for _, k := range Kinds() {
		if k.Strategy.Default == nil {
			continue
		}
		obj := k.New()
		k.Strategy.Default(obj)
		once := obj.(runtime.Object).DeepCopyObject().(kinds.Object)
		k.Strategy.Default(obj)
		if diff := cmp.Diff(once, obj); diff != "" {
			t.Errorf("%s (-once +twice):\n%s", k.Resource, diff)
		}
	}
}

func TestDefaultAllocatesNothingTheSecondTime(t *testing.T) {
	pod := nginxPod()
	defaultPod(pod)
	if n := testing.AllocsPerRun(100, func() { defaultPod(pod) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
