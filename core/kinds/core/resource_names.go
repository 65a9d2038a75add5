package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

const quotaRequestsPrefix = "requests."

// IsHugePages reports whether a resource is huge pages of some size: "hugepages-2Mi".
func IsHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// isNativeResource reports whether a resource is Kubernetes' own: without a domain or in kubernetes.io.
func isNativeResource(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// isOvercommittable reports whether limits of a resource may be above requests.
func isOvercommittable(name corev1.ResourceName) bool {
	return isNativeResource(name) && !IsHugePages(name)
}

// IsExtendedResource reports whether a resource is one that a node adds: "example.com/gpu".
//
// Models pkg/apis/core/helper IsExtendedResourceName.
func IsExtendedResource(name corev1.ResourceName) bool {
	return !isNativeResource(name) && !strings.HasPrefix(string(name), quotaRequestsPrefix) &&
		check.IsQualifiedName(quotaRequestsPrefix+string(name))
}

// isStandardResource reports whether a name without a domain is a resource anywhere: in containers, quotas
// or limits.
func isStandardResource(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourceStorage,
		corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage,
		corev1.ResourceRequestsStorage,
		corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage:
		return true
	}
	return isObjectCount(name) || IsHugePages(name) || strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix)
}

// isObjectCount reports whether a resource counts objects, for quotas.
func isObjectCount(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourcePods, corev1.ResourceQuotas, corev1.ResourceServices, corev1.ResourceReplicationControllers,
		corev1.ResourceSecrets, corev1.ResourceConfigMaps, corev1.ResourcePersistentVolumeClaims,
		corev1.ResourceServicesNodePorts, corev1.ResourceServicesLoadBalancers:
		return true
	}
	return false
}

// isPodLevelResource reports whether a resource may be set for a pod as a whole.
func isPodLevelResource(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || IsHugePages(name)
}

// resourceName checks a name of a resource and reports whether it is one.
func resourceName(e *check.Errors, at *check.Path, name corev1.ResourceName) bool {
	if !check.IsQualifiedName(string(name)) {
		e.InvalidAll(at, "", name, validation.IsQualifiedName(string(name)))
		return false
	}
	if !strings.Contains(string(name), "/") && !isStandardResource(name) {
		e.Invalid(at, "", name, "must be a standard resource type or fully qualified")
		return false
	}
	return true
}

// containerResourceName checks that a container may ask for a resource.
//
// Models pkg/apis/core/validation ValidateContainerResourceName.
func (v *podValidator) containerResourceName(at *check.Path, name corev1.ResourceName) {
	if isPlainResource(name) {
		return
	}
	resourceName(&v.Errors, at, name)
	if !strings.Contains(string(name), "/") {
		if !IsHugePages(name) {
			v.Invalid(at, "", name, "must be a standard resource for containers")
		}
	} else if !isNativeResource(name) && !IsExtendedResource(name) {
		v.Invalid(at, "", name, "doesn't follow extended resource name standard")
	}
}

// podResourceName checks that a resource may be set for a pod as a whole.
func (v *podValidator) podResourceName(at *check.Path, name corev1.ResourceName) {
	if resourceName(&v.Errors, at, name) && !isPodLevelResource(name) {
		v.NotSupported(at, "", name, "cpu", "hugepages-", "memory")
	}
}

// resourceQuantity checks an amount of a resource: not negative, whole where parts make no sense.
//
// Models pkg/apis/core/validation ValidateResourceQuantityValue.
func resourceQuantity(e *check.Errors, at *check.Path, name corev1.ResourceName, q resource.Quantity) {
	if q.Sign() < 0 {
		e.Invalid(at, "", q.String(), "must be greater than or equal to 0")
	}
	if (isObjectCount(name) || IsExtendedResource(name)) && q.MilliValue()%1000 != 0 {
		e.Invalid(at, "", q, "must be an integer")
	}
}

// wholePages reports whether an amount of huge pages is a multiple of their size.
func wholePages(name corev1.ResourceName, q resource.Quantity) bool {
	size, err := resource.ParseQuantity(strings.TrimPrefix(string(name), corev1.ResourceHugePagesPrefix))
	if err != nil || size.Sign() <= 0 || size.MilliValue()%1000 != 0 {
		return false
	}
	return q.Value()%size.Value() == 0
}
