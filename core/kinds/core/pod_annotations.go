package core

import (
	"encoding/json"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds/check"
)

// Annotations that once were fields' alpha form and are still checked.
const (
	tolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations"
	taintsAnnotation      = "scheduler.alpha.kubernetes.io/taints"
)

// annotations checks the annotations of a pod or template that mean something.
//
// Models pkg/apis/core/validation ValidatePodSpecificAnnotations.
func (v *podValidator) annotations(at *check.Path, list map[string]string) {
	if len(list) == 0 {
		return
	}
	place := at.Child("annotations")
	if value, mirror := list[corev1.MirrorPodAnnotationKey]; mirror && v.spec.NodeName == "" {
		key := place.Key(corev1.MirrorPodAnnotationKey)
		v.Invalid(&key, "", value, "must set spec.nodeName if mirror pod annotation is set")
	}
	if list[tolerationsAnnotation] != "" {
		var tolerations []corev1.Toleration
		if err := json.Unmarshal([]byte(list[tolerationsAnnotation]), &tolerations); err != nil {
			v.Invalid(&place, "", tolerationsAnnotation, internalNames(err))
		} else {
			list := place.Child(tolerationsAnnotation)
			Tolerations(&v.Errors, &list, tolerations)
		}
	}
	if cost, ok := list[corev1.PodDeletionCost]; ok && !v.rules.deletionCost && !validDeletionCost(cost) {
		key := place.Key(corev1.PodDeletionCost)
		v.Invalid(&key, "", cost, "must be a 32bit integer")
	}
	v.seccompAnnotations(&place, list)
	v.appArmorAnnotations(&place, list)
}

// validDeletionCost checks a 32-bit integer without plus sign or leading zero.
//
// Models pkg/apis/core/helper GetDeletionCostFromPodAnnotations.
func validDeletionCost(cost string) bool {
	if cost == "" || cost != "0" && cost[0] != '-' && (cost[0] < '1' || cost[0] > '9') {
		return false
	}
	_, err := strconv.ParseInt(cost, 10, 32)
	return err == nil
}

func (v *podValidator) seccompAnnotations(at *check.Path, list map[string]string) {
	if p, ok := list[corev1.SeccompPodAnnotationKey]; ok {
		v.seccompAnnotation(at, corev1.SeccompPodAnnotationKey, p)
	}
	for _, key := range keysWithPrefix(list, corev1.SeccompContainerAnnotationKeyPrefix) {
		v.seccompAnnotation(at, key, list[key])
	}
}

func (v *podValidator) seccompAnnotation(at *check.Path, key, profile string) {
	local, isLocal := strings.CutPrefix(profile, corev1.SeccompLocalhostProfileNamePrefix)
	switch {
	case profile == corev1.SeccompProfileRuntimeDefault, profile == corev1.DeprecatedSeccompProfileDockerDefault,
		profile == corev1.SeccompProfileNameUnconfined:
	case isLocal:
		v.localPath(at, key, local)
	default:
		v.Invalid(at, key, profile, "must be a valid seccomp profile")
	}
}

func (v *podValidator) appArmorAnnotations(at *check.Path, list map[string]string) {
	const prefix = corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix
	for _, key := range keysWithPrefix(list, prefix) {
		place, name, profile := at.Key(key), strings.TrimPrefix(key, prefix), list[key]
		if !hasContainer(v.spec, name) {
			v.Invalid(&place, "", name, "container not found")
		}
		if profile != "" && profile != corev1.DeprecatedAppArmorBetaProfileRuntimeDefault &&
			profile != corev1.DeprecatedAppArmorBetaProfileNameUnconfined &&
			!strings.HasPrefix(profile, corev1.DeprecatedAppArmorBetaProfileNamePrefix) {
			v.Invalid(&place, "", profile, "invalid AppArmor profile name: "+quote(profile))
		}
	}
}

func keysWithPrefix(list map[string]string, prefix string) []string {
	any := false
	// any order: any one will do
	for k := range list {
		any = any || strings.HasPrefix(k, prefix)
	}
	if !any {
		return nil
	}
	var keys []string
	for _, k := range check.Keys(list) {
		if strings.HasPrefix(k, prefix) {
			keys = append(keys, k)
		}
	}
	return keys
}

