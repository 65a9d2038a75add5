package core

import (
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Fields of features that are off by default in 1.37 are dropped silently, unless the old object has them:
// the user fields of volumes' files, emptyDir modes, bind options, stop signals, HTTP protocols and TLS of
// probes, scheduling groups and eviction responders.
//
// Models pkg/api/pod DropDisabledPodFields.

func dropPodFields(pod, old *corev1.Pod) {
	var oldSpec *corev1.PodSpec
	if old != nil {
		oldSpec = &old.Spec
	}
	dropSpecFields(&pod.Spec, oldSpec)
	pod.Annotations = withoutInitAnnotations(pod.Annotations)
}

// DropTemplateFields drops the fields of disabled features from a pod template; old is the template that it
// replaces, or nil.
func DropTemplateFields(template, old *corev1.PodTemplateSpec) {
	var oldSpec *corev1.PodSpec
	if old != nil {
		oldSpec = &old.Spec
	}
	dropSpecFields(&template.Spec, oldSpec)
	template.Annotations = withoutInitAnnotations(template.Annotations)
}

func dropSpecFields(spec, old *corev1.PodSpec) {
	if old == nil || old.SchedulingGroup == nil {
		spec.SchedulingGroup = nil
	}
	if old == nil || len(old.EvictionResponders) == 0 {
		spec.EvictionResponders = nil
	}
	found := disabledFields{look: true}
	found.spec(spec)
	if !found.any() {
		return
	}
	keep := disabledFields{look: true}
	if old != nil {
		keep.spec(old)
	}
	*spec = *spec.DeepCopy()
	drop := disabledFields{keep: keep.seen}
	drop.spec(spec)
}

// disabledFields walks a spec and either notes which disabled features it uses or clears their fields.
type disabledFields struct {
	look bool
	seen usedFeatures
	keep usedFeatures
}

type usedFeatures struct{ volumeUsers, emptyDirMode, bindOptions, stopSignal, httpProtocol, grpcMode bool }

func (d *disabledFields) any() bool { return d.seen != usedFeatures{} }

// drop notes that a feature is used and reports whether to clear the field.
func (d *disabledFields) drop(seen *bool, keep bool) bool {
	*seen = true
	return !d.look && !keep
}

func (d *disabledFields) spec(spec *corev1.PodSpec) {
	for i := range spec.Volumes {
		d.volume(&spec.Volumes[i].VolumeSource)
	}
	eachContainer(spec, func(c *corev1.Container, _ string, _ int) { d.container(c) })
}

func (d *disabledFields) container(c *corev1.Container) {
	for i := range c.VolumeMounts {
		if m := &c.VolumeMounts[i]; m.BindMountOptions != nil && d.drop(&d.seen.bindOptions, d.keep.bindOptions) {
			m.BindMountOptions = nil
		}
	}
	for _, p := range [...]*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		if p == nil {
			continue
		}
		d.httpGet(p.HTTPGet)
		if p.GRPC != nil && p.GRPC.Mode != nil && d.drop(&d.seen.grpcMode, d.keep.grpcMode) {
			p.GRPC.Mode = nil
		}
	}
	l := c.Lifecycle
	if l == nil {
		return
	}
	if l.PostStart != nil {
		d.httpGet(l.PostStart.HTTPGet)
	}
	if l.PreStop != nil {
		d.httpGet(l.PreStop.HTTPGet)
	}
	if l.StopSignal != nil && d.drop(&d.seen.stopSignal, d.keep.stopSignal) {
		l.StopSignal = nil
		if *l == (corev1.Lifecycle{}) {
			c.Lifecycle = nil
		}
	}
}

func (d *disabledFields) httpGet(h *corev1.HTTPGetAction) {
	if h != nil && h.Protocol != nil && d.drop(&d.seen.httpProtocol, d.keep.httpProtocol) {
		h.Protocol = nil
	}
}

func (d *disabledFields) volume(s *corev1.VolumeSource) {
	if s.EmptyDir != nil && s.EmptyDir.Mode != nil && d.drop(&d.seen.emptyDirMode, d.keep.emptyDirMode) {
		s.EmptyDir.Mode = nil
	}
	if s.Secret != nil {
		d.user(&s.Secret.DefaultUser)
		d.keys(s.Secret.Items)
	}
	if s.ConfigMap != nil {
		d.user(&s.ConfigMap.DefaultUser)
		d.keys(s.ConfigMap.Items)
	}
	if s.DownwardAPI != nil {
		d.user(&s.DownwardAPI.DefaultUser)
		d.files(s.DownwardAPI.Items)
	}
	if s.Projected == nil {
		return
	}
	d.user(&s.Projected.DefaultUser)
	for i := range s.Projected.Sources {
		d.projection(&s.Projected.Sources[i])
	}
}

func (d *disabledFields) projection(p *corev1.VolumeProjection) {
	if p.Secret != nil {
		d.keys(p.Secret.Items)
	}
	if p.ConfigMap != nil {
		d.keys(p.ConfigMap.Items)
	}
	if p.DownwardAPI != nil {
		d.files(p.DownwardAPI.Items)
	}
	if p.ServiceAccountToken != nil {
		d.user(&p.ServiceAccountToken.User)
	}
	if p.ClusterTrustBundle != nil {
		d.user(&p.ClusterTrustBundle.User)
	}
	if p.PodCertificate != nil {
		d.user(&p.PodCertificate.User)
	}
}

func (d *disabledFields) user(id **int64) {
	if *id != nil && d.drop(&d.seen.volumeUsers, d.keep.volumeUsers) {
		*id = nil
	}
}

func (d *disabledFields) keys(items []corev1.KeyToPath) {
	for i := range items {
		d.user(&items[i].User)
	}
}

func (d *disabledFields) files(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		d.user(&items[i].User)
	}
}

// withoutInitAnnotations returns the annotations without those that held init containers before 1.8.
func withoutInitAnnotations(annotations map[string]string) map[string]string {
	old := func(key string) bool {
		name, ok := strings.CutPrefix(key, "pod.beta.kubernetes.io/")
		if !ok {
			name, ok = strings.CutPrefix(key, "pod.alpha.kubernetes.io/")
		}
		return ok && (name == "init-containers" || name == "init-container-statuses")
	}
	// any order: the first one found leads to the same copy
	for key := range annotations {
		if old(key) {
			annotations = maps.Clone(annotations)
			maps.DeleteFunc(annotations, func(key, _ string) bool { return old(key) })
			break
		}
	}
	return annotations
}
