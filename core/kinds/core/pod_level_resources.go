package core

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// defaultPodLevelResources completes resources that a pod has as a whole: huge page limits and requests from
// its containers, requests from limits, and limits where every container has one.
//
// Models pkg/api/pod DefaultPodLevelResources.
func defaultPodLevelResources(spec *corev1.PodSpec) {
	r := spec.Resources
	if r == nil || len(r.Requests)+len(r.Limits) == 0 {
		return
	}
	next := corev1.ResourceRequirements{Requests: maps.Clone(r.Requests), Limits: maps.Clone(r.Limits), Claims: r.Claims}
	if next.Requests == nil {
		next.Requests = corev1.ResourceList{}
	}
	if next.Limits == nil {
		next.Limits = corev1.ResourceList{}
	}
	limits := containersTotal(spec, limitsOf)
	// any order: each round sets its own key
	for name, q := range limits {
		if _, requested := next.Requests[name]; IsHugePages(name) && !requested {
			setMissing(next.Limits, name, q)
		}
	}
	// any order: each round sets its own key
	for name, q := range containersTotal(spec, requestsOf) {
		if isPodLevelResource(name) && isOvercommittable(name) {
			setMissing(next.Requests, name, q)
		}
	}
	// any order: each round sets its own key
	for name, q := range next.Limits {
		if isPodLevelResource(name) {
			setMissing(next.Requests, name, q)
		}
	}
	// any order: each round sets its own key
	for name, request := range next.Requests {
		limit, ok := limits[name]
		if !ok || !isPodLevelResource(name) || !allHaveLimit(spec, name) {
			continue
		}
		if request.Cmp(limit) > 0 {
			limit = request
		}
		setMissing(next.Limits, name, limit)
	}
	if len(next.Requests) == 0 {
		next.Requests = r.Requests
	}
	if len(next.Limits) == 0 {
		next.Limits = r.Limits
	}
	spec.Resources = &next
}

func setMissing(list corev1.ResourceList, name corev1.ResourceName, q resource.Quantity) {
	if _, ok := list[name]; !ok {
		list[name] = q.DeepCopy()
	}
}

// allHaveLimit reports whether every container of the pod has a limit for the resource.
func allHaveLimit(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	for _, list := range [...][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			if _, ok := list[i].Resources.Limits[name]; !ok {
				return false
			}
		}
	}
	// Ephemeral containers have no resources: with one, no limit can be worked out.
	return len(spec.EphemeralContainers) == 0
}
