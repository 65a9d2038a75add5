package core

import (
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// preparePodUpdate keeps the status, and the resources of the pod as a whole from clients that do not know
// them.
//
// Models pkg/registry/core/pod podStrategy.PrepareForUpdate.
func preparePodUpdate(obj, old kinds.Object) {
	pod, was := obj.(*corev1.Pod), old.(*corev1.Pod)
	pod.Status = was.Status
	if pod.Spec.Resources == nil {
		pod.Spec.Resources = was.Spec.Resources
	}
	dropPodFields(pod, was)
}

func podSpecChanged(obj, old kinds.Object) bool {
	return !check.Equal(&obj.(*corev1.Pod).Spec, &old.(*corev1.Pod).Spec)
}

// validatePodUpdate checks that an update changes nothing that must stay.
//
// Models pkg/apis/core/validation ValidatePodUpdate.
func validatePodUpdate(obj, old kinds.Object) field.ErrorList {
	pod, was := obj.(*corev1.Pod), old.(*corev1.Pod)
	v := podValidator{spec: &pod.Spec, meta: &pod.ObjectMeta}
	if len(pod.Finalizers) > 0 && !slices.Equal(pod.Finalizers, was.Finalizers) {
		v.Add(apivalidation.ValidateFinalizers(pod.Finalizers, field.NewPath("metadata", "finalizers"))...)
	}
	if check.Equal(&pod.Spec, &was.Spec) {
		// The spec was good before: only what annotations say can be wrong.
		cost, had := was.Annotations[corev1.PodDeletionCost]
		v.rules.deletionCost = had && !validDeletionCost(cost)
		metadata := check.Root("metadata")
		v.annotations(&metadata, pod.Annotations)
		v.annotationsKept(&metadata, was.Annotations)
		return v.List()
	}
	v.rules = rulesFor(&was.Spec, &was.ObjectMeta)
	v.pod()
	metadata := check.Root("metadata")
	v.annotationsKept(&metadata, was.Annotations)
	at := check.Root("spec")
	if v.containersKept(&at, "containers", pod.Spec.Containers, was.Spec.Containers) &&
		v.containersKept(&at, "initContainers", pod.Spec.InitContainers, was.Spec.InitContainers) &&
		v.deadlineShortened(&at, was) {
		v.tolerationsKept(&at, was)
		v.gatesRemoved(&at, was)
		v.restKept(&at, was)
	}
	return v.List()
}

// annotationsKept refuses changes to annotations that stand for something else.
//
// Models pkg/apis/core/validation ValidatePodSpecificAnnotationUpdates.
func (v *podValidator) annotationsKept(at *check.Path, old map[string]string) {
	place, next := at.Child("annotations"), v.meta.Annotations
	for _, key := range protectedKeys(old) {
		if value, ok := next[key]; !ok || value != old[key] {
			k := place.Key(key)
			v.Forbidden(&k, "", "may not remove or update "+protected(key))
		}
	}
	for _, key := range protectedKeys(next) {
		if _, ok := old[key]; !ok {
			k := place.Key(key)
			v.Forbidden(&k, "", "may not add "+protected(key))
		}
	}
}

// protected says what an annotation is that may not change; "" for others.
func protected(key string) string {
	switch {
	case strings.HasPrefix(key, corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix):
		return "AppArmor annotations"
	case key == corev1.MirrorPodAnnotationKey:
		return "mirror pod annotation"
	}
	return ""
}

func protectedKeys(annotations map[string]string) (keys []string) {
	for key := range annotations {
		if protected(key) != "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// containersKept checks that no container came or went; it reports whether to go on.
//
// Models pkg/apis/core/validation ValidateContainerUpdates.
func (v *podValidator) containersKept(at *check.Path, child string, list, old []corev1.Container) bool {
	containers := at.Child(child)
	if len(list) != len(old) {
		v.Forbidden(&containers, "", "pod updates may not add or remove containers")
		return false
	}
	for i := range list {
		container := containers.Index(i)
		if list[i].Image == "" {
			v.Required(&container, "image", "")
		}
		v.trimmedImage(&container, &list[i])
	}
	return true
}

// deadlineShortened checks that activeDeadlineSeconds was only set or made shorter; it reports whether to go
// on.
func (v *podValidator) deadlineShortened(at *check.Path, old *corev1.Pod) bool {
	next, was := v.spec.ActiveDeadlineSeconds, old.Spec.ActiveDeadlineSeconds
	switch {
	case next != nil && (*next < 0 || *next > math.MaxInt32):
		v.Invalid(at, "activeDeadlineSeconds", *next, validation.InclusiveRangeError(0, math.MaxInt32))
		return false
	case next != nil && was != nil && *was < *next:
		v.Invalid(at, "activeDeadlineSeconds", *next, "must be less than or equal to previous value")
		return false
	case next == nil && was != nil:
		v.Invalid(at, "activeDeadlineSeconds", next, "must not update from a positive integer to nil value")
	}
	return true
}

// tolerationsKept checks that tolerations were only added; how long one lasts may change.
//
// Models pkg/apis/core/validation validateOnlyAddedTolerations.
func (v *podValidator) tolerationsKept(at *check.Path, old *corev1.Pod) {
	for _, t := range old.Spec.Tolerations {
		found := false
		for _, n := range v.spec.Tolerations {
			t.TolerationSeconds = n.TolerationSeconds
			found = found || t == n
		}
		if !found {
			v.Forbidden(at, "tolerations", "existing toleration can not be modified except its tolerationSeconds")
			return
		}
	}
	v.tolerations(at, v.spec.Tolerations)
}

// gatesRemoved checks that scheduling gates were only removed.
func (v *podValidator) gatesRemoved(at *check.Path, old *corev1.Pod) {
	gates := at.Child("schedulingGates")
	var had check.Set
	for _, g := range old.Spec.SchedulingGates {
		had.Add(g.Name)
	}
	for i, g := range v.spec.SchedulingGates {
		if !had.Has(g.Name) {
			gate := gates.Index(i)
			v.Forbidden(&gate, "name", "only deletion is allowed, but found new scheduling gate '"+g.Name+"'")
		}
	}
}

const podUpdatable = "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`," +
	"`spec.tolerations` (only additions to existing tolerations)," +
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

// restKept checks that everything else stayed as it was.
func (v *podValidator) restKept(at *check.Path, old *corev1.Pod) {
	next, was := *v.spec.DeepCopy(), &old.Spec
	for i := range next.Containers {
		next.Containers[i].Image = was.Containers[i].Image
	}
	for i := range next.InitContainers {
		next.InitContainers[i].Image = was.InitContainers[i].Image
	}
	next.ActiveDeadlineSeconds = was.ActiveDeadlineSeconds
	next.SchedulingGates = was.SchedulingGates
	next.Tolerations = was.Tolerations
	if s, n := was.TerminationGracePeriodSeconds, next.TerminationGracePeriodSeconds; s != nil && *s < 0 && n != nil && *n == 1 {
		next.TerminationGracePeriodSeconds = s
	}
	if len(was.SchedulingGates) > 0 {
		v.gatedChanges(at, &next, was)
	}
	if !check.Equal(&next, was) {
		v.Forbidden(at, "", "pod updates may not change fields other than "+podUpdatable+"\n"+check.Diff(*was, next))
	}
}

// gatedChanges checks what may still change while the pod waits behind scheduling gates: where it may run
// may be narrowed. It takes the allowed changes back in next.
func (v *podValidator) gatedChanges(at *check.Path, next, old *corev1.PodSpec) {
	// any order: the error is the same for every key
	for k, value := range old.NodeSelector {
		if n, ok := next.NodeSelector[k]; !ok || n != value {
			v.Invalid(at, "nodeSelector", next.NodeSelector, "only additions to spec.nodeSelector are allowed (no mutations or deletions)")
			break
		}
	}
	next.NodeSelector = old.NodeSelector
	var was, is *corev1.NodeAffinity
	if old.Affinity != nil {
		was = old.Affinity.NodeAffinity
	}
	if next.Affinity != nil {
		is = next.Affinity.NodeAffinity
	}
	if check.Equal(&was, &is) {
		return
	}
	v.affinityNarrowed(at, is, was)
	switch {
	case next.Affinity == nil:
		next.Affinity = &corev1.Affinity{NodeAffinity: was}
	case old.Affinity == nil && next.Affinity.PodAffinity == nil && next.Affinity.PodAntiAffinity == nil:
		next.Affinity = nil
	default:
		next.Affinity.NodeAffinity = was
	}
}

// affinityNarrowed checks that required node affinity only got further requirements.
//
// Models pkg/apis/core/validation validateNodeAffinityMutation.
func (v *podValidator) affinityNarrowed(at *check.Path, next, old *corev1.NodeAffinity) {
	if old == nil || old.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return
	}
	was := old.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	var is []corev1.NodeSelectorTerm
	if next != nil && next.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		is = next.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	}
	const terms = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	if len(was) > 0 && len(was) != len(is) {
		v.Invalid(at, terms, check.Internal(is), "no additions/deletions to non-empty NodeSelectorTerms list are allowed")
		return
	}
	list := at.Child(terms)
	for i := range was {
		if !termNarrowed(&is[i], &was[i]) {
			term := list.Index(i)
			v.Invalid(&term, "", check.Internal(is[i]), "only additions are allowed (no mutations or deletions)")
		}
	}
}

func termNarrowed(next, old *corev1.NodeSelectorTerm) bool {
	if len(old.MatchExpressions)+len(old.MatchFields) == 0 && len(next.MatchExpressions)+len(next.MatchFields) > 0 {
		return false // an empty term matches nothing: anything would widen it
	}
	return startsWith(next.MatchExpressions, old.MatchExpressions) && startsWith(next.MatchFields, old.MatchFields)
}

func startsWith(list, start []corev1.NodeSelectorRequirement) bool {
	if len(list) < len(start) {
		return false
	}
	list = list[:len(start)]
	return check.Equal(&list, &start)
}
