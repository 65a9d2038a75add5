package core

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// validateClaimUpdate checks that a claim changes only its size, class of attributes and volume, and those as
// its state allows.
//
// Models pkg/apis/core/validation ValidatePersistentVolumeClaimUpdate.
func validateClaimUpdate(obj, old kinds.Object) field.ErrorList {
	c, was := obj.(*corev1.PersistentVolumeClaim), old.(*corev1.PersistentVolumeClaim)
	var e check.Errors
	at := check.Root("spec")
	claimSpec(&e, &at, &c.Spec, claimRulesFor(&was.Spec))
	next, before := c.Spec, was.Spec
	sameDataSources(&before)
	if before.VolumeName == "" {
		before.VolumeName = next.VolumeName
	}
	claimClassKept(&e, c, was, &next, &before)
	if c.Status.Phase == corev1.ClaimBound {
		if next.Resources.Requests != nil {
			next.Resources.Requests = maps.Clone(next.Resources.Requests)
			next.Resources.Requests[corev1.ResourceStorage] = before.Resources.Requests[corev1.ResourceStorage]
		}
		next.VolumeAttributesClassName = before.VolumeAttributesClassName
	}
	if !check.Equal(&next, &before) {
		e.Forbidden(&at, "", "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n"+check.Diff(before, next))
	}
	size, oldSize := c.Spec.Resources.Requests[corev1.ResourceStorage], was.Spec.Resources.Requests[corev1.ResourceStorage]
	if size.Cmp(oldSize) < 0 && size.Cmp(was.Status.Capacity[corev1.ResourceStorage]) <= 0 {
		e.Forbidden(&at, "resources.requests.storage", "field can not be less than status.capacity")
	}
	if ptr.Deref(c.Spec.VolumeMode, "") != ptr.Deref(was.Spec.VolumeMode, "") {
		mode := check.Root("volumeMode")
		e.Invalid(&mode, "", c.Spec.VolumeMode, "field is immutable")
	}
	if was.Status.CurrentVolumeAttributesClassName != nil && was.Spec.VolumeAttributesClassName != nil {
		if name := c.Spec.VolumeAttributesClassName; name == nil {
			e.Forbidden(&at, "volumeAttributesClassName", "update to nil is forbidden when status.currentVolumeAttributesClassName is not nil")
		} else if *name == "" && *was.Spec.VolumeAttributesClassName != "" {
			e.Forbidden(&at, "volumeAttributesClassName", "update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil")
		}
	}
	return e.List()
}

// claimClassKept lets a claim name its class once: from none, or from the annotation that was the field's
// beta form. It takes that change back in next.
func claimClassKept(e *check.Errors, c, was *corev1.PersistentVolumeClaim, next, before *corev1.PersistentVolumeClaimSpec) {
	const beta = corev1.BetaStorageClassAnnotation
	oldClass, had := was.Annotations[beta]
	class, has := c.Annotations[beta]
	named := next.StorageClassName
	if had && before.StorageClassName == nil && named != nil && *named == oldClass && (!has || class == oldClass) {
		next.StorageClassName = nil
		return
	}
	if class != oldClass {
		metadata := check.Root("metadata")
		e.Invalid(&metadata, "annotations."+beta, class, "field is immutable")
	}
	if named != nil && before.StorageClassName == nil && (!had || *named == oldClass) {
		next.StorageClassName = before.StorageClassName
	}
}
