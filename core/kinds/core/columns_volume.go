package core

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds/table"
)

func volumeCells(obj *corev1.PersistentVolume, now table.Time) []any {
	claim := ""
	if ref := obj.Spec.ClaimRef; ref != nil {
		claim = ref.Namespace + "/" + ref.Name
	}
	status := string(obj.Status.Phase)
	if obj.DeletionTimestamp != nil {
		status = "Terminating"
	}
	size := obj.Spec.Capacity[corev1.ResourceStorage]
	class, ok := obj.Annotations[corev1.BetaStorageClassAnnotation]
	if !ok {
		class = obj.Spec.StorageClassName
	}
	return []any{obj.Name, size.String(), shortModes(obj.Spec.AccessModes),
		string(obj.Spec.PersistentVolumeReclaimPolicy), status, claim, class,
		table.Deref(obj.Spec.VolumeAttributesClassName, "<unset>"), obj.Status.Reason, now.Age(obj),
		table.Deref(obj.Spec.VolumeMode, "<unset>")}
}

func claimCells(obj *corev1.PersistentVolumeClaim, now table.Time) []any {
	status := string(obj.Status.Phase)
	if obj.DeletionTimestamp != nil {
		status = "Terminating"
	}
	size, modes := "", ""
	if obj.Spec.VolumeName != "" {
		storage := obj.Status.Capacity[corev1.ResourceStorage]
		size, modes = storage.String(), shortModes(obj.Status.AccessModes)
	}
	class, ok := obj.Annotations[corev1.BetaStorageClassAnnotation]
	if !ok {
		class = table.Deref(obj.Spec.StorageClassName, "")
	}
	return []any{obj.Name, status, obj.Spec.VolumeName, size, modes, class,
		table.Deref(obj.Spec.VolumeAttributesClassName, "<unset>"), now.Age(obj),
		table.Deref(obj.Spec.VolumeMode, "<unset>")}
}

// shortModes abbreviates access modes, each once.
func shortModes(modes []corev1.PersistentVolumeAccessMode) string {
	var out []string
	for _, m := range []struct {
		mode  corev1.PersistentVolumeAccessMode
		short string
	}{
		{corev1.ReadWriteOnce, "RWO"}, {corev1.ReadOnlyMany, "ROX"},
		{corev1.ReadWriteMany, "RWX"}, {corev1.ReadWriteOncePod, "RWOP"},
	} {
		if slices.Contains(modes, m.mode) {
			out = append(out, m.short)
		}
	}
	return strings.Join(out, ",")
}
