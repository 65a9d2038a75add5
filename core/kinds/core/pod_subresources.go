package core

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// SubresourceStrategies returns how writes to subresources other than status are treated, by
// "resource/subresource". Only the parts about updates are set.
func SubresourceStrategies() map[string]kinds.Strategy {
	return map[string]kinds.Strategy{
		"pods/ephemeralcontainers": {
			Default:          defaultPod,
			PrepareForUpdate: prepareEphemeralContainers,
			ValidateUpdate:   validateEphemeralContainers,
			SpecChanged:      podSpecChanged,
		},
		"pods/resize": {
			Default:          defaultPod,
			PrepareForUpdate: preparePodResize,
			ValidateUpdate:   validatePodResize,
			SpecChanged:      podSpecChanged,
		},
		"namespaces/finalize": {
			Default:          defaultNamespace,
			PrepareForUpdate: prepareNamespaceFinalize,
			ValidateUpdate:   validateNamespaceFinalize,
		},
	}
}

// prepareEphemeralContainers keeps everything but the ephemeral containers.
func prepareEphemeralContainers(obj, old kinds.Object) {
	pod, was := obj.(*corev1.Pod), old.(*corev1.Pod)
	list := pod.Spec.EphemeralContainers
	keepPod(pod, was)
	pod.Spec.EphemeralContainers = list
	dropPodFields(pod, was)
}

// keepPod sets all of pod but its version to what it was.
func keepPod(pod, was *corev1.Pod) {
	pod.Spec = was.Spec
	pod.Status = was.Status
	pod.Labels, pod.Annotations = was.Labels, was.Annotations
	pod.Finalizers, pod.OwnerReferences = was.Finalizers, was.OwnerReferences
	pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = was.DeletionTimestamp, was.DeletionGracePeriodSeconds
}

// validateEphemeralContainers checks that containers were only added.
//
// Models pkg/apis/core/validation ValidatePodEphemeralContainersUpdate.
func validateEphemeralContainers(obj, old kinds.Object) field.ErrorList {
	pod, was := obj.(*corev1.Pod), old.(*corev1.Pod)
	v := podValidator{spec: &pod.Spec, meta: &pod.ObjectMeta, rules: rulesFor(&was.Spec, &was.ObjectMeta)}
	if _, static := was.Annotations[corev1.MirrorPodAnnotationKey]; static {
		none := check.Root("")
		v.Forbidden(&none, "", "static pods do not support ephemeral containers")
		return v.List()
	}
	v.pod()
	at := check.Root("spec")
	for i := range was.Spec.EphemeralContainers {
		before := &was.Spec.EphemeralContainers[i]
		var after *corev1.EphemeralContainer
		for j := range pod.Spec.EphemeralContainers {
			if pod.Spec.EphemeralContainers[j].Name == before.Name {
				after = &pod.Spec.EphemeralContainers[j]
			}
		}
		if after == nil {
			v.Forbidden(&at, "ephemeralContainers", "existing ephemeral containers "+quote(before.Name)+" may not be removed\n")
		} else if !check.Equal(before, after) {
			v.Forbidden(&at, "ephemeralContainers", "existing ephemeral containers "+quote(before.Name)+" may not be changed\n"+check.Diff(*before, *after))
		}
	}
	return v.List()
}

// preparePodResize keeps everything but resources and resize policies. Where containers came, went or
// changed places, the pod stays as sent for the validation to refuse it.
//
// Models pkg/registry/core/pod dropNonResizeUpdates.
func preparePodResize(obj, old kinds.Object) {
	pod, was := obj.(*corev1.Pod), old.(*corev1.Pod)
	if len(pod.Spec.Containers) == len(was.Spec.Containers) && len(pod.Spec.InitContainers) == len(was.Spec.InitContainers) {
		containers := resized(pod.Spec.Containers, was.Spec.Containers)
		initContainers := resized(pod.Spec.InitContainers, was.Spec.InitContainers)
		whole := pod.Spec.Resources
		keepPod(pod, was)
		pod.Spec.Containers, pod.Spec.InitContainers, pod.Spec.Resources = containers, initContainers, whole
	}
	if pod.Spec.Resources == nil {
		pod.Spec.Resources = was.Spec.Resources
	}
	defaultPodLevelResources(&pod.Spec)
	dropPodFields(pod, was)
}

