package core

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds/check"
)

// A volumeSet finds the volumes of a pod that are in order, by name.
type volumeSet struct {
	list   []corev1.Volume
	broken map[int]bool                    // indexes of volumes that are not in order
	byName map[string]*corev1.VolumeSource // for long lists; nil for short ones
}

const shortList = 16

func (s *volumeSet) find(name string) *corev1.VolumeSource {
	if s.byName != nil {
		return s.byName[name]
	}
	for i := range s.list {
		if s.list[i].Name == name && !s.broken[i] {
			return &s.list[i].VolumeSource
		}
	}
	return nil
}

func (s *volumeSet) index() {
	if len(s.list) <= shortList {
		return
	}
	s.byName = make(map[string]*corev1.VolumeSource, len(s.list))
	for i := range s.list {
		if !s.broken[i] {
			s.byName[s.list[i].Name] = &s.list[i].VolumeSource
		}
	}
}

// podVolumes checks the volumes and remembers which of them mounts may name.
//
// Models pkg/apis/core/validation ValidateVolumes.
func (v *podValidator) podVolumes(at *check.Path) {
	if len(v.spec.Volumes) == 0 {
		return
	}
	v.volumes = volumeSet{list: v.spec.Volumes}
	var names check.Set
	volumes := at.Child("volumes")
	for i := range v.spec.Volumes {
		vol, volume := &v.spec.Volumes[i], volumes.Index(i)
		before := v.Len()
		v.volumeSource(&volume, vol)
		if vol.Name == "" {
			v.Required(&volume, "name", "")
		} else {
			v.DNSLabel(&volume, "name", vol.Name)
		}
		if names.Has(vol.Name) {
			v.Duplicate(&volume, "name", vol.Name)
		}
		if v.Len() == before {
			names.Add(vol.Name)
		} else {
			if v.volumes.broken == nil {
				v.volumes.broken = map[int]bool{}
			}
			v.volumes.broken[i] = true
		}
		if c := vol.PersistentVolumeClaim; c != nil && v.ownsClaim(c.ClaimName) {
			v.Invalid(&volume, "persistentVolumeClaim.claimName", c.ClaimName, "must not reference a PVC that gets created for an ephemeral volume")
		}
	}
	v.volumes.index()
}

// ownsClaim reports whether a claim of that name will be made for an ephemeral volume of the pod.
func (v *podValidator) ownsClaim(name string) bool {
	if v.meta == nil || v.meta.Name == "" {
		return false
	}
	for i := range v.spec.Volumes {
		if v.spec.Volumes[i].Ephemeral != nil && name == v.meta.Name+"-"+v.spec.Volumes[i].Name {
			return true
		}
	}
	return false
}

// volumeSource checks that a volume has one source, and the source. Sources come in the order in which
// upstream looks at them: the first counts, the others are too many.
//
// Models pkg/apis/core/validation validateVolumeSource.
func (v *podValidator) volumeSource(at *check.Path, vol *corev1.Volume) {
	s, found := &vol.VolumeSource, false
	one := func(set bool, name string) bool {
		if set && found {
			v.Forbidden(at, name, "may not specify more than 1 volume type")
			return false
		}
		found = found || set
		return set
	}
	if one(s.EmptyDir != nil, "emptyDir") {
		v.emptyDir(at, s.EmptyDir)
	}
	if one(s.HostPath != nil, "hostPath") {
		v.hostPath(at, s.HostPath)
	}
	v.blockSources(at, vol, one)
	if one(s.Projected != nil, "projected") {
		projected := at.Child("projected")
		v.projected(&projected, s.Projected)
	}
	if one(s.ScaleIO != nil, "scaleIO") {
		v.scaleIO(at, s.ScaleIO)
	}
	if one(s.CSI != nil, "csi") {
		v.csi(at, s.CSI)
	}
	if one(s.Ephemeral != nil, "ephemeral") {
		v.ephemeralVolume(at, vol)
	}
	if one(s.Image != nil, "image") {
		if s.Image.Reference == "" && !v.rules.emptyImageReference {
			v.Required(at, "image.reference", "")
		}
		v.pullPolicy(at, "image.pullPolicy", s.Image.PullPolicy)
	}
	if !found {
		v.Required(at, "", "must specify a volume type")
	}
}

func (v *podValidator) emptyDir(at *check.Path, s *corev1.EmptyDirVolumeSource) {
	if s.SizeLimit != nil && s.SizeLimit.Sign() < 0 {
		v.Forbidden(at, "emptyDir.sizeLimit", "SizeLimit field must be a valid resource quantity")
	}
	if s.Mode != nil && (*s.Mode > 0o1777 || *s.Mode < 0) {
		v.Invalid(at, "emptyDir.mode", *s.Mode, "must be a number between 0 and 01777 (octal), both inclusive")
	}
}

