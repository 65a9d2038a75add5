package core

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// clusterIPs checks addresses and families against each other.
//
// Models pkg/apis/core/validation ValidateServiceClusterIPsRelatedFields.
func (v *serviceValidator) clusterIPs(at *check.Path) {
	spec := &v.service.Spec
	if spec.Type == corev1.ServiceTypeExternalName {
		return
	}
	ips := spec.ClusterIPs
	switch {
	case spec.ClusterIP == "" && len(ips) > 0:
		v.Invalid(at, "clusterIPs", ips, "must be empty when `clusterIP` is not specified")
	case spec.ClusterIP != "" && len(ips) == 0:
		v.Required(at, "clusterIPs", "")
	case spec.ClusterIP != "" && ips[0] != spec.ClusterIP:
		v.Invalid(at, "clusterIPs", ips, "first value must match `clusterIP`")
	}
	v.families(at)
	if !v.goodClusterIPs(at) {
		return
	}
	if len(ips) > 1 {
		dual, err := netutils.IsDualStackIPStrings(ips)
		if err != nil {
			v.Internal(at, "clusterIPs", fmt.Errorf("failed to check for dual stack with error:%v", err))
		}
		if !dual {
			v.Invalid(at, "clusterIPs", ips, "may specify no more than one IP for each IP family")
		}
	}
	if isHeadless(spec) {
		return
	}
	list := at.Child("clusterIPs")
	for i := range min(len(ips), len(spec.IPFamilies)) {
		place, six := list.Index(i), netutils.IsIPv6String(ips[i])
		if spec.IPFamilies[i] == corev1.IPv4Protocol && six {
			v.Invalid(&place, "", ips[i], fmt.Sprintf("expected an IPv4 value as indicated by `ipFamilies[%v]`", i))
		}
		if spec.IPFamilies[i] == corev1.IPv6Protocol && !six {
			v.Invalid(&place, "", ips[i], fmt.Sprintf("expected an IPv6 value as indicated by `ipFamilies[%v]`", i))
		}
	}
}

func (v *serviceValidator) families(at *check.Path) {
	spec := &v.service.Spec
	var seen check.Set
	families := at.Child("ipFamilies")
	for i, f := range spec.IPFamilies {
		family := families.Index(i)
		if f != corev1.IPv4Protocol && f != corev1.IPv6Protocol {
			v.NotSupported(&family, "", f, "IPv4", "IPv6")
		}
		if !seen.Add(string(f)) {
			v.Duplicate(&family, "", f)
		}
	}
	if p := spec.IPFamilyPolicy; p != nil {
		switch *p {
		case corev1.IPFamilyPolicySingleStack, corev1.IPFamilyPolicyPreferDualStack, corev1.IPFamilyPolicyRequireDualStack:
		default:
			v.NotSupported(at, "ipFamilyPolicy", *p, "PreferDualStack", "RequireDualStack", "SingleStack")
		}
	}
}

// goodClusterIPs checks each address; it reports whether to go on.
func (v *serviceValidator) goodClusterIPs(at *check.Path) bool {
	var known []string
	if v.old != nil {
		known = v.old.Spec.ClusterIPs
	}
	good, ips := true, v.service.Spec.ClusterIPs
	list := at.Child("clusterIPs")
	for i, ip := range ips {
		if i == 0 && ip == corev1.ClusterIPNone {
			if len(ips) > 1 {
				good = false
				v.Invalid(&list, "", ips, "'None' must be the first and only value")
			}
			continue
		}
		place := list.Index(i)
		if errs := validation.IsValidIPForLegacyField(place.Field(), ip, true, known); len(errs) > 0 {
			good = false
			v.Add(errs...)
		}
	}
	if len(ips) > 2 {
		v.Invalid(&list, "", ips, "may only hold up to 2 values")
	}
	return good
}

