package framework

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// PodInfo is a pod with what the plugins need of it, worked out once.
type PodInfo struct {
	Pod       *corev1.Pod
	UID       types.UID
	Priority  int32
	HostPorts []HostPort

	Requests      Resource
	NonZeroCPU    int64 // the requests, with a default for each container that has none
	NonZeroMemory int64
}

// NewPodInfo works out what the plugins need of the pod.
func NewPodInfo(pod *corev1.Pod) *PodInfo {
	p := &PodInfo{Pod: pod, UID: pod.UID, Priority: PodPriority(pod), HostPorts: PodHostPorts(pod)}
	p.Requests = podRequests(pod)
	p.NonZeroCPU, p.NonZeroMemory = nonZeroRequests(pod, &p.Requests)
	return p
}

// PodPriority returns the pod's priority, 0 when it has none.
func PodPriority(pod *corev1.Pod) int32 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return *pod.Spec.Priority
}

// Renew returns the PodInfo of a newer state of the same pod, sharing what cannot have changed.
func (p *PodInfo) Renew(pod *corev1.Pod) *PodInfo {
	if !sameRequests(p.Pod, pod) {
		return NewPodInfo(pod)
	}
	next := *p
	next.Pod, next.Priority = pod, PodPriority(pod)
	return &next
}

// Refresh takes in a newer state of the pod if that certainly asks for the same. It reports whether it did.
func (p *PodInfo) Refresh(pod *corev1.Pod) bool {
	if !sameRequests(p.Pod, pod) {
		return false
	}
	p.Pod, p.Priority = pod, PodPriority(pod)
	return true
}

// sameRequests reports whether the two states certainly ask for the same: they share their containers (a
// status update copies only the status) and no status reports resources.
func sameRequests(a, b *corev1.Pod) bool {
	return shareContainers(a.Spec.Containers, b.Spec.Containers) &&
		shareContainers(a.Spec.InitContainers, b.Spec.InitContainers) &&
		a.Spec.Resources == b.Spec.Resources && len(a.Spec.Overhead) == len(b.Spec.Overhead) &&
		!hasStatusResources(a) && !hasStatusResources(b)
}

func shareContainers(a, b []corev1.Container) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
