package core

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
)

// preparePod makes a new pod pending, drops what only the system sets, and works out what follows from the
// spec. It takes the pod's creation time for the time of its first condition.
//
// Models pkg/registry/core/pod podStrategy.PrepareForCreate.
func preparePod(obj kinds.Object) {
	pod := obj.(*corev1.Pod)
	pod.Status = corev1.PodStatus{Phase: corev1.PodPending}
	dropPodFields(pod, nil)
	if len(pod.Spec.SchedulingGates) > 0 {
		SetPodCondition(&pod.Status, corev1.PodCondition{
			Type:    corev1.PodScheduled,
			Status:  corev1.ConditionFalse,
			Reason:  corev1.PodReasonSchedulingGated,
			Message: "Scheduling is blocked due to non-empty scheduling gates",
		}, pod.CreationTimestamp)
	}
	mergeLabelKeys(pod)
	appArmorFromAnnotations(pod)
	defaultPodLevelResources(&pod.Spec)
	pod.Status.QOSClass = QOSClass(pod)
}

// validatePod checks a new pod.
//
// Models pkg/apis/core/validation ValidatePodCreate.
func validatePod(obj kinds.Object) field.ErrorList {
	pod := obj.(*corev1.Pod)
	v := podValidator{spec: &pod.Spec, meta: &pod.ObjectMeta}
	v.pod()
	at := check.Root("spec")
	if len(pod.Spec.EphemeralContainers) > 0 {
		v.Forbidden(&at, "ephemeralContainers", "cannot be set on create")
	}
	if pod.Spec.NodeName != "" && len(pod.Spec.SchedulingGates) > 0 {
		v.Forbidden(&at, "nodeName", "cannot be set until all schedulingGates have been cleared")
	}
	v.profilesMatch(&at, pod.Annotations)
	return v.List()
}

// pod checks what pods have beyond templates.
//
// Models pkg/apis/core/validation validatePodMetadataAndSpec.
func (v *podValidator) pod() {
	metadata := check.Root("metadata")
	v.annotations(&metadata, v.meta.Annotations)
	at := check.Root("spec")
	v.podSpec(&at)
	if v.spec.ServiceAccountName == "" {
		v.tokensWithoutAccount(&at)
	}
	if s := v.spec.TerminationGracePeriodSeconds; s != nil {
		v.NonNegative(&at, "terminationGracePeriodSeconds", *s)
	}
	v.trimmedImages(&at, "containers", v.spec.Containers)
	v.trimmedImages(&at, "initContainers", v.spec.InitContainers)
}

func (v *podValidator) tokensWithoutAccount(at *check.Path) {
	volumes := at.Child("volumes")
	for i := range v.spec.Volumes {
		p, volume := v.spec.Volumes[i].Projected, volumes.Index(i)
		if p == nil {
			continue
		}
		projected := volume.Child("projected")
		sources := projected.Child("sources")
		for j := range p.Sources {
			if p.Sources[j].ServiceAccountToken != nil {
				source := sources.Index(j)
				v.Forbidden(&source, "serviceAccountToken", "must not be specified when serviceAccountName is not set")
			}
		}
	}
}

// ValidatePodTemplate checks a pod template at its place; old is the template that it replaces, or nil.
//
// Models pkg/apis/core/validation ValidatePodTemplateSpec.
func ValidatePodTemplate(e *check.Errors, at *check.Path, template, old *corev1.PodTemplateSpec) {
	v := podValidator{spec: &template.Spec}
	if old != nil {
		v.rules = rulesFor(&old.Spec, &old.ObjectMeta)
	}
	v.Labels(at, "labels", template.Labels)
	v.Annotations(at, "annotations", template.Annotations)
	v.annotations(at, template.Annotations)
	spec := at.Child("spec")
	v.podSpec(&spec)
	v.profilesMatch(&spec, template.Annotations)
	if len(template.Spec.EphemeralContainers) > 0 {
		v.Forbidden(&spec, "ephemeralContainers", "ephemeral containers not allowed in pod template")
	}
	e.Add(v.List()...)
}

