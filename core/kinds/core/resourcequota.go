package core

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func resourceQuotas() kinds.Strategy {
	return kinds.Strategy{
		Default:          defaultQuota,
		PrepareForCreate: func(obj kinds.Object) { obj.(*corev1.ResourceQuota).Status = corev1.ResourceQuotaStatus{} },
		Validate:         validateQuota,
		PrepareForUpdate: func(obj, old kinds.Object) {
			obj.(*corev1.ResourceQuota).Status = old.(*corev1.ResourceQuota).Status
		},
		ValidateUpdate: validateQuotaUpdate,
		PrepareForStatusUpdate: func(obj, old kinds.Object) {
			obj.(*corev1.ResourceQuota).Spec = old.(*corev1.ResourceQuota).Spec
		},
		ValidateStatusUpdate: validateQuotaStatus,
		Warnings:             quotaWarnings,
	}
}

func defaultQuota(obj kinds.Object) {
	q := obj.(*corev1.ResourceQuota)
	look := filler{dry: true}
	for _, list := range [...]corev1.ResourceList{q.Spec.Hard, q.Status.Hard, q.Status.Used} {
		look.resources(list)
	}
	if !look.missing {
		return
	}
	fill := filler{}
	for _, list := range [...]*corev1.ResourceList{&q.Spec.Hard, &q.Status.Hard, &q.Status.Used} {
		*list = list.DeepCopy()
		fill.resources(*list)
	}
}

func validateQuota(obj kinds.Object) field.ErrorList {
	var e check.Errors
	spec := check.Root("spec")
	quotaSpec(&e, &spec, &obj.(*corev1.ResourceQuota).Spec)
	return e.List()
}

// quotaSpec checks limits and which pods count.
//
// Models pkg/apis/core/validation ValidateResourceQuotaSpec.
func quotaSpec(e *check.Errors, at *check.Path, spec *corev1.ResourceQuotaSpec) {
	quotaAmounts(e, at, "hard", spec.Hard)
	scopes := at.Child("scopes")
	for _, s := range spec.Scopes {
		if !isQuotaScope(s) {
			e.Invalid(&scopes, "", spec.Scopes, "unsupported scope")
		}
		for _, name := range check.Keys(spec.Hard) {
			if isQuotaResource(name) && !scopeCounts(s, name) {
				e.Invalid(&scopes, "", spec.Scopes, "unsupported scope applied to resource")
			}
		}
	}
	scopesAgree(e, &scopes, spec.Scopes, spec.Scopes)
	if spec.ScopeSelector != nil {
		selector := at.Child("scopeSelector.matchExpressions")
		quotaSelector(e, &selector, spec)
	}
}