func resized(list, old []corev1.Container) []corev1.Container {
	next := append([]corev1.Container(nil), old...)
	for i := range list {
		if list[i].Name != old[i].Name {
			return list
		}
		next[i].Resources, next[i].ResizePolicy = list[i].Resources, list[i].ResizePolicy
	}
	return next
}

// validatePodResize checks that only CPU and memory changed, and that the quality of service did not.
//
// Models pkg/apis/core/validation ValidatePodResize.
func validatePodResize(obj, old kinds.Object) field.ErrorList {
	pod, was := obj.(*corev1.Pod), old.(*corev1.Pod)
	v := podValidator{spec: &pod.Spec, meta: &pod.ObjectMeta, rules: rulesFor(&was.Spec, &was.ObjectMeta)}
	none, at := check.Root(""), check.Root("spec")
	if _, static := was.Annotations[corev1.MirrorPodAnnotationKey]; static {
		v.Forbidden(&none, "", "static pods cannot be resized")
		return v.List()
	}
	if was.Spec.OS != nil && was.Spec.OS.Name == corev1.Windows {
		v.Forbidden(&none, "", "windows pods cannot be resized")
		return v.List()
	}
	v.pod()
	if was.Status.QOSClass != QOSClass(pod) && was.Status.QOSClass != "" {
		v.Invalid(&at, "", pod.Status.QOSClass, "Pod QOS Class may not change as a result of resizing")
	}
	if !nodeResizes(was) {
		v.Forbidden(&at, "", "Pod running on node without support for resize")
	}
	v.wholeResize(&at, was)
	if !v.sameOrder(&at, was) {
		return v.List()
	}
	v.containerResizes(&at, was)
	if len(v.List()) == 0 {
		v.onlyResized(&at, was)
	}
	return v.List()
}

// nodeResizes reports whether the pod's node can resize: it reports resources of running containers then.
func nodeResizes(pod *corev1.Pod) bool {
	for i := range pod.Status.ContainerStatuses {
		if s := &pod.Status.ContainerStatuses[i]; s.State.Running != nil {
			return s.Resources != nil
		}
	}
	return true
}

func (v *podValidator) wholeResize(at *check.Path, old *corev1.Pod) {
	was, is := old.Spec.Resources, v.spec.Resources
	switch {
	case was == nil:
		return
	case is == nil:
		v.Forbidden(at, "resources", "pod-level resources cannot be removed")
		return
	}
	if lost(is.Requests, was.Requests) {
		v.Forbidden(at, "resources.requests", "pod-level resource requests cannot be removed")
	}
	if lost(is.Limits, was.Limits) {
		v.Forbidden(at, "resources.limits", "pod-level resource limits cannot be removed")
	}
	kept := withoutComputeChanges(*is, *was)
	if !check.Equal(&kept, was) {
		v.Forbidden(at, "", "only cpu and memory resources are mutable at pod-level")
	}
}

func (v *podValidator) sameOrder(at *check.Path, old *corev1.Pod) bool {
	before := v.Len()
	compare := func(child string, list, was []corev1.Container) {
		if len(list) != len(was) {
			v.Forbidden(at, child, child+" may not be added or removed on resize")
			return
		}
		containers := at.Child(child)
		for i := range list {
			if list[i].Name != was[i].Name {
				container := containers.Index(i)
				v.Forbidden(&container, "name", child+" may not be renamed or reordered on resize")
			}
		}
	}
	compare("containers", v.spec.Containers, old.Spec.Containers)
	compare("initContainers", v.spec.InitContainers, old.Spec.InitContainers)
	return v.Len() == before
}

