package core

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// preparePodStatus keeps all but the status, and of the status what only the system knows.
//
// Models pkg/registry/core/pod podStatusStrategy.PrepareForUpdate.
func preparePodStatus(obj, old kinds.Object) {
	pod, was := obj.(*corev1.Pod), old.(*corev1.Pod)
	pod.Spec = was.Spec
	pod.OwnerReferences = was.OwnerReferences
	pod.DeletionTimestamp = was.DeletionTimestamp
	s, ws := &pod.Status, &was.Status
	if s.QOSClass == "" {
		s.QOSClass = ws.QOSClass
	}
	if s.ResourceClaimStatuses == nil {
		s.ResourceClaimStatuses = ws.ResourceClaimStatuses
	}
	if s.ExtendedResourceClaimStatus == nil {
		s.ExtendedResourceClaimStatus = ws.ExtendedResourceClaimStatus
	}
	if s.NodeAllocatableResourceClaimStatuses == nil {
		s.NodeAllocatableResourceClaimStatuses = ws.NodeAllocatableResourceClaimStatuses
	}
	if s.VolumeHealth != nil && ws.VolumeHealth == nil {
		s.VolumeHealth = nil // its feature is off
	}
	keepObservedGenerations(s, ws)
}

// keepObservedGenerations keeps the generations that the old status and its conditions were about from
// clients that do not know the field.
func keepObservedGenerations(s, old *corev1.PodStatus) {
	if s.ObservedGeneration == 0 {
		s.ObservedGeneration = old.ObservedGeneration
	}
	owned := false
	for i := range s.Conditions {
		if s.Conditions[i].ObservedGeneration != 0 {
			continue
		}
		was := sameCondition(old.Conditions, s.Conditions, i)
		if was == nil || was.ObservedGeneration == 0 {
			continue
		}
		if !owned { // the list may be shared with other objects
			s.Conditions, owned = slices.Clone(s.Conditions), true
		}
		s.Conditions[i].ObservedGeneration = was.ObservedGeneration
	}
}

// sameCondition returns what list[i] was in old: the first of its type was the first, and so on.
func sameCondition(old, list []corev1.PodCondition, i int) *corev1.PodCondition {
	n := 0
	for j := range list[:i] {
		if list[j].Type == list[i].Type {
			n++
		}
	}
	for j := range old {
		if old[j].Type != list[i].Type {
			continue
		}
		if n == 0 {
			return &old[j]
		}
		n--
	}
	return nil
}

// validatePodStatus checks a new status against the old one.
//
// Models pkg/apis/core/validation ValidatePodStatusUpdate.
func validatePodStatus(obj, old kinds.Object) field.ErrorList {
	pod, was := obj.(*corev1.Pod), old.(*corev1.Pod)
	v := podValidator{spec: &pod.Spec, meta: &pod.ObjectMeta}
	metadata := check.Root("metadata")
	v.annotationsKept(&metadata, was.Annotations)
	if cost, ok := was.Annotations[corev1.PodDeletionCost]; ok {
		v.rules.deletionCost = !validDeletionCost(cost)
	}
	v.annotations(&metadata, pod.Annotations)

	at := check.Root("status")
	s, ws := &pod.Status, &was.Status
	v.podConditions(&at, s.Conditions)
	if pod.Spec.NodeName != was.Spec.NodeName {
		v.Forbidden(&at, "nodeName", "may not be changed directly")
	}
	if s.NominatedNodeName != ws.NominatedNodeName && s.NominatedNodeName != "" {
		v.DNSSubdomain(&at, "nominatedNodeName", s.NominatedNodeName)
		if was.Spec.NodeName != "" {
			v.Forbidden(&at, "nominatedNodeName", "may not be set on pods that are already bound to a node")
		}
	}
	if s.ObservedGeneration < 0 {
		v.Invalid(&at, "observedGeneration", s.ObservedGeneration, "must be a non-negative integer")
	}
	if s.QOSClass != ws.QOSClass {
		v.Invalid(&at, "qosClass", s.QOSClass, "field is immutable")
	}
	v.containersStayEnded(&at, s, was)
	v.claimStatuses(&at, s.ResourceClaimStatuses)
	v.podIPs(&at, s, ws)
	v.hostIPs(&at, s, ws)
	for _, l := range containerStatusLists(s) {
		list := at.Child(l.name)
		v.containerUsers(&list, l.statuses)
	}
	return v.List()
}

type containerStatusList struct {
	name     string
	statuses []corev1.ContainerStatus
}

func containerStatusLists(s *corev1.PodStatus) [3]containerStatusList {
	return [...]containerStatusList{
		{"containerStatuses", s.ContainerStatuses},
		{"initContainerStatuses", s.InitContainerStatuses},
		{"ephemeralContainerStatuses", s.EphemeralContainerStatuses},
	}
}

func (v *podValidator) podConditions(at *check.Path, list []corev1.PodCondition) {
	conditions := at.Child("conditions")
	for i := range list {
		condition := conditions.Index(i)
		if list[i].ObservedGeneration < 0 {
			v.Invalid(&condition, "observedGeneration", list[i].ObservedGeneration, "must be a non-negative integer")
		}
		v.QualifiedName(&condition, "Type", string(list[i].Type))
	}
}

