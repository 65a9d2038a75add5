package framework

import corev1 "k8s.io/api/core/v1"

// What a container without a request is taken to need when nodes are scored, so that many such pods do
// not land on one node.
const (
	defaultMilliCPU = 100
	defaultMemory   = 200 * 1024 * 1024
)

// amounts is a Resource together with what it would be if containers without a CPU or memory request
// asked for the defaults.
type amounts struct {
	Resource
	nonZeroCPU, nonZeroMemory int64
	hasCPU, hasMemory         bool // some container names the resource
}

// podRequests computes what a pod asks for: the sum of its containers, or what its init containers need
// at their peak if that is more, or the pod-level requests, plus overhead.
// Models component-helpers/resource PodRequests and pkg/scheduler/framework PodInfo.CalculateResource.
func podRequests(pod *corev1.Pod) amounts {
	sum := containersSpec(pod)
	if hasStatusResources(pod) {
		infeasible := resizeInfeasible(pod)
		allocated := aggregate(pod, infeasible, allocatedRequests)
		actuated := aggregate(pod, infeasible, actuatedRequests)
		if pod.Status.AllocatedResources != nil && pod.Status.Resources != nil && pod.Status.Resources.Requests != nil {
			allocated = amountsOf(pod.Status.AllocatedResources)
			actuated = amountsOf(pod.Status.Resources.Requests)
		}
		if infeasible {
			sum = amounts{}
		}
		sum.max(&allocated)
		sum.max(&actuated)
	}
	applyPodLevel(pod, &sum)
	if len(pod.Spec.Overhead) > 0 {
		o := amountsOf(pod.Spec.Overhead)
		sum.add(&o)
	}
	return sum
}

func containersSpec(pod *corev1.Pod) amounts {
	return aggregate(pod, false, func(c *corev1.Container, _ *corev1.ContainerStatus, _ bool) corev1.ResourceList {
		return c.Resources.Requests
	})
}

func hasStatusResources(pod *corev1.Pod) bool {
	if pod.Status.AllocatedResources != nil || pod.Status.Resources != nil {
		return true
	}
	for i := range pod.Status.ContainerStatuses {
		if s := &pod.Status.ContainerStatuses[i]; s.AllocatedResources != nil || s.Resources != nil {
			return true
		}
	}
	for i := range pod.Status.InitContainerStatuses {
		if s := &pod.Status.InitContainerStatuses[i]; s.AllocatedResources != nil || s.Resources != nil {
			return true
		}
	}
	return false
}

func resizeInfeasible(pod *corev1.Pod) bool {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodResizePending {
			return c.Reason == corev1.PodReasonInfeasible
		}
	}
	return false
}

func allocatedRequests(c *corev1.Container, s *corev1.ContainerStatus, infeasible bool) corev1.ResourceList {
	switch {
	case s != nil && s.AllocatedResources != nil:
		return s.AllocatedResources
	case infeasible:
		return nil
	}
	return c.Resources.Requests
}

func actuatedRequests(c *corev1.Container, s *corev1.ContainerStatus, infeasible bool) corev1.ResourceList {
	if s != nil && s.Resources != nil && s.Resources.Requests != nil {
		return s.Resources.Requests
	}
	return allocatedRequests(c, s, infeasible)
}

type requestsOf func(*corev1.Container, *corev1.ContainerStatus, bool) corev1.ResourceList

// aggregate sums the containers and compares with the init containers: each of those runs beside the
// sidecars started before it.
func aggregate(pod *corev1.Pod, infeasible bool, of requestsOf) amounts {
	var sum, sidecars, peak amounts
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		a := containerAmounts(of(c, containerStatus(pod.Status.ContainerStatuses, c.Name), infeasible))
		sum.add(&a)
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		a := containerAmounts(of(c, containerStatus(pod.Status.InitContainerStatuses, c.Name), infeasible))
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sum.add(&a)
			sidecars.add(&a)
			a = sidecars
		} else {
			a.add(&sidecars)
		}
		peak.max(&a)
	}
	sum.max(&peak)
	return sum
}

