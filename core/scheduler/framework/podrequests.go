package framework

import (
	corev1 "k8s.io/api/core/v1"

	core "terrarium/core/kinds/core"
)

// What a container without a request is taken to need when nodes are scored, so that many such pods do
// not land on one node.
const (
	defaultMilliCPU = 100
	defaultMemory   = 200 * 1024 * 1024
)

// podRequests returns what a pod asks for. While containers are being resized, they count with the greater of
// what they should get and what they have.
// Models pkg/scheduler/framework PodInfo.CalculateResource.
func podRequests(pod *corev1.Pod) Resource {
	if !hasStatusResources(pod) {
		return resourceOf(core.RequestAmounts(pod))
	}
	infeasible := resizeInfeasible(pod)
	allocated := core.ContainerAmounts(&pod.Spec, func(c *corev1.Container) core.Amounts {
		return core.AmountsOf(allocatedRequests(pod, c, infeasible))
	})
	actuated := core.ContainerAmounts(&pod.Spec, func(c *corev1.Container) core.Amounts {
		return core.AmountsOf(actuatedRequests(pod, c, infeasible))
	})
	allocated.Max(&actuated)
	if !infeasible {
		spec := core.ContainerAmounts(&pod.Spec, func(c *corev1.Container) core.Amounts { return core.AmountsOf(c.Resources.Requests) })
		allocated.Max(&spec)
	}
	allocated.PodLevel(&pod.Spec)
	return resourceOf(allocated)
}

// nonZeroRequests returns the CPU and memory that a pod asks for, with defaults for containers that do not say.
// Models pkg/scheduler/framework getNonMissingContainerRequests.
func nonZeroRequests(pod *corev1.Pod, requests *Resource) (milliCPU, memory int64) {
	missing := false
	a := core.ContainerAmounts(&pod.Spec, func(c *corev1.Container) core.Amounts {
		a := core.Amounts{MilliCPU: defaultMilliCPU, Memory: defaultMemory}
		if q, ok := c.Resources.Requests[corev1.ResourceCPU]; ok {
			a.MilliCPU = q.MilliValue()
		} else {
			missing = true
		}
		if q, ok := c.Resources.Requests[corev1.ResourceMemory]; ok {
			a.Memory = q.Value()
		} else {
			missing = true
		}
		return a
	})
	if !missing {
		return requests.MilliCPU, requests.Memory
	}
	a.PodLevel(&pod.Spec)
	return max(a.MilliCPU, requests.MilliCPU), max(a.Memory, requests.Memory)
}

// resourceOf keeps the resources that the scheduler counts.
func resourceOf(a core.Amounts) Resource {
	r := Resource{MilliCPU: a.MilliCPU, Memory: a.Memory, EphemeralStorage: a.EphemeralStorage}
	// any order: setScalar sorts
	for name, v := range a.Scalars { // sorted as they are added
		if IsScalar(name) {
			r.setScalar(name, v)
		}
	}
	return r
}

func hasStatusResources(pod *corev1.Pod) bool {
	return anyResources(pod.Status.ContainerStatuses) || anyResources(pod.Status.InitContainerStatuses)
}

func anyResources(list []corev1.ContainerStatus) bool {
	for i := range list {
		if list[i].AllocatedResources != nil || list[i].Resources != nil {
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

func allocatedRequests(pod *corev1.Pod, c *corev1.Container, infeasible bool) corev1.ResourceList {
	switch s := containerStatus(pod, c.Name); {
	case s != nil && s.AllocatedResources != nil:
		return s.AllocatedResources
	case infeasible:
		return nil
	}
	return c.Resources.Requests
}

func actuatedRequests(pod *corev1.Pod, c *corev1.Container, infeasible bool) corev1.ResourceList {
	if s := containerStatus(pod, c.Name); s != nil && s.Resources != nil && s.Resources.Requests != nil {
		return s.Resources.Requests
	}
	return allocatedRequests(pod, c, infeasible)
}

func containerStatus(pod *corev1.Pod, name string) *corev1.ContainerStatus {
	for _, list := range [...][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}