// containersStayEnded checks that no container that ended for good runs again.
//
// Models pkg/apis/core/validation ValidateContainerStateTransition and its siblings.
func (v *podValidator) containersStayEnded(at *check.Path, s *corev1.PodStatus, old *corev1.Pod) {
	spec := &old.Spec
	if !restartsAll(spec) {
		v.stayEnded(at, "containerStatuses", s.ContainerStatuses, old.Status.ContainerStatuses, spec, spec.Containers)
		v.stayEnded(at, "initContainerStatuses", s.InitContainerStatuses, old.Status.InitContainerStatuses, spec, spec.InitContainers)
	}
	v.stayEnded(at, "ephemeralContainerStatuses", s.EphemeralContainerStatuses, old.Status.EphemeralContainerStatuses, spec, nil)
}

func (v *podValidator) stayEnded(at *check.Path, child string, next, old []corev1.ContainerStatus, spec *corev1.PodSpec, containers []corev1.Container) {
	list := at.Child(child)
	for i := range old {
		ended := old[i].State.Terminated
		if ended == nil {
			continue
		}
		for j := range next {
			if next[j].Name != old[i].Name {
				continue
			}
			if next[j].State.Terminated == nil && !mayRestart(spec, containers, old[i].Name, ended.ExitCode) {
				status := list.Index(i)
				v.Forbidden(&status, "state", "may not be transitioned to non-terminated state")
			}
			break
		}
	}
}

func mayRestart(spec *corev1.PodSpec, containers []corev1.Container, name string, exitCode int32) bool {
	for i := range containers {
		if containers[i].Name == name {
			return ShouldRestart(spec, &containers[i], exitCode)
		}
	}
	return false
}

// restartsAll reports whether a container's end may restart all containers of the pod.
func restartsAll(spec *corev1.PodSpec) bool {
	for _, list := range [...][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			for _, r := range list[i].RestartPolicyRules {
				if r.Action == corev1.ContainerRestartRuleActionRestartAllContainers {
					return true
				}
			}
		}
	}
	return false
}

// ShouldRestart reports whether a container that ended with exitCode is started again: its rules say, then
// its own policy, then the pod's.
//
// Models pkg/api/v1/pod ContainerShouldRestart.
func ShouldRestart(spec *corev1.PodSpec, c *corev1.Container, exitCode int32) bool {
	policy := corev1.ContainerRestartPolicy(spec.RestartPolicy)
	if c.RestartPolicy != nil {
		for _, r := range c.RestartPolicyRules {
			if r.ExitCodes == nil {
				continue
			}
			in := slices.Contains(r.ExitCodes.Values, exitCode)
			if in == (r.ExitCodes.Operator == corev1.ContainerRestartRuleOnExitCodesOpIn) {
				return true
			}
		}
		policy = *c.RestartPolicy
	}
	switch policy {
	case corev1.ContainerRestartPolicyNever:
		return false
	case corev1.ContainerRestartPolicyOnFailure:
		return exitCode != 0
	}
	return true
}

func (v *podValidator) claimStatuses(at *check.Path, list []corev1.PodResourceClaimStatus) {
	var seen check.Set
	statuses := at.Child("resourceClaimStatuses")
	for i := range list {
		s, status := &list[i], statuses.Index(i)
		if !slices.ContainsFunc(v.spec.ResourceClaims, func(c corev1.PodResourceClaim) bool { return c.Name == s.Name }) {
			v.Invalid(&status, "name", s.Name, "must match the name of an entry in `spec.resourceClaims`")
		}
		if !seen.Add(s.Name) {
			v.Duplicate(&status, "name", s.Name)
		}
		if s.ResourceClaimName != nil {
			v.DNSSubdomain(&status, "resourceClaimName", *s.ResourceClaimName)
		}
	}
}

// containerUsers checks the identity that a container was started with.
//
// Models pkg/apis/core/validation validateContainerStatusUsers.
func (v *podValidator) containerUsers(at *check.Path, list []corev1.ContainerStatus) {
	windows := v.spec.OS != nil && v.spec.OS.Name == corev1.Windows
	for i := range list {
		if list[i].User == nil || list[i].User.Linux == nil {
			continue
		}
		u, status := list[i].User.Linux, at.Index(i)
		if windows {
			v.Forbidden(&status, "user.linux", "cannot be set for a windows pod")
			continue
		}
		if u.UID < 0 || u.UID > math.MaxUint32 {
			v.Invalid(&status, "user.linux.uid", u.UID, "must be between 0 and "+decimal(math.MaxUint32)+", inclusive")
		}
		v.InvalidAll(&status, "user.linux.gid", u.GID, validation.IsValidGroupID(u.GID))
		groups := status.Child("user.linux.supplementalGroups")
		for g, gid := range u.SupplementalGroups {
			group := groups.Index(g)
			v.InvalidAll(&group, "", gid, validation.IsValidGroupID(gid))
		}
	}
}
