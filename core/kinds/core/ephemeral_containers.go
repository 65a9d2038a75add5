package core

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds/check"
)

// ephemeralContainers checks the containers that were added to a running pod for debugging.
//
// Models pkg/apis/core/validation validateEphemeralContainers.
func (v *podValidator) ephemeralContainers(at *check.Path) {
	if len(v.spec.EphemeralContainers) == 0 {
		return
	}
	var others, all check.Set
	for i := range v.spec.Containers {
		others.Add(v.spec.Containers[i].Name)
		all.Add(v.spec.Containers[i].Name)
	}
	for i := range v.spec.InitContainers {
		others.Add(v.spec.InitContainers[i].Name)
		all.Add(v.spec.InitContainers[i].Name)
	}
	list := at.Child("ephemeralContainers")
	for i := range v.spec.EphemeralContainers {
		ec, container := &v.spec.EphemeralContainers[i], list.Index(i)
		c := (*corev1.Container)(&ec.EphemeralContainerCommon)
		v.container(&container, c)
		v.trimmedImage(&container, c)
		if !all.Add(ec.Name) {
			v.Duplicate(&container, "name", ec.Name)
		}
		if ec.TargetContainerName != "" && !others.Has(ec.TargetContainerName) {
			v.NotFound(&container, "targetContainerName", ec.TargetContainerName)
		}
		v.ephemeralFields(&container, c)
	}
}

// ephemeralFields refuses what the pod's service could come to rely on.
func (v *podValidator) ephemeralFields(at *check.Path, c *corev1.Container) {
	const detail = "cannot be set for an Ephemeral Container"
	forbid := func(set bool, name string) {
		if set {
			v.Forbidden(at, name, detail)
		}
	}
	forbid(c.Ports != nil, "ports")
	forbid(!reflect.ValueOf(c.Resources).IsZero(), "resources")
	forbid(c.ResizePolicy != nil, "resizePolicy")
	forbid(c.RestartPolicy != nil, "restartPolicy")
	forbid(c.RestartPolicyRules != nil, "restartPolicyRules")
	forbid(c.LivenessProbe != nil, "livenessProbe")
	forbid(c.ReadinessProbe != nil, "readinessProbe")
	forbid(c.StartupProbe != nil, "startupProbe")
	forbid(c.Lifecycle != nil, "lifecycle")
	mounts := at.Child("volumeMounts")
	for i := range c.VolumeMounts {
		mount := mounts.Index(i)
		if c.VolumeMounts[i].SubPath != "" {
			v.Forbidden(&mount, "subPath", detail)
		}
		if c.VolumeMounts[i].SubPathExpr != "" {
			v.Forbidden(&mount, "subPathExpr", detail)
		}
	}
}