// quotaSelector checks a selector of scopes.
//
// Models pkg/apis/core/validation validateScopedResourceSelectorRequirement.
func quotaSelector(e *check.Errors, at *check.Path, spec *corev1.ResourceQuotaSpec) {
	var named []corev1.ResourceQuotaScope
	for _, r := range spec.ScopeSelector.MatchExpressions {
		if !isQuotaScope(r.ScopeName) {
			e.Invalid(at, "scopeName", r.ScopeName, "unsupported scope")
		}
		for _, name := range check.Keys(spec.Hard) {
			if isQuotaResource(name) && !scopeCounts(r.ScopeName, name) {
				e.Invalid(at, "", check.Internal(spec.ScopeSelector), "unsupported scope applied to resource")
			}
		}
		switch r.ScopeName {
		case corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopeTerminating,
			corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeCrossNamespacePodAffinity:
			if r.Operator != corev1.ScopeSelectorOpExists {
				e.Invalid(at, "operator", r.Operator, "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity")
			}
		}
		switch r.Operator {
		case corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn:
			if len(r.Values) == 0 {
				e.Required(at, "values", "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")
			}
		case corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist:
			if len(r.Values) != 0 {
				e.Invalid(at, "values", r.Values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector")
			}
		default:
			e.Invalid(at, "operator", r.Operator, "not a valid selector operator")
		}
		named = append(named, r.ScopeName)
	}
	scopesAgree(e, at, named, spec.Scopes)
}

func scopesAgree(e *check.Errors, at *check.Path, scopes, shown []corev1.ResourceQuotaScope) {
	for _, pair := range [...][2]corev1.ResourceQuotaScope{
		{corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort},
		{corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating},
	} {
		if slices.Contains(scopes, pair[0]) && slices.Contains(scopes, pair[1]) {
			e.Invalid(at, "", shown, "conflicting scopes")
		}
	}
}

func isQuotaScope(s corev1.ResourceQuotaScope) bool {
	switch s {
	case corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeBestEffort,
		corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopePriorityClass,
		corev1.ResourceQuotaScopeVolumeAttributesClass, corev1.ResourceQuotaScopeCrossNamespacePodAffinity:
		return true
	}
	return false
}

// scopeCounts reports whether a resource can be limited for the objects of a scope.
//
// Models pkg/apis/core/helper IsResourceQuotaScopeValidForResource.
func scopeCounts(s corev1.ResourceQuotaScope, name corev1.ResourceName) bool {
	switch s {
	case corev1.ResourceQuotaScopeBestEffort:
		return name == corev1.ResourcePods
	case corev1.ResourceQuotaScopeVolumeAttributesClass:
		return name == corev1.ResourcePersistentVolumeClaims || name == corev1.ResourceRequestsStorage
	case corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeNotBestEffort,
		corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeCrossNamespacePodAffinity:
		switch name {
		case corev1.ResourcePods, corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory,
			corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory:
			return true
		}
		return false
	}
	return true
}

// isQuotaResource reports whether a name without a domain is one that quotas know.
func isQuotaResource(name corev1.ResourceName) bool {
	return isStandardResource(name) && name != corev1.ResourceStorage
}

func hasDomain(name string) bool { return strings.Contains(name, "/") }

func quotaAmounts(e *check.Errors, at *check.Path, child string, list corev1.ResourceList) {
	amounts := at.Child(child)
	for _, name := range check.Keys(list) {
		amount := amounts.Key(string(name))
		resourceName(e, &amount, name)
		if !hasDomain(string(name)) && !isQuotaResource(name) {
			e.Invalid(&amount, "", name, "must be a standard resource for quota")
		}
		resourceQuantity(e, &amount, name, list[name])
	}
}

func validateQuotaUpdate(obj, old kinds.Object) field.ErrorList {
	q, was := obj.(*corev1.ResourceQuota), old.(*corev1.ResourceQuota)
	var e check.Errors
	spec := check.Root("spec")
	quotaSpec(&e, &spec, &q.Spec)
	contains := func(list, of []corev1.ResourceQuotaScope) bool {
		return !slices.ContainsFunc(of, func(s corev1.ResourceQuotaScope) bool { return !slices.Contains(list, s) })
	}
	if !contains(q.Spec.Scopes, was.Spec.Scopes) || !contains(was.Spec.Scopes, q.Spec.Scopes) {
		e.Invalid(&spec, "scopes", q.Spec.Scopes, "field is immutable")
	}
	return e.List()
}

func validateQuotaStatus(obj, _ kinds.Object) field.ErrorList {
	q := obj.(*corev1.ResourceQuota)
	var e check.Errors
	status := check.Root("status")
	quotaAmounts(&e, &status, "hard", q.Status.Hard)
	quotaAmounts(&e, &status, "used", q.Status.Used)
	return e.List()
}

// quotaWarnings says where requests are allowed that limits do not allow.
func quotaWarnings(obj, old kinds.Object) (warnings []string) {
	if old != nil {
		return nil
	}
	hard := obj.(*corev1.ResourceQuota).Spec.Hard
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceStorage, corev1.ResourceEphemeralStorage} {
		request, limit := "requests."+name, "limits."+name
		r, ok := hard[request]
		if !ok && (name == corev1.ResourceCPU || name == corev1.ResourceMemory) {
			request = name
			r, ok = hard[request]
		}
		if l, limited := hard[limit]; ok && limited && r.Cmp(l) > 0 {
			warnings = append(warnings, fmt.Sprintf("ResourceQuota %s (%s) should be less than %s (%s)", request, r.String(), limit, l.String()))
		}
	}
	return warnings
}
