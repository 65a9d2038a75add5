package core

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

func (f *filler) volume(v *corev1.Volume) {
	s := &v.VolumeSource
	if *s == (corev1.VolumeSource{}) && f.due() {
		s.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if s.HostPath != nil && s.HostPath.Type == nil && f.due() {
		s.HostPath.Type = ptr.To(corev1.HostPathUnset)
	}
	if s.Secret != nil {
		f.mode(&s.Secret.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if s.ConfigMap != nil {
		f.mode(&s.ConfigMap.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if s.DownwardAPI != nil {
		f.mode(&s.DownwardAPI.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		f.downwardFiles(s.DownwardAPI.Items)
	}
	if s.Projected != nil {
		f.projected(s.Projected)
	}
	if s.Image != nil && s.Image.PullPolicy == "" && f.due() {
		s.Image.PullPolicy = defaultPullPolicy(s.Image.Reference)
	}
	if s.Ephemeral != nil && s.Ephemeral.VolumeClaimTemplate != nil {
		f.claimSpec(&s.Ephemeral.VolumeClaimTemplate.Spec)
	}
	f.legacyVolume(s)
}

func (f *filler) mode(m **int32, value int32) {
	if *m == nil && f.due() {
		*m = ptr.To(value)
	}
}

func (f *filler) downwardFiles(files []corev1.DownwardAPIVolumeFile) {
	for i := range files {
		f.fieldRef(files[i].FieldRef)
	}
}

func (f *filler) projected(p *corev1.ProjectedVolumeSource) {
	f.mode(&p.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
	for i := range p.Sources {
		s := &p.Sources[i]
		if s.DownwardAPI != nil {
			f.downwardFiles(s.DownwardAPI.Items)
		}
		if t := s.ServiceAccountToken; t != nil && t.ExpirationSeconds == nil && f.due() {
			t.ExpirationSeconds = ptr.To[int64](3600)
		}
	}
}

func (f *filler) claimSpec(spec *corev1.PersistentVolumeClaimSpec) {
	if spec.VolumeMode == nil && f.due() {
		spec.VolumeMode = ptr.To(corev1.PersistentVolumeFilesystem)
	}
	f.resources(spec.Resources.Limits)
	f.resources(spec.Resources.Requests)
}

// legacyVolume fills in the sources that name a storage system directly.
func (f *filler) legacyVolume(s *corev1.VolumeSource) {
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

func (f *filler) azureDisk(d *corev1.AzureDiskVolumeSource) {
	if d.CachingMode == nil && f.due() {
		d.CachingMode = ptr.To(corev1.AzureDataDiskCachingReadWrite)
	}
	if d.FSType == nil && f.due() {
		d.FSType = ptr.To("ext4")
	}
	if d.ReadOnly == nil && f.due() {
		d.ReadOnly = ptr.To(false)
	}
	if d.Kind == nil && f.due() {
		d.Kind = ptr.To(corev1.AzureSharedBlobDisk)
	}
}

func (f *filler) text(s *string, value string) {
	if *s == "" && f.due() {
		*s = value
	}
}