func containerStatus(list []corev1.ContainerStatus, name string) *corev1.ContainerStatus {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

func containerAmounts(list corev1.ResourceList) amounts {
	a := amountsOf(list)
	if !a.hasCPU {
		a.nonZeroCPU = defaultMilliCPU
	}
	if !a.hasMemory {
		a.nonZeroMemory = defaultMemory
	}
	return a
}

func amountsOf(list corev1.ResourceList) amounts {
	var a amounts
	if len(list) == 0 {
		return a
	}
	known := 0
	if q, ok := list[corev1.ResourceCPU]; ok {
		a.MilliCPU, a.hasCPU, known = q.MilliValue(), true, known+1
	}
	if q, ok := list[corev1.ResourceMemory]; ok {
		a.Memory, a.hasMemory, known = q.Value(), true, known+1
	}
	if q, ok := list[corev1.ResourceEphemeralStorage]; ok {
		a.EphemeralStorage, known = q.Value(), known+1
	}
	a.nonZeroCPU, a.nonZeroMemory = a.MilliCPU, a.Memory
	if known == len(list) {
		return a
	}
	for name, q := range list { // sorted as they are added
		if IsScalar(name) {
			a.setScalar(name, q.Value())
		}
	}
	return a
}

func (a *amounts) add(b *amounts) {
	a.Resource.add(&b.Resource, 1)
	a.nonZeroCPU += b.nonZeroCPU
	a.nonZeroMemory += b.nonZeroMemory
	a.hasCPU = a.hasCPU || b.hasCPU
	a.hasMemory = a.hasMemory || b.hasMemory
}

func (a *amounts) max(b *amounts) {
	a.MilliCPU = max(a.MilliCPU, b.MilliCPU)
	a.Memory = max(a.Memory, b.Memory)
	a.EphemeralStorage = max(a.EphemeralStorage, b.EphemeralStorage)
	for _, s := range b.Scalars {
		if have, ok := a.Scalar(s.Name); !ok || have < s.Value {
			a.setScalar(s.Name, s.Value)
		}
	}
	a.nonZeroCPU = max(a.nonZeroCPU, b.nonZeroCPU)
	a.nonZeroMemory = max(a.nonZeroMemory, b.nonZeroMemory)
	a.hasCPU = a.hasCPU || b.hasCPU
	a.hasMemory = a.hasMemory || b.hasMemory
}

// applyPodLevel puts the pod-level requests (CPU, memory, huge pages) in place of the containers' sum.
func applyPodLevel(pod *corev1.Pod, sum *amounts) {
	if pod.Spec.Resources == nil || len(pod.Spec.Resources.Requests) == 0 {
		return
	}
	level := amountsOf(pod.Spec.Resources.Requests)
	if s := pod.Status.Resources; s != nil {
		inStatus, allocated := amountsOf(s.Requests), amountsOf(pod.Status.AllocatedResources)
		if resizeInfeasible(pod) {
			level = amounts{}
		}
		level.max(&inStatus)
		level.max(&allocated)
	}
	if level.hasCPU {
		sum.MilliCPU, sum.nonZeroCPU, sum.hasCPU = level.MilliCPU, level.MilliCPU, true
	} else if sum.hasCPU {
		sum.nonZeroCPU = sum.MilliCPU
	}
	if level.hasMemory {
		sum.Memory, sum.nonZeroMemory, sum.hasMemory = level.Memory, level.Memory, true
	} else if sum.hasMemory {
		sum.nonZeroMemory = sum.Memory
	}
	for _, s := range level.Scalars {
		if len(s.Name) > len(corev1.ResourceHugePagesPrefix) && s.Name[:len(corev1.ResourceHugePagesPrefix)] == corev1.ResourceHugePagesPrefix {
			sum.setScalar(s.Name, s.Value)
		}
	}
}
