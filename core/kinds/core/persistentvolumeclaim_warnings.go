package core

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
)

func claimWarnings(obj, _ kinds.Object) []string {
	c := obj.(*corev1.PersistentVolumeClaim)
	var list []string
	if _, ok := c.Annotations[corev1.BetaStorageClassAnnotation]; ok {
		list = append(list, fmt.Sprintf(`metadata.annotations[%s]: deprecated since v1.8; use "storageClassName" attribute instead`, corev1.BetaStorageClassAnnotation))
	}
	return append(list, ClaimWarnings(field.NewPath("spec"), &c.Spec)...)
}

// ClaimWarnings returns hints about the sizes that a claim gives.
//
// Models pkg/api/persistentvolumeclaim GetWarningsForPersistentVolumeClaimSpec.
func ClaimWarnings(at *field.Path, spec *corev1.PersistentVolumeClaimSpec) []string {
	var list []string
	fraction := func(child string, l corev1.ResourceList) {
		if q, ok := l[corev1.ResourceStorage]; ok && q.MilliValue()%1000 != 0 {
			list = append(list, fmt.Sprintf("%s: fractional byte value %q is invalid, must be an integer", at.Child("resources", child).Key("storage"), q.String()))
		}
	}
	fraction("requests", spec.Resources.Requests)
	fraction("limits", spec.Resources.Limits)
	return list
}
