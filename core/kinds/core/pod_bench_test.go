package core

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds/meta"
)

// nginxPod is a pod as a ReplicaSet makes it from a template that was defaulted.
func nginxPod() *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "nginx-deployment-7d9c6b5f4-x2k4q", Namespace: "default", UID: "u", ResourceVersion: "1",
			Labels: map[string]string{"app": "nginx", "pod-template-hash": "7d9c6b5f4"},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "nginx-deployment-7d9c6b5f4", UID: "r",
				Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
			}},
		},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{
				Name: "nginx", Image: "nginx:1.7.9",
				Ports: []corev1.ContainerPort{{ContainerPort: 80}},
			}},
		},
	}
	DefaultPodTemplate(&corev1.PodTemplateSpec{Spec: pod.Spec})
	defaultPodSpec(&pod.Spec, false)
	return pod
}

// BenchmarkCreatePod is default, prepare and validate of a new pod with its metadata.
func BenchmarkCreatePod(b *testing.B) {
	template := nginxPod()
	b.ReportAllocs()
	for b.Loop() {
		pod := *template
		defaultPod(&pod)
		preparePod(&pod)
		if errs := meta.ValidateObjectMeta(&pod.ObjectMeta, true, nil); len(errs) > 0 {
			b.Fatal(errs)
		}
		if errs := validatePod(&pod); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}

func runningPod() *corev1.Pod {
	pod := nginxPod()
	defaultPod(pod)
	preparePod(pod)
	pod.Spec.NodeName = "node-1"
	pod.Status.Phase = corev1.PodRunning
	pod.Status.PodIP, pod.Status.PodIPs = "10.244.0.5", []corev1.PodIP{{IP: "10.244.0.5"}}
	pod.Status.HostIP, pod.Status.HostIPs = "10.0.0.1", []corev1.HostIP{{IP: "10.0.0.1"}}
	for _, t := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: t, Status: corev1.ConditionTrue, ObservedGeneration: 1})
	}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "nginx", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}
	return pod
}

// BenchmarkPodStatus is a kubelet's write of a pod's status, addresses included.
func BenchmarkPodStatus(b *testing.B) {
	old := runningPod()
	old.Status.PodIP, old.Status.PodIPs = "", nil
	old.Status.HostIP, old.Status.HostIPs = "", nil
	running := runningPod()
	b.ReportAllocs()
	for b.Loop() {
		pod := *old
		pod.Status = running.Status
		defaultPod(&pod)
		preparePodStatus(&pod, old)
		if errs := meta.ValidateObjectMetaUpdate(&pod.ObjectMeta, &old.ObjectMeta); len(errs) > 0 {
			b.Fatal(errs)
		}
		if errs := validatePodStatus(&pod, old); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}

// BenchmarkUpdatePodLabels is an update that leaves the spec alone.
func BenchmarkUpdatePodLabels(b *testing.B) {
	old := runningPod()
	b.ReportAllocs()
	for b.Loop() {
		pod := *old
		pod.Labels = map[string]string{"app": "nginx"}
		defaultPod(&pod)
		preparePodUpdate(&pod, old)
		if errs := meta.ValidateObjectMetaUpdate(&pod.ObjectMeta, &old.ObjectMeta); len(errs) > 0 {
			b.Fatal(errs)
		}
		if errs := validatePodUpdate(&pod, old); len(errs) > 0 || podSpecChanged(&pod, old) {
			b.Fatal(errs)
		}
	}
}

// BenchmarkPodWarnings looks for hints about a pod that deserves none.
func BenchmarkPodWarnings(b *testing.B) {
	pod := runningPod()
	b.ReportAllocs()
	for b.Loop() {
		if w := podWarnings(pod, nil); len(w) > 0 {
			b.Fatal(w)
		}
	}
}

// BenchmarkRequestAmounts is the scheduler's view of a pod's requests.
func BenchmarkRequestAmounts(b *testing.B) {
	pod := nginxPod()
	for range 2 {
		pod.Spec.Containers = append(pod.Spec.Containers, pod.Spec.Containers[0])
	}
	b.ReportAllocs()
	for b.Loop() {
		RequestAmounts(pod)
	}
}
