package core

import (
	"path"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds/check"
)

// volumeMounts checks where a container sees volumes. Some places are upstream's mistakes: they lack the
// index of the mount.
//
// Models pkg/apis/core/validation ValidateVolumeMounts.
func (v *podValidator) volumeMounts(at *check.Path, c *corev1.Container) {
	if len(c.VolumeMounts) == 0 {
		return
	}
	var paths check.Set
	mounts := at.Child("volumeMounts")
	for i := range c.VolumeMounts {
		m, mount := &c.VolumeMounts[i], mounts.Index(i)
		if m.Name == "" {
			v.Required(&mount, "name", "")
		}
		if v.volumes.find(m.Name) == nil {
			v.NotFound(&mount, "name", m.Name)
		}
		if m.MountPath == "" {
			v.Required(&mount, "mountPath", "")
		}
		if !paths.Add(m.MountPath) {
			v.Invalid(&mount, "mountPath", m.MountPath, "must be unique")
		}
		for j := range c.VolumeDevices {
			if c.VolumeDevices[j].Name == m.Name {
				v.Invalid(&mount, "name", m.Name, "must not already exist in volumeDevices")
				break
			}
		}
		for j := range c.VolumeDevices {
			if d := &c.VolumeDevices[j]; d.DevicePath == m.MountPath && lastDevice(c, d.Name) == d {
				v.Invalid(&mount, "mountPath", m.MountPath, "must not already exist as a path in volumeDevices")
				break
			}
		}
		v.mountOptions(&mounts, &mount, m, c)
	}
}

func (v *podValidator) mountOptions(mounts, mount *check.Path, m *corev1.VolumeMount, c *corev1.Container) {
	if m.SubPath != "" {
		v.localPath(mounts, "subPath", m.SubPath)
	}
	if m.SubPathExpr != "" {
		if m.SubPath != "" {
			v.Invalid(mount, "subPathExpr", m.SubPathExpr, "subPathExpr and subPath are mutually exclusive")
		}
		v.localPath(mounts, "subPathExpr", m.SubPathExpr)
	}
	if p := m.MountPropagation; p != nil {
		switch *p {
		case corev1.MountPropagationBidirectional:
			if sc := c.SecurityContext; sc == nil || sc.Privileged == nil || !*sc.Privileged {
				v.Forbidden(mounts, "mountPropagation", "Bidirectional mount propagation is available only to privileged containers")
			}
		case corev1.MountPropagationHostToContainer, corev1.MountPropagationNone:
		default:
			v.NotSupported(mounts, "mountPropagation", *p, "Bidirectional", "HostToContainer", "None")
		}
	}
	if m.RecursiveReadOnly != nil {
		v.recursiveReadOnly(mounts, m)
	}
	v.bindOptions(mount, m)
}

func (v *podValidator) recursiveReadOnly(mounts *check.Path, m *corev1.VolumeMount) {
	switch *m.RecursiveReadOnly {
	case corev1.RecursiveReadOnlyDisabled:
	case corev1.RecursiveReadOnlyEnabled, corev1.RecursiveReadOnlyIfPossible:
		if !m.ReadOnly {
			v.Forbidden(mounts, "recursiveReadOnly", "may only be specified when readOnly is true")
		}
		if m.MountPropagation != nil && *m.MountPropagation != corev1.MountPropagationNone {
			v.Forbidden(mounts, "recursiveReadOnly", "may only be specified when mountPropagation is None or not specified")
		}
	default:
		v.NotSupported(mounts, "recursiveReadOnly", *m.RecursiveReadOnly, "Disabled", "Enabled", "IfPossible")
	}
}