func hasContainer(spec *corev1.PodSpec, name string) bool {
	found := false
	eachContainer(spec, func(c *corev1.Container, _ string, _ int) { found = found || c.Name == name })
	return found
}

// profilesMatch checks that annotations and fields that say the same thing twice agree.
//
// Models pkg/apis/core/validation validateSeccompAnnotationsAndFields and
// validateAppArmorAnnotationsAndFieldsMatchOnCreate.
func (v *podValidator) profilesMatch(at *check.Path, annotations map[string]string) {
	if len(annotations) == 0 {
		return
	}
	var ofPod corev1.PodSecurityContext
	if v.spec.SecurityContext != nil {
		ofPod = *v.spec.SecurityContext
	}
	if value, ok := annotations[corev1.SeccompPodAnnotationKey]; ok && ofPod.SeccompProfile != nil {
		v.seccompMatches(at, value, ofPod.SeccompProfile)
	}
	eachContainer(v.spec, func(c *corev1.Container, list string, i int) {
		value, ok := annotations[corev1.SeccompContainerAnnotationKeyPrefix+c.Name]
		if ok && c.SecurityContext != nil && c.SecurityContext.SeccompProfile != nil {
			containers := at.Child(list)
			container := containers.Index(i)
			v.seccompMatches(&container, value, c.SecurityContext.SeccompProfile)
		}
	})
	if v.spec.OS != nil && v.spec.OS.Name == corev1.Windows {
		return
	}
	eachContainer(v.spec, func(c *corev1.Container, list string, i int) {
		profile := ofPod.AppArmorProfile
		if c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
			profile = c.SecurityContext.AppArmorProfile
		}
		value, ok := annotations[corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix+c.Name]
		if ok && profile != nil {
			containers := at.Child(list)
			container := containers.Index(i)
			v.appArmorMatches(&container, value, profile)
		}
	})
}

func (v *podValidator) seccompMatches(at *check.Path, annotation string, p *corev1.SeccompProfile) {
	const typeDetail = "seccomp type in annotation and field must match"
	local, isLocal := strings.CutPrefix(annotation, corev1.SeccompLocalhostProfileNamePrefix)
	match := true
	switch p.Type {
	case corev1.SeccompProfileTypeUnconfined:
		match = annotation == corev1.SeccompProfileNameUnconfined
	case corev1.SeccompProfileTypeRuntimeDefault:
		match = annotation == corev1.SeccompProfileRuntimeDefault || annotation == corev1.DeprecatedSeccompProfileDockerDefault
	case corev1.SeccompProfileTypeLocalhost:
		if match = isLocal; isLocal && (p.LocalhostProfile == nil || *p.LocalhostProfile != local) {
			v.Forbidden(at, "securityContext.seccompProfile.localhostProfile", "seccomp profile in annotation and field must match")
		}
	}
	if !match {
		v.Forbidden(at, "securityContext.seccompProfile.type", typeDetail)
	}
}

func (v *podValidator) appArmorMatches(at *check.Path, annotation string, p *corev1.AppArmorProfile) {
	const typeDetail = "apparmor type in annotation and field must match"
	local, isLocal := strings.CutPrefix(annotation, corev1.DeprecatedAppArmorBetaProfileNamePrefix)
	match := true
	switch p.Type {
	case corev1.AppArmorProfileTypeUnconfined:
		match = annotation == corev1.DeprecatedAppArmorBetaProfileNameUnconfined
	case corev1.AppArmorProfileTypeRuntimeDefault:
		match = annotation == corev1.DeprecatedAppArmorBetaProfileRuntimeDefault
	case corev1.AppArmorProfileTypeLocalhost:
		if match = isLocal; isLocal && (p.LocalhostProfile == nil || *p.LocalhostProfile != local) {
			v.Forbidden(at, "securityContext.appArmorProfile.localhostProfile", "apparmor profile in annotation and field must match")
		}
	}
	if !match {
		v.Forbidden(at, "securityContext.appArmorProfile.type", typeDetail)
	}
}

// internalNames returns what a decoder says, with upstream's internal types in place of ours.
func internalNames(err error) string { return strings.ReplaceAll(err.Error(), "v1.", "core.") }
