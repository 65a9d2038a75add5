package core

import (
	"fmt"
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

func persistentVolumes() kinds.Strategy {
	return kinds.Strategy{
		Default:                defaultPersistentVolume,
		PrepareForCreate:       preparePersistentVolume,
		Validate:               validatePersistentVolume,
		PrepareForUpdate:       preparePersistentVolumeUpdate,
		ValidateUpdate:         validatePersistentVolumeUpdate,
		PrepareForStatusUpdate: preparePersistentVolumeStatus,
		Warnings:               persistentVolumeWarnings,
	}
}

func defaultPersistentVolume(obj kinds.Object) {
	pv := obj.(*corev1.PersistentVolume)
	if pv.Status.Phase == "" {
		pv.Status.Phase = corev1.VolumePending
	}
	look := filler{dry: true}
	look.persistentVolume(&pv.Spec)
	if look.missing {
		pv.Spec = *pv.Spec.DeepCopy()
		fill := filler{}
		fill.persistentVolume(&pv.Spec)
	}
}

func (f *filler) persistentVolume(spec *corev1.PersistentVolumeSpec) {
	if spec.PersistentVolumeReclaimPolicy == "" && f.due() {
		spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimRetain
	}
	if spec.VolumeMode == nil && f.due() {
		spec.VolumeMode = ptr.To(corev1.PersistentVolumeFilesystem)
	}
	f.resources(spec.Capacity)
	s := &spec.PersistentVolumeSource
	if s.HostPath != nil && s.HostPath.Type == nil && f.due() {
		s.HostPath.Type = ptr.To(corev1.HostPathUnset)
	}
	if s.ISCSI != nil {
		f.text(&s.ISCSI.ISCSIInterface, "default")
	}
	if s.RBD != nil {
		f.text(&s.RBD.RBDPool, "rbd")
		f.text(&s.RBD.RadosUser, "admin")
		f.text(&s.RBD.Keyring, "/etc/ceph/keyring")
	}
	if s.ScaleIO != nil {
		f.text(&s.ScaleIO.StorageMode, "ThinProvisioned")
		f.text(&s.ScaleIO.FSType, "xfs")
	}
	if s.AzureDisk != nil {
		f.azureDisk(s.AzureDisk)
	}
}

// preparePersistentVolume starts the status anew. The phase began when the volume was created.
func preparePersistentVolume(obj kinds.Object) {
	pv := obj.(*corev1.PersistentVolume)
	pv.Status = corev1.PersistentVolumeStatus{Phase: corev1.VolumePending}
	if !pv.CreationTimestamp.IsZero() {
		pv.Status.LastPhaseTransitionTime = ptr.To(pv.CreationTimestamp)
	}
}

func preparePersistentVolumeUpdate(obj, old kinds.Object) {
	obj.(*corev1.PersistentVolume).Status = old.(*corev1.PersistentVolume).Status
}

// preparePersistentVolumeStatus keeps the time of the last transition while the phase stays. Who changes the
// phase sets the time: there is no clock here.
func preparePersistentVolumeStatus(obj, old kinds.Object) {
	pv, was := obj.(*corev1.PersistentVolume), old.(*corev1.PersistentVolume)
	pv.Spec = was.Spec
	if pv.Status.Phase == was.Status.Phase && pv.Status.LastPhaseTransitionTime == nil {
		pv.Status.LastPhaseTransitionTime = was.Status.LastPhaseTransitionTime
	}
}

func validatePersistentVolume(obj kinds.Object) field.ErrorList {
	pv := obj.(*corev1.PersistentVolume)
	var e check.Errors
	persistentVolume(&e, pv, false)
	return e.List()
}

// persistentVolume checks what a volume is. With lax, wrong values of labels pass in its choice of nodes.
//
// Models pkg/apis/core/validation ValidatePersistentVolumeSpec.
func persistentVolume(e *check.Errors, pv *corev1.PersistentVolume, lax bool) {
	spec := &pv.Spec
	at := check.Root("spec")
	if len(spec.AccessModes) == 0 {
		e.Required(&at, "accessModes", "")
	}
	accessModes(e, &at, spec.AccessModes)
	volumeCapacity(e, &at, spec.Capacity)
	switch spec.PersistentVolumeReclaimPolicy {
	case "", corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRecycle, corev1.PersistentVolumeReclaimRetain:
	default:
		e.NotSupported(&at, "persistentVolumeReclaimPolicy", spec.PersistentVolumeReclaimPolicy, "Delete", "Recycle", "Retain")
	}
	if a := spec.NodeAffinity; a != nil && a.Required == nil {
		e.Required(&at, "nodeAffinity.required", "must specify required node constraints")
	} else if a != nil {
		required := at.Child("nodeAffinity.required")
		NodeSelector(e, &required, a.Required, lax)
	}
	persistentSources(e, &at, pv)
	if h := spec.HostPath; h != nil && path.Clean(h.Path) == "/" && spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRecycle {
		e.Forbidden(&at, "persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")
	}
	if spec.StorageClassName != "" {
		e.DNSSubdomain(&at, "storageClassName", spec.StorageClassName)
	}
	if m := spec.VolumeMode; m != nil && *m != corev1.PersistentVolumeBlock && *m != corev1.PersistentVolumeFilesystem {
		e.NotSupported(&at, "volumeMode", *m, "Block", "Filesystem")
	}
	if name := spec.VolumeAttributesClassName; name != nil {
		if *name == "" {
			e.Required(&at, "volumeAttributesClassName", "an empty string is disallowed")
		} else {
			e.DNSSubdomain(&at, "volumeAttributesClassName", *name)
		}
		if spec.CSI == nil {
			e.Required(&at, "csi", "has to be specified when using volumeAttributesClassName")
		}
	}
	mountOptions(e, pv)
}

func volumeCapacity(e *check.Errors, at *check.Path, list corev1.ResourceList) {
	if len(list) == 0 {
		e.Required(at, "capacity", "")
	}
	if _, ok := list[corev1.ResourceStorage]; !ok || len(list) > 1 {
		e.NotSupported(at, "capacity", check.Internal(list), string(corev1.ResourceStorage))
	}
	capacity := at.Child("capacity")
	for _, name := range check.Keys(list) {
		q := list[name]
		amount := capacity.Key(string(name))
		if q.Sign() < 0 {
			e.Invalid(&amount, "", q.Value(), "must be a valid resource quantity")
		}
		if q.Sign() <= 0 {
			e.Invalid(&amount, "", q.String(), "must be greater than zero")
		}
	}
}

// mountOptions checks that the old annotation is there only where it works.
//
// Models pkg/volume/validation ValidatePersistentVolume.
func mountOptions(e *check.Errors, pv *corev1.PersistentVolume) {
	if _, ok := pv.Annotations[corev1.MountOptionAnnotation]; !ok {
		return
	}
	s := &pv.Spec.PersistentVolumeSource
	if s.GCEPersistentDisk == nil && s.AWSElasticBlockStore == nil && s.Glusterfs == nil && s.NFS == nil && s.RBD == nil &&
		s.Quobyte == nil && s.ISCSI == nil && s.Cinder == nil && s.CephFS == nil && s.AzureFile == nil &&
		s.VsphereVolume == nil && s.AzureDisk == nil && s.PhotonPersistentDisk == nil {
		annotations := check.Root("metadata.annotations")
		e.Forbidden(&annotations, corev1.MountOptionAnnotation, "may not specify mount options for this volume type")
	}
}

// validatePersistentVolumeUpdate checks that a volume stays the same storage.
//
// Models pkg/apis/core/validation ValidatePersistentVolumeUpdate.
func validatePersistentVolumeUpdate(obj, old kinds.Object) field.ErrorList {
	pv, was := obj.(*corev1.PersistentVolume), old.(*corev1.PersistentVolume)
	var e check.Errors
	persistentVolume(&e, pv, volumeHasBadValue(was))
	source, before := pv.Spec.PersistentVolumeSource, was.Spec.PersistentVolumeSource
	if source.CSI != nil && before.CSI != nil && before.CSI.ControllerExpandSecretRef == nil && source.CSI.ControllerExpandSecretRef != nil {
		csi := *source.CSI
		csi.ControllerExpandSecretRef = nil
		source.CSI = &csi
	}
	spec := check.Root("spec")
	if !check.Equal(&source, &before) {
		e.Forbidden(&spec, "persistentvolumesource", "spec.persistentvolumesource is immutable after creation\n"+check.Diff(before, source))
	}
	if !check.Equal(&pv.Spec.VolumeMode, &was.Spec.VolumeMode) {
		mode := check.Root("volumeMode")
		e.Invalid(&mode, "", pv.Spec.VolumeMode, "field is immutable")
	}
	if was.Spec.NodeAffinity != nil && !sameNodes(pv.Spec.NodeAffinity, was.Spec.NodeAffinity) {
		affinity := check.Root("nodeAffinity")
		e.Invalid(&affinity, "", check.Internal(pv.Spec.NodeAffinity), "field is immutable, except for updating from beta label to GA")
	}
	if was.Spec.VolumeAttributesClassName != nil && pv.Spec.VolumeAttributesClassName == nil {
		e.Forbidden(&spec, "volumeAttributesClassName", "update from non-nil value to nil is forbidden")
	}
	return e.List()
}

func volumeHasBadValue(pv *corev1.PersistentVolume) bool {
	if pv.Spec.NodeAffinity == nil || pv.Spec.NodeAffinity.Required == nil {
		return false
	}
	return slices.ContainsFunc(pv.Spec.NodeAffinity.Required.NodeSelectorTerms, func(t corev1.NodeSelectorTerm) bool {
		return slices.ContainsFunc(t.MatchExpressions, func(r corev1.NodeSelectorRequirement) bool { return hasBadValue(r.Values) })
	})
}

// stableNodeLabels are what the labels of nodes that began with "beta" are called today.
var stableNodeLabels = map[string]string{
	corev1.LabelFailureDomainBetaZone:   corev1.LabelTopologyZone,
	corev1.LabelFailureDomainBetaRegion: corev1.LabelTopologyRegion,
	corev1.LabelInstanceType:            corev1.LabelInstanceTypeStable,
	"beta.kubernetes.io/os":             corev1.LabelOSStable,
	"beta.kubernetes.io/arch":           corev1.LabelArchStable,
}

// sameNodes tells if a choice of nodes stayed, except that labels may have taken their present names.
func sameNodes(a, old *corev1.VolumeNodeAffinity) bool {
	if check.Equal(a, old) {
		return true
	}
	if a == nil || a.Required == nil || old.Required == nil || len(a.Required.NodeSelectorTerms) != len(old.Required.NodeSelectorTerms) {
		return false
	}
	old = old.DeepCopy()
	for i := range old.Required.NodeSelectorTerms {
		next, before := a.Required.NodeSelectorTerms[i].MatchExpressions, old.Required.NodeSelectorTerms[i].MatchExpressions
		for j := range min(len(next), len(before)) {
			if stable := stableNodeLabels[before[j].Key]; stable == next[j].Key {
				before[j].Key = stable
			}
		}
	}
	return check.Equal(a, old)
}

// Models pkg/api/persistentvolume GetWarningsForPersistentVolume.
func persistentVolumeWarnings(obj, _ kinds.Object) []string {
	pv := obj.(*corev1.PersistentVolume)
	var list []string
	add := func(at, msg string) { list = append(list, at+": "+msg) }
	if _, ok := pv.Annotations[corev1.BetaStorageClassAnnotation]; ok {
		add(fmt.Sprintf("metadata.annotations[%s]", corev1.BetaStorageClassAnnotation), `deprecated since v1.8; use "storageClassName" attribute instead`)
	}
	if _, ok := pv.Annotations[corev1.MountOptionAnnotation]; ok {
		add(fmt.Sprintf("metadata.annotations[%s]", corev1.MountOptionAnnotation), `deprecated since v1.31; use "mountOptions" attribute instead`)
	}
	if pv.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRecycle {
		add("spec.persistentVolumeReclaimPolicy", "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.")
	}
	if a := pv.Spec.NodeAffinity; a != nil && a.Required != nil {
		w := podWarner{}
		terms := field.NewPath("spec", "nodeAffinity", "required", "nodeSelectorTerms")
		for i := range a.Required.NodeSelectorTerms {
			w.nodeTerm(terms.Index(i), &a.Required.NodeSelectorTerms[i], false)
		}
		list = append(list, w.list...)
	}
	s := &pv.Spec.PersistentVolumeSource
	for _, gone := range [...]struct {
		set             bool
		name, old, none string
	}{
		{s.CephFS != nil, "cephfs", "1.28", "1.31"},
		{s.PhotonPersistentDisk != nil, "photonPersistentDisk", "1.11", "1.16"},
		{s.ScaleIO != nil, "scaleIO", "1.16", "1.22"},
		{s.StorageOS != nil, "storageOS", "1.22", "1.25"},
		{s.Glusterfs != nil, "glusterfs", "1.25", "1.26"},
		{s.RBD != nil, "rbd", "1.28", "1.31"},
	} {
		if gone.set {
			add("spec."+gone.name, fmt.Sprintf("deprecated in v%s, non-functional in v%s+", gone.old, gone.none))
		}
	}
	return list
}