func (v *podValidator) containerResizes(at *check.Path, old *corev1.Pod) {
	removed := func(child string, list, was []corev1.Container) {
		containers := at.Child(child)
		for i := range list {
			container := containers.Index(i)
			if lost(list[i].Resources.Requests, was[i].Resources.Requests) {
				v.Forbidden(&container, "resources.requests", "resource requests cannot be removed")
			}
			if lost(list[i].Resources.Limits, was[i].Resources.Limits) {
				v.Forbidden(&container, "resources.limits", "resource limits cannot be removed")
			}
		}
	}
	removed("initContainers", v.spec.InitContainers, old.Spec.InitContainers)
	removed("containers", v.spec.Containers, old.Spec.Containers)
	for i := range v.spec.Containers {
		kept, was := v.spec.Containers[i], &old.Spec.Containers[i]
		kept.Resources = withoutComputeChanges(kept.Resources, was.Resources)
		if !check.Equal(&kept, was) {
			v.Forbidden(at, "", "only cpu and memory resources are mutable")
		}
	}
	containers := at.Child("initContainers")
	for i := range v.spec.InitContainers {
		c, was, container := &v.spec.InitContainers[i], &old.Spec.InitContainers[i], containers.Index(i)
		kept := *c
		kept.Resources = withoutComputeChanges(kept.Resources, was.Resources)
		if !check.Equal(&kept, was) {
			v.Forbidden(&container, "", "only cpu and memory resources for init or sidecar containers are mutable")
		}
		if isSidecar(c) || check.Equal(c, was) {
			continue
		}
		for _, p := range c.ResizePolicy {
			if p.RestartPolicy == corev1.RestartContainer {
				v.Forbidden(&container, "", "non-sidecar init containers with a resize policy of RestartContainer cannot be resized")
			}
		}
	}
}

// onlyResized checks that nothing else changed.
func (v *podValidator) onlyResized(at *check.Path, old *corev1.Pod) {
	next := *v.spec
	next.Containers, next.InitContainers = old.Spec.Containers, old.Spec.InitContainers
	if old.Spec.Resources != nil {
		next.Resources = old.Spec.Resources
	}
	if !check.Equal(&next, &old.Spec) {
		v.Forbidden(at, "", "only cpu and memory resources are mutable")
	}
}

func lost(next, old corev1.ResourceList) bool {
	for name := range old {
		if _, ok := next[name]; !ok {
			return true
		}
	}
	return false
}

// withoutComputeChanges returns next with the CPU and memory of old.
func withoutComputeChanges(next, old corev1.ResourceRequirements) corev1.ResourceRequirements {
	keep := func(next, old corev1.ResourceList) corev1.ResourceList {
		list := maps.Clone(next)
		if list == nil {
			list = corev1.ResourceList{}
		}
		for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			delete(list, name)
			if q, ok := old[name]; ok {
				list[name] = q
			}
		}
		return list
	}
	next.Requests, next.Limits = keep(next.Requests, old.Requests), keep(next.Limits, old.Limits)
	return next
}

// ValidateBinding checks a request to put a pod on a node.
//
// Models pkg/apis/core/validation ValidatePodBinding.
func ValidateBinding(b *corev1.Binding) field.ErrorList {
	var e check.Errors
	at := check.Root("target")
	if b.Target.Kind != "" && b.Target.Kind != "Node" {
		e.NotSupported(&at, "kind", b.Target.Kind, "Node", "<empty>")
	}
	if b.Target.Name == "" {
		e.Required(&at, "name", "")
	} else if b.Target.Kind == "" || b.Target.Kind == "Node" {
		e.DNSSubdomain(&at, "name", b.Target.Name)
	}
	return e.List()
}
