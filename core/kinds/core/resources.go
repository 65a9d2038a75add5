package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds/check"
)

// requirements checks requests and limits of a container or, with podLevel, of the pod as a whole.
//
// Models pkg/apis/core/validation validateResourceRequirements.
func (v *podValidator) requirements(at *check.Path, r *corev1.ResourceRequirements, podLevel bool) {
	if plainRequirements(r) && !podLevel {
		return
	}
	computes, hugePages := false, false
	limits := at.Child("limits")
	for _, name := range check.Keys(r.Limits) {
		limit := limits.Key(string(name))
		v.requirementName(&limit, name, podLevel)
		v.amount(&limit, name, r.Limits)
		computes = computes || name == corev1.ResourceCPU || name == corev1.ResourceMemory
		hugePages = hugePages || IsHugePages(name)
	}
	requests := at.Child("requests")
	for _, name := range check.Keys(r.Requests) {
		request := requests.Key(string(name))
		v.requirementName(&request, name, podLevel)
		v.requestAmount(at, &request, name, r)
		computes = computes || name == corev1.ResourceCPU || name == corev1.ResourceMemory
		hugePages = hugePages || IsHugePages(name)
	}
	if hugePages && !computes {
		v.Forbidden(at, "", "HugePages require cpu or memory")
	}
	v.claimNames(at, r.Claims)
}

func (v *podValidator) requirementName(at *check.Path, name corev1.ResourceName, podLevel bool) {
	if podLevel {
		v.podResourceName(at, name)
	} else {
		v.containerResourceName(at, name)
	}
}

// plainRequirements reports whether a container asks only for the usual resources, and in order.
func plainRequirements(r *corev1.ResourceRequirements) bool {
	for name, q := range r.Limits {
		if !isPlainResource(name) || q.Sign() < 0 {
			return false
		}
	}
	for name, q := range r.Requests {
		if limit, ok := r.Limits[name]; !isPlainResource(name) || q.Sign() < 0 || ok && q.Cmp(limit) > 0 {
			return false
		}
	}
	return len(r.Claims) == 0
}

func isPlainResource(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || name == corev1.ResourceEphemeralStorage
}

func (v *podValidator) amount(at *check.Path, name corev1.ResourceName, list corev1.ResourceList) {
	q := list[name]
	resourceQuantity(&v.Errors, at, name, q)
	v.pages(at, name, list)
}

func (v *podValidator) pages(at *check.Path, name corev1.ResourceName, list corev1.ResourceList) {
	if q := list[name]; IsHugePages(name) && !v.rules.partialPages && !wholePages(name, q) {
		v.Invalid(at, "", q.String(), q.String()+" is not positive integer multiple of "+string(name))
	}
}

// requestAmount checks a request against its limit.
func (v *podValidator) requestAmount(at, request *check.Path, name corev1.ResourceName, r *corev1.ResourceRequirements) {
	q := r.Requests[name]
	resourceQuantity(&v.Errors, request, name, q)
	if limit, ok := r.Limits[name]; ok {
		if c := q.Cmp(limit); c != 0 && !isOvercommittable(name) {
			v.Invalid(at, "requests", q.String(), "must be equal to "+string(name)+" limit of "+limit.String())
		} else if c > 0 {
			v.Invalid(at, "requests", q.String(), "must be less than or equal to "+string(name)+" limit of "+limit.String())
		}
	} else if !isOvercommittable(name) {
		v.Required(at, "limits", "Limit must be set for non overcommitable resources")
	}
	v.pages(request, name, r.Requests)
}

// claimNames checks that a container refers to claims of the pod, and to each once.
//
// Models pkg/apis/core/validation validateResourceClaimNames.
func (v *podValidator) claimNames(at *check.Path, list []corev1.ResourceClaim) {
	var seen []string // "claim" or "claim/request"
	has := func(key string) bool {
		for _, s := range seen {
			if s == key {
				return true
			}
		}
		return false
	}
	claims := at.Child("claims")
	for i := range list {
		c, claim := &list[i], claims.Index(i)
		if c.Name == "" {
			v.Required(&claim, "", "")
			continue
		}
		if has(c.Name) {
			v.Duplicate(&claim, "", c.Name)
		} else {
			key := c.Name
			if c.Request != "" {
				v.DNSLabel(&claim, "request", c.Request)
				key += "/" + c.Request
			}
			if has(key) {
				v.Duplicate(&claim, "", key)
			} else if c.Request == "" {
				for _, s := range seen {
					if claimName, _, partial := strings.Cut(s, "/"); partial && claimName == c.Name {
						v.Duplicate(&claim, "", c.Name)
					}
				}
			}
			seen = append(seen, key)
		}
		v.claimExists(&claim, c.Name)
	}
}

func (v *podValidator) claimExists(at *check.Path, name string) {
	known := map[string]bool{}
	for i := range v.spec.ResourceClaims {
		if n := v.spec.ResourceClaims[i].Name; n != "" {
			known[n] = true
		}
	}
	if known[name] {
		return
	}
	err := field.NotFound(at.Field(), name)
	err.Detail = "must be one of the names in pod.spec.resourceClaims"
	if len(known) == 0 {
		err.Detail += " which is empty"
	} else {
		err.Detail += ": " + strings.Join(check.Keys(known), ", ")
	}
	v.Add(err)
}

// podResources checks the resources of the pod as a whole and that its containers stay within them.
//
// Models pkg/apis/core/validation validatePodResources.
func (v *podValidator) podResources(at *check.Path) {
	r := v.spec.Resources
	if r == nil {
		return
	}
	resources := at.Child("resources")
	if v.spec.OS != nil && v.spec.OS.Name == corev1.Windows {
		v.Forbidden(&resources, "", "may not be set for a windows pod")
		return
	}
	if r.Claims != nil {
		v.Forbidden(&resources, "claims", "claims may not be set for Resources at pod-level")
	}
	v.requirements(&resources, r, true)
	v.withinPod(&resources)
}

// withinPod compares the containers' requests and limits with the pod's.
//
// Models pkg/apis/core/validation validatePodResourceConsistency.
func (v *podValidator) withinPod(at *check.Path) {
	r := v.spec.Resources
	sum := containersTotal(v.spec, requestsOf)
	requests := at.Child("requests")
	for _, name := range check.Keys(sum) {
		pod, ok := r.Requests[name]
		if total := sum[name]; ok && total.Cmp(pod) > 0 {
			request := requests.Key(string(name))
			v.Invalid(&request, "", pod.String(), "must be greater than or equal to aggregate container requests of "+total.String())
		}
	}
	sum = containersTotal(v.spec, limitsOf)
	limits := at.Child("limits")
	for _, name := range check.Keys(sum) {
		pod, ok := r.Limits[name]
		if total := sum[name]; ok && IsHugePages(name) && total.Cmp(pod) > 0 {
			limit := limits.Key(string(name))
			v.Invalid(&limit, "", pod.String(), "must be greater than or equal to aggregate container limits of "+total.String())
		}
	}
	containers := at.Child("containers")
	for i := range v.spec.Containers {
		list, container := v.spec.Containers[i].Resources.Limits, containers.Index(i)
		for _, name := range check.Keys(list) {
			pod, ok := r.Limits[name]
			if own := list[name]; ok && own.Cmp(pod) > 0 {
				limit := container.Key(string(name))
				v.Invalid(&limit, "limits", own.String(), "must be less than or equal to pod limits of "+pod.String())
			}
		}
	}
}