// mergeLabelKeys adds the pod's own values of matchLabelKeys to the selectors that name them.
//
// Models pkg/registry/core/pod mutatePodAffinity and mutateTopologySpreadConstraints.
func mergeLabelKeys(pod *corev1.Pod) {
	if a := pod.Spec.Affinity; a != nil && affinityHasKeys(a) {
		a = a.DeepCopy()
		pod.Spec.Affinity = a
		if p := a.PodAffinity; p != nil {
			mergeTermKeys(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution, pod.Labels)
		}
		if p := a.PodAntiAffinity; p != nil {
			mergeTermKeys(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution, pod.Labels)
		}
	}
	spread := pod.Spec.TopologySpreadConstraints
	for i := range spread {
		if len(spread[i].MatchLabelKeys) == 0 {
			continue
		}
		copied := *pod.Spec.DeepCopy()
		pod.Spec.TopologySpreadConstraints = copied.TopologySpreadConstraints
		for j := range copied.TopologySpreadConstraints {
			c := &copied.TopologySpreadConstraints[j]
			mergeSelectorKeys(c.LabelSelector, c.MatchLabelKeys, metav1.LabelSelectorOpIn, pod.Labels)
		}
		return
	}
}

func affinityHasKeys(a *corev1.Affinity) bool {
	has := func(t *corev1.PodAffinityTerm) bool { return len(t.MatchLabelKeys)+len(t.MismatchLabelKeys) > 0 }
	found := false
	visit := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		for i := range required {
			found = found || has(&required[i])
		}
		for i := range preferred {
			found = found || has(&preferred[i].PodAffinityTerm)
		}
	}
	if p := a.PodAffinity; p != nil {
		visit(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if p := a.PodAntiAffinity; p != nil {
		visit(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	return found
}

func mergeTermKeys(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm, labels map[string]string) {
	merge := func(t *corev1.PodAffinityTerm) {
		mergeSelectorKeys(t.LabelSelector, t.MatchLabelKeys, metav1.LabelSelectorOpIn, labels)
		mergeSelectorKeys(t.LabelSelector, t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn, labels)
	}
	for i := range preferred {
		merge(&preferred[i].PodAffinityTerm)
	}
	for i := range required {
		merge(&required[i])
	}
}

func mergeSelectorKeys(s *metav1.LabelSelector, keys []string, op metav1.LabelSelectorOperator, labels map[string]string) {
	if s == nil {
		return
	}
	for _, key := range keys {
		if value, ok := labels[key]; ok {
			s.MatchExpressions = append(s.MatchExpressions, metav1.LabelSelectorRequirement{Key: key, Operator: op, Values: []string{value}})
		}
	}
}

// appArmorFromAnnotations sets the profile of a container from the annotation that once named it.
//
// Models pkg/registry/core/pod applyAppArmorVersionSkew.
func appArmorFromAnnotations(pod *corev1.Pod) {
	const prefix = corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix
	if len(keysWithPrefix(pod.Annotations, prefix)) == 0 || pod.Spec.OS != nil && pod.Spec.OS.Name == corev1.Windows {
		return
	}
	var ofPod *corev1.AppArmorProfile
	if pod.Spec.SecurityContext != nil {
		ofPod = pod.Spec.SecurityContext.AppArmorProfile
	}
	pod.Spec = *pod.Spec.DeepCopy()
	eachContainer(&pod.Spec, func(c *corev1.Container, _ string, _ int) {
		annotation, ok := pod.Annotations[prefix+c.Name]
		if !ok || c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
			return
		}
		profile := appArmorOfAnnotation(annotation)
		var wrong check.Errors
		if profile != nil {
			appArmorProfile(&wrong, nil, profile)
		}
		if profile == nil || wrong.Len() > 0 || check.Equal(&profile, &ofPod) {
			return
		}
		if c.SecurityContext == nil {
			c.SecurityContext = &corev1.SecurityContext{}
		}
		c.SecurityContext.AppArmorProfile = profile
	})
}

func appArmorOfAnnotation(annotation string) *corev1.AppArmorProfile {
	switch annotation {
	case corev1.DeprecatedAppArmorBetaProfileNameUnconfined:
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeUnconfined}
	case corev1.DeprecatedAppArmorBetaProfileRuntimeDefault:
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeRuntimeDefault}
	}
	local, ok := strings.CutPrefix(annotation, corev1.DeprecatedAppArmorBetaProfileNamePrefix)
	if !ok || local == "" {
		return nil
	}
	return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeLocalhost, LocalhostProfile: &local}
}
