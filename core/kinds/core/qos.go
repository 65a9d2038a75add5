package core

import corev1 "k8s.io/api/core/v1"

// QOSClass returns the quality of service that a pod gets: Guaranteed when CPU and memory of all containers
// have limits and equal requests, BestEffort when none has either, Burstable otherwise. Resources of the pod
// as a whole stand for its containers'.
//
// Models pkg/apis/core/helper/qos ComputePodQOS.
func QOSClass(pod *corev1.Pod) corev1.PodQOSClass {
	spec := &pod.Spec
	if hasPodLevelResources(spec) {
		return requirementsQOS(spec.Resources)
	}
	class, some := corev1.PodQOSBestEffort, false
	for _, list := range [...][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			c := requirementsQOS(&list[i].Resources)
			if c == corev1.PodQOSBurstable || some && c != class {
				return corev1.PodQOSBurstable
			}
			class, some = c, true
		}
	}
	return class
}

func hasPodLevelResources(spec *corev1.PodSpec) bool {
	if spec.Resources == nil {
		return false
	}
	for _, list := range [...]corev1.ResourceList{spec.Resources.Requests, spec.Resources.Limits} {
		for name := range list {
			if isPodLevelResource(name) {
				return true
			}
		}
	}
	return false
}

func requirementsQOS(r *corev1.ResourceRequirements) corev1.PodQOSClass {
	if len(r.Requests) == 0 && len(r.Limits) == 0 {
		return corev1.PodQOSBestEffort
	}
	cpu, memory := resourceQOS(r, corev1.ResourceCPU), resourceQOS(r, corev1.ResourceMemory)
	if cpu != memory {
		return corev1.PodQOSBurstable
	}
	return cpu
}

func resourceQOS(r *corev1.ResourceRequirements, name corev1.ResourceName) corev1.PodQOSClass {
	request, limit := r.Requests[name], r.Limits[name]
	switch {
	case request.Cmp(limit) != 0:
		return corev1.PodQOSBurstable
	case request.IsZero():
		return corev1.PodQOSBestEffort
	}
	return corev1.PodQOSGuaranteed
}