// validateServiceUpdate checks a service that replaces old.
//
// Models pkg/apis/core/validation ValidateServiceUpdate.
func validateServiceUpdate(obj, old kinds.Object) field.ErrorList {
	s, was := obj.(*corev1.Service), old.(*corev1.Service)
	v := serviceValidator{service: s, old: was}
	at := check.Root("spec")
	v.clusterIPsKept(&at)
	v.familiesKept(&at)
	both := s.Spec.Type == corev1.ServiceTypeLoadBalancer && was.Spec.Type == corev1.ServiceTypeLoadBalancer
	if both && !ptr.Equal(s.Spec.LoadBalancerClass, was.Spec.LoadBalancerClass) {
		v.Invalid(&at, "loadBalancerClass", s.Spec.LoadBalancerClass, "may not change once set")
	}
	v.balancerClass(&at)
	if healthChecked(&s.Spec) && healthChecked(&was.Spec) && s.Spec.HealthCheckNodePort != was.Spec.HealthCheckNodePort {
		v.Forbidden(&at, "healthCheckNodePort", "field is immutable")
	}
	v.all()
	return v.List()
}

const mayNotChange = "may not change once set"

// clusterIPsKept checks that addresses stay; a second one may come and go.
//
// Models pkg/apis/core/validation validateUpgradeDowngradeClusterIPs.
func (v *serviceValidator) clusterIPsKept(at *check.Path) {
	spec, was := &v.service.Spec, &v.old.Spec
	if spec.Type == corev1.ServiceTypeExternalName || was.Type == corev1.ServiceTypeExternalName || isHeadless(spec) && isHeadless(was) {
		return
	}
	ips, old := spec.ClusterIPs, was.ClusterIPs
	list := at.Child("clusterIPs")
	switch {
	case len(ips) == len(old):
		for i := range old {
			if ips[i] != old[i] {
				place := list.Index(i)
				v.Invalid(&place, "", ips, mayNotChange)
			}
		}
		return
	case len(ips) == 0:
		v.Invalid(at, "clusterIPs[0]", ips, "primary clusterIP can not be unset")
		return
	case len(old) > 0 && ips[0] != old[0]:
		v.Invalid(at, "clusterIPs[0]", ips, mayNotChange)
	}
	if len(ips) == 1 && len(old) > 1 && ptr.Deref(spec.IPFamilyPolicy, "") != corev1.IPFamilyPolicySingleStack {
		v.Invalid(at, "ipFamilyPolicy", spec.IPFamilyPolicy, "must be set to 'SingleStack' when releasing the secondary clusterIP")
	}
}

// familiesKept checks that families stay; a second one may come and go.
//
// Models pkg/apis/core/validation validateUpgradeDowngradeIPFamilies.
func (v *serviceValidator) familiesKept(at *check.Path) {
	spec, was := &v.service.Spec, &v.old.Spec
	if spec.Type == corev1.ServiceTypeExternalName || was.Type == corev1.ServiceTypeExternalName || isHeadless(spec) || isHeadless(was) {
		return
	}
	families, old := spec.IPFamilies, was.IPFamilies
	if len(families) == len(old) {
		if !slices.Equal(families, old) {
			v.Invalid(at, "ipFamilies[0]", families, mayNotChange)
		}
		return
	}
	if len(families) < len(old) && len(spec.ClusterIPs) == 0 {
		v.Invalid(at, "ipFamilies[0]", families, "primary ipFamily can not be unset")
	}
	if len(families) > 0 && len(old) > 0 && families[0] != old[0] {
		v.Invalid(at, "ipFamilies[0]", spec.ClusterIPs, mayNotChange)
	}
	if len(families) == 1 && len(old) > 1 && ptr.Deref(spec.IPFamilyPolicy, "") != corev1.IPFamilyPolicySingleStack {
		v.Invalid(at, "ipFamilyPolicy", spec.IPFamilyPolicy, "must be set to 'SingleStack' when releasing the secondary ipFamily")
	}
}