func (v *podValidator) bindOptions(mount *check.Path, m *corev1.VolumeMount) {
	if len(m.BindMountOptions) == 0 {
		return
	}
	var seen check.Set
	options := mount.Child("bindMountOptions")
	for i, o := range m.BindMountOptions {
		option := options.Index(i)
		switch o {
		case "nodev", "noexec", "nosuid":
		default:
			v.NotSupported(&option, "", o, "nodev", "noexec", "nosuid")
		}
		if !seen.Add(o) {
			v.Duplicate(&option, "", o)
		}
	}
	if vol := v.volumes.find(m.Name); vol != nil && vol.Image != nil {
		v.Invalid(&options, "", m.BindMountOptions, "bindMountOptions may not be used with image volumes")
	}
}

// volumeDevices checks where a container sees volumes as block devices.
//
// Models pkg/apis/core/validation ValidateVolumeDevices.
func (v *podValidator) volumeDevices(at *check.Path, c *corev1.Container) {
	if len(c.VolumeDevices) == 0 {
		return
	}
	var paths, names check.Set
	devices := at.Child("volumeDevices")
	for i := range c.VolumeDevices {
		d, device := &c.VolumeDevices[i], devices.Index(i)
		vol := v.volumes.find(d.Name)
		if d.Name == "" {
			v.Required(&device, "name", "")
		}
		if d.Name != "" && !names.Add(d.Name) {
			v.Invalid(&device, "name", d.Name, "must be unique")
		}
		if vol != nil && vol.PersistentVolumeClaim == nil && vol.Ephemeral == nil {
			v.Invalid(&device, "name", d.Name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode")
		}
		if vol == nil {
			v.NotFound(&device, "name", d.Name)
		}
		if d.DevicePath == "" {
			v.Required(&device, "devicePath", "")
		}
		if paths.Has(d.DevicePath) {
			v.Invalid(&device, "devicePath", d.DevicePath, "must be unique")
		}
		if hasBacksteps(d.DevicePath) {
			v.Invalid(&device, "devicePath", d.DevicePath, "can not contain backsteps ('..')")
		} else {
			paths.Add(d.DevicePath)
		}
		v.deviceMountOverlap(&device, d, c)
	}
}

func (v *podValidator) deviceMountOverlap(at *check.Path, d *corev1.VolumeDevice, c *corev1.Container) {
	for i := range c.VolumeMounts {
		if c.VolumeMounts[i].Name == d.Name {
			v.Invalid(at, "name", d.Name, "must not already exist in volumeMounts")
			break
		}
	}
	for i := range c.VolumeMounts {
		if m := &c.VolumeMounts[i]; m.MountPath == d.DevicePath && lastMount(c, m.Name) == m {
			v.Invalid(at, "devicePath", d.DevicePath, "must not already exist as a path in volumeMounts")
			break
		}
	}
}

// Where a name is there twice, upstream knows the path of the last only.

func lastDevice(c *corev1.Container, name string) (last *corev1.VolumeDevice) {
	for i := range c.VolumeDevices {
		if c.VolumeDevices[i].Name == name {
			last = &c.VolumeDevices[i]
		}
	}
	return last
}

func lastMount(c *corev1.Container, name string) (last *corev1.VolumeMount) {
	for i := range c.VolumeMounts {
		if c.VolumeMounts[i].Name == name {
			last = &c.VolumeMounts[i]
		}
	}
	return last
}

// localPath checks that a path stays below where it starts.
//
// Models pkg/apis/core/validation validateLocalDescendingPath.
func (v *podValidator) localPath(at *check.Path, child, p string) {
	if path.IsAbs(p) {
		v.Invalid(at, child, p, "must be a relative path")
	}
	v.noBacksteps(at, child, p)
}

// localName is localPath for files that the node writes: names that start with ".." are its own.
//
// Models pkg/apis/core/validation ValidateLocalNonReservedPath.
func (v *podValidator) localName(at *check.Path, child, p string) {
	v.localPath(at, child, p)
	if strings.HasPrefix(p, "..") && !strings.HasPrefix(p, "../") {
		v.Invalid(at, child, p, "must not start with '..'")
	}
}

func (v *podValidator) noBacksteps(at *check.Path, child, p string) {
	if hasBacksteps(p) {
		v.Invalid(at, child, p, "must not contain '..'")
	}
}

func hasBacksteps(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}