func (v *podValidator) hostPath(at *check.Path, s *corev1.HostPathVolumeSource) {
	if s.Path == "" {
		v.Required(at, "hostPath.path", "")
		return
	}
	v.noBacksteps(at, "hostPath.path", s.Path)
	if s.Type == nil {
		return
	}
	switch *s.Type {
	case corev1.HostPathUnset, corev1.HostPathDirectoryOrCreate, corev1.HostPathDirectory, corev1.HostPathFileOrCreate,
		corev1.HostPathFile, corev1.HostPathSocket, corev1.HostPathCharDev, corev1.HostPathBlockDev:
	default:
		v.NotSupported(at, "hostPath.type", *s.Type, "", "BlockDevice", "CharDevice", "Directory",
			"DirectoryOrCreate", "File", "FileOrCreate", "Socket")
	}
}

func (v *podValidator) secretVolume(at *check.Path, s *corev1.SecretVolumeSource) {
	secret := at.Child("secret")
	if s.SecretName == "" {
		v.Required(&secret, "secretName", "")
	}
	v.fileMode(&secret, "defaultMode", s.DefaultMode)
	v.user(&secret, "defaultUser", s.DefaultUser)
	v.keysToPaths(&secret, s.Items)
}

func (v *podValidator) configMapVolume(at *check.Path, s *corev1.ConfigMapVolumeSource) {
	configMap := at.Child("configMap")
	if s.Name == "" {
		v.Required(&configMap, "name", "")
	}
	v.fileMode(&configMap, "defaultMode", s.DefaultMode)
	v.user(&configMap, "defaultUser", s.DefaultUser)
	v.keysToPaths(&configMap, s.Items)
}

func (v *podValidator) keysToPaths(at *check.Path, list []corev1.KeyToPath) {
	items := at.Child("items")
	for i := range list {
		item := items.Index(i)
		v.keyToPath(&item, &list[i])
	}
}

func (v *podValidator) keyToPath(at *check.Path, k *corev1.KeyToPath) {
	if k.Key == "" {
		v.Required(at, "key", "")
	}
	if k.Path == "" {
		v.Required(at, "path", "")
	}
	v.localName(at, "path", k.Path)
	v.fileMode(at, "mode", k.Mode)
	v.user(at, "user", k.User)
}

func (v *podValidator) downwardAPIVolume(at *check.Path, s *corev1.DownwardAPIVolumeSource) {
	volume := at.Child("downwardAPI")
	v.fileMode(&volume, "defaultMode", s.DefaultMode)
	v.user(&volume, "defaultUser", s.DefaultUser)
	for i := range s.Items {
		v.downwardFile(&volume, &s.Items[i])
	}
}

// downwardFile checks one file of a downward API volume; upstream names the volume as its place.
func (v *podValidator) downwardFile(at *check.Path, f *corev1.DownwardAPIVolumeFile) {
	if f.Path == "" {
		v.Required(at, "path", "")
	}
	v.localName(at, "path", f.Path)
	switch {
	case f.FieldRef != nil:
		ref := at.Child("fieldRef")
		v.fieldRef(&ref, f.FieldRef, volumeFieldPaths())
		if f.ResourceFieldRef != nil {
			v.Invalid(at, "", "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")
		}
	case f.ResourceFieldRef != nil:
		ref := at.Child("resourceFieldRef")
		v.resourceFieldRef(&ref, f.ResourceFieldRef, true)
	default:
		v.Required(at, "", "one of fieldRef and resourceFieldRef is required")
	}
	v.fileMode(at, "mode", f.Mode)
	v.user(at, "user", f.User)
}

func (v *podValidator) fileMode(at *check.Path, child string, mode *int32) {
	if mode != nil && (*mode > 0o777 || *mode < 0) {
		v.Invalid(at, child, *mode, "must be a number between 0 and 0777 (octal), both inclusive")
	}
}

// ephemeralVolume checks the template of a claim that is made with the pod.
func (v *podValidator) ephemeralVolume(at *check.Path, vol *corev1.Volume) {
	template := vol.Ephemeral.VolumeClaimTemplate
	if template == nil {
		v.Required(at, "ephemeral.volumeClaimTemplate", "")
	} else {
		volume := at.Child("ephemeral")
		claim := volume.Child("volumeClaimTemplate")
		templateMeta(&v.Errors, &claim, &template.ObjectMeta)
		spec := claim.Child("spec")
		claimSpec(&v.Errors, &spec, &template.Spec, claimRules{})
	}
	if v.meta == nil || v.meta.Name == "" || vol.Name == "" {
		return
	}
	name := v.meta.Name + "-" + vol.Name
	for _, msg := range check.SubdomainName(name, false) {
		v.Invalid(at, "name", vol.Name, "PVC name "+quote(name)+": "+msg)
	}
}
