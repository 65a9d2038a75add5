package storage

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/table"
)

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return map[string]*kinds.Table{
		"csidrivers": table.Of(driverCells, "Name", "?AttachRequired", "?PodInfoOnMount", "?StorageCapacity",
			"TokenRequests", "?RequiresRepublish", "Modes", "Age"),
		"csinodes":             table.Of(csiNodeCells, "Name", "#Drivers", "Age"),
		"csistoragecapacities": table.NameAndCreation(),
		"storageclasses": table.Of(classCells, "Name", "Provisioner", "ReclaimPolicy", "VolumeBindingMode",
			"AllowVolumeExpansion", "Age"),
		"volumeattachments":       table.Of(attachmentCells, "Name", "Attacher", "PV", "Node", "?Attached", "Age"),
		"volumeattributesclasses": table.Of(attributesClassCells, "Name", "DriverName", "Age"),
	}
}

func driverCells(obj *storagev1.CSIDriver, now table.Time) []any {
	var modes, audiences []string
	for _, m := range obj.Spec.VolumeLifecycleModes {
		modes = append(modes, string(m))
	}
	for _, t := range obj.Spec.TokenRequests {
		audiences = append(audiences, t.Audience)
	}
	tokens := strings.Join(audiences, ",")
	if obj.Spec.TokenRequests == nil {
		tokens = "<unset>"
	}
	return []any{obj.Name, ptr.Deref(obj.Spec.AttachRequired, true), ptr.Deref(obj.Spec.PodInfoOnMount, false),
		ptr.Deref(obj.Spec.StorageCapacity, false), tokens, ptr.Deref(obj.Spec.RequiresRepublish, false),
		table.OrNone(strings.Join(modes, ",")), now.Age(obj)}
}

func csiNodeCells(obj *storagev1.CSINode, now table.Time) []any {
	return []any{obj.Name, int64(len(obj.Spec.Drivers)), now.Age(obj)}
}

// Differs: every class that has the annotation is called the default. Upstream compares them in a list and
// names only the newest one, and none where a single class is asked for.
func classCells(obj *storagev1.StorageClass, now table.Time) []any {
	name := obj.Name
	if obj.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" ||
		obj.Annotations["storageclass.beta.kubernetes.io/is-default-class"] == "true" {
		name += " (default)"
	}
	return []any{name, obj.Provisioner, table.Deref(obj.ReclaimPolicy, string(corev1.PersistentVolumeReclaimDelete)),
		table.Deref(obj.VolumeBindingMode, string(storagev1.VolumeBindingImmediate)),
		ptr.Deref(obj.AllowVolumeExpansion, false), now.Age(obj)}
}

func attachmentCells(obj *storagev1.VolumeAttachment, now table.Time) []any {
	return []any{obj.Name, obj.Spec.Attacher, table.Deref(obj.Spec.Source.PersistentVolumeName, ""),
		obj.Spec.NodeName, obj.Status.Attached, now.Age(obj)}
}

func attributesClassCells(obj *storagev1.VolumeAttributesClass, now table.Time) []any {
	return []any{obj.Name, obj.DriverName, now.Age(obj)}
}
