package apps

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
	"terrarium/core/kinds/core"
)

func statefulSets() kinds.Strategy {
	return kinds.Strategy{
		Default:      defaultStatefulSet,
		ValidateName: check.LabelName,
		PrepareForCreate: func(obj kinds.Object) {
			s := obj.(*appsv1.StatefulSet)
			s.Status = appsv1.StatefulSetStatus{}
			core.DropTemplateFields(&s.Spec.Template, nil)
		},
		Validate: func(obj kinds.Object) field.ErrorList { return validateStatefulSet(obj.(*appsv1.StatefulSet), nil) },
		PrepareForUpdate: func(obj, old kinds.Object) {
			s, was := obj.(*appsv1.StatefulSet), old.(*appsv1.StatefulSet)
			s.Status = was.Status
			core.DropTemplateFields(&s.Spec.Template, &was.Spec.Template)
		},
		ValidateUpdate: validateStatefulSetUpdate,
		PrepareForStatusUpdate: func(obj, old kinds.Object) {
			obj.(*appsv1.StatefulSet).Spec = old.(*appsv1.StatefulSet).Spec
		},
		ValidateStatusUpdate: validateStatefulSetStatus,
		SpecChanged: func(obj, old kinds.Object) bool {
			return !check.Equal(&obj.(*appsv1.StatefulSet).Spec, &old.(*appsv1.StatefulSet).Spec)
		},
		Warnings: statefulSetWarnings,
	}
}

// defaultStatefulSet fills in one replica, ordered pods, a rolling update from ordinal 0, kept claims.
//
// Models pkg/apis/apps/v1 SetDefaults_StatefulSet.
func defaultStatefulSet(obj kinds.Object) {
	spec := &obj.(*appsv1.StatefulSet).Spec
	if spec.PodManagementPolicy == "" {
		spec.PodManagementPolicy = appsv1.OrderedReadyPodManagement
	}
	u := &spec.UpdateStrategy
	if u.Type == "" {
		u.Type = appsv1.RollingUpdateStatefulSetStrategyType
		setDefault(&u.RollingUpdate, appsv1.RollingUpdateStatefulSetStrategy{})
	}
	if r := u.RollingUpdate; u.Type == appsv1.RollingUpdateStatefulSetStrategyType && r != nil && (r.Partition == nil || r.MaxUnavailable == nil) {
		next := *r
		setDefault(&next.Partition, 0)
		setDefault(&next.MaxUnavailable, intstr.FromInt32(1))
		u.RollingUpdate = &next
	}
	var keep appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy
	if spec.PersistentVolumeClaimRetentionPolicy != nil {
		keep = *spec.PersistentVolumeClaimRetentionPolicy
	}
	if keep.WhenDeleted == "" || keep.WhenScaled == "" {
		if keep.WhenDeleted == "" {
			keep.WhenDeleted = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
		}
		if keep.WhenScaled == "" {
			keep.WhenScaled = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
		}
		spec.PersistentVolumeClaimRetentionPolicy = &keep
	}
	setDefault(&spec.Replicas, 1)
	setDefault(&spec.RevisionHistoryLimit, 10)
	spec.VolumeClaimTemplates = core.DefaultClaimTemplates(spec.VolumeClaimTemplates)
	core.DefaultPodTemplate(&spec.Template)
}

// validateStatefulSet checks a stateful set; old is nil for a new one.
//
// Models pkg/apis/apps/validation ValidateStatefulSetSpec.
func validateStatefulSet(s, old *appsv1.StatefulSet) field.ErrorList {
	spec := &s.Spec
	var e check.Errors
	at := check.Root("spec")
	switch spec.PodManagementPolicy {
	case appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement:
	case "":
		e.Required(&at, "podManagementPolicy", "")
	default:
		e.Invalid(&at, "podManagementPolicy", spec.PodManagementPolicy, "must be 'OrderedReady' or 'Parallel'")
	}
	statefulSetStrategy(&e, &at, &spec.UpdateStrategy)
	if p := spec.PersistentVolumeClaimRetentionPolicy; p != nil {
		retention(&e, &at, "persistentVolumeClaimRetentionPolicy.whenDeleted", p.WhenDeleted)
		retention(&e, &at, "persistentVolumeClaimRetentionPolicy.whenScaled", p.WhenScaled)
	}
	if old == nil {
		claims := at.Child("volumeClaimTemplates")
		for i := range spec.VolumeClaimTemplates {
			claim := claims.Index(i)
			core.ValidateClaimTemplate(&e, &claim, &spec.VolumeClaimTemplates[i])
		}
	}
	e.NonNegative(&at, "replicas", int64(ptr.Deref(spec.Replicas, 0)))
	e.NonNegative(&at, "minReadySeconds", int64(spec.MinReadySeconds))
	if spec.Ordinals != nil {
		e.NonNegative(&at, "ordinals.start", int64(spec.Ordinals.Start))
	}
	if old == nil && spec.ServiceName != "" {
		e.DNSLabel(&at, "serviceName", spec.ServiceName)
	}
	statefulSetTemplate(&e, &at, spec, old)
	return e.List()
}

// statefulSetTemplate checks selector and template. Host name and subdomain of the template do not matter:
// they are replaced; claims stand for volumes of the same name.
func statefulSetTemplate(e *check.Errors, at *check.Path, spec *appsv1.StatefulSetSpec, old *appsv1.StatefulSet) {
	if spec.Selector == nil {
		e.Required(at, "selector", "")
	} else {
		e.LabelSelector(at, "selector", spec.Selector, false)
		if len(spec.Selector.MatchLabels)+len(spec.Selector.MatchExpressions) == 0 {
			e.Invalid(at, "selector", spec.Selector, "empty selector is invalid for statefulset")
		}
	}
	template := at.Child("template")
	if selector, err := metav1.LabelSelectorAsSelector(spec.Selector); err != nil {
		e.Invalid(at, "selector", spec.Selector, "")
	} else {
		if !selector.Empty() && !selector.Matches(labels.Set(spec.Template.Labels)) {
			e.Invalid(&template, "metadata.labels", spec.Template.Labels, "`selector` does not match template `labels`")
		}
		t := spec.Template
		t.Spec.Subdomain, t.Spec.Hostname = "", ""
		t.Spec.Volumes = withClaims(t.Spec.Volumes, spec.VolumeClaimTemplates)
		var was *corev1.PodTemplateSpec
		if old != nil {
			was = &old.Spec.Template
		}
		core.ValidatePodTemplate(e, &template, &t, was)
	}
	core.ValidateReplicaTemplate(e, &template, &spec.Template, "StatefulSet")
}

// withClaims returns the volumes that pods get: one for each claim, and the others of the template.
func withClaims(volumes []corev1.Volume, claims []corev1.PersistentVolumeClaim) []corev1.Volume {
	if len(claims) == 0 {
		return volumes
	}
	var taken check.Set
	list := make([]corev1.Volume, 0, len(volumes)+len(claims))
	for i := range claims {
		if !taken.Add(claims[i].Name) {
			continue
		}
		source := corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claims[i].Name}}
		list = append(list, corev1.Volume{Name: claims[i].Name, VolumeSource: source})
	}
	for i := range volumes {
		if !taken.Has(volumes[i].Name) {
			list = append(list, volumes[i])
		}
	}
	return list
}

func statefulSetStrategy(e *check.Errors, at *check.Path, u *appsv1.StatefulSetUpdateStrategy) {
	switch u.Type {
	case "":
		e.Required(at, "updateStrategy", "")
	case appsv1.OnDeleteStatefulSetStrategyType:
		if u.RollingUpdate != nil {
			e.Invalid(at, "updateStrategy.rollingUpdate", check.Internal(u.RollingUpdate), "only allowed for updateStrategy 'RollingUpdate'")
		}
	case appsv1.RollingUpdateStatefulSetStrategyType:
		if r := u.RollingUpdate; r != nil {
			rolling := at.Child("updateStrategy.rollingUpdate")
			e.NonNegative(&rolling, "partition", int64(ptr.Deref(r.Partition, 0)))
			if n := r.MaxUnavailable; n != nil {
				positiveOrPercent(e, &rolling, "maxUnavailable", *n)
				if amountOf(*n) == 0 {
					e.Invalid(&rolling, "maxUnavailable", *n, "cannot be 0")
				}
				atMostAll(e, &rolling, "maxUnavailable", *n)
			}
		}
	default:
		e.Invalid(at, "updateStrategy", check.Internal(*u), "must be 'RollingUpdate' or 'OnDelete'")
	}
}

func retention(e *check.Errors, at *check.Path, child string, p appsv1.PersistentVolumeClaimRetentionPolicyType) {
	if p != appsv1.RetainPersistentVolumeClaimRetentionPolicyType && p != appsv1.DeletePersistentVolumeClaimRetentionPolicyType {
		e.NotSupported(at, child, p, "Retain", "Delete")
	}
}

// validateStatefulSetUpdate checks a stateful set that replaces old.
//
// Models pkg/apis/apps/validation ValidateStatefulSetUpdate.
func validateStatefulSetUpdate(obj, old kinds.Object) field.ErrorList {
	s, was := obj.(*appsv1.StatefulSet), old.(*appsv1.StatefulSet)
	if check.Equal(&s.Spec, &was.Spec) {
		return nil // it was good before
	}
	var e check.Errors
	e.Add(validateStatefulSet(s, was)...)
	spec := check.Root("spec")
	selectorKept(&e, s.Spec.Selector, was.Spec.Selector)
	if !check.Equal(&s.Spec.VolumeClaimTemplates, &was.Spec.VolumeClaimTemplates) {
		e.Invalid(&spec, "volumeClaimTemplates", check.Internal(untyped(s.Spec.VolumeClaimTemplates)), "field is immutable")
	}
	if s.Spec.ServiceName != was.Spec.ServiceName {
		e.Invalid(&spec, "serviceName", s.Spec.ServiceName, "field is immutable")
	}
	if s.Spec.PodManagementPolicy != was.Spec.PodManagementPolicy {
		e.Invalid(&spec, "podManagementPolicy", s.Spec.PodManagementPolicy, "field is immutable")
	}
	return e.List()
}

// validateStatefulSetStatus checks that the numbers of a status fit each other.
//
// Models pkg/apis/apps/validation ValidateStatefulSetStatus.
func validateStatefulSetStatus(obj, old kinds.Object) field.ErrorList {
	s, was := &obj.(*appsv1.StatefulSet).Status, &old.(*appsv1.StatefulSet).Status
	var e check.Errors
	at := check.Root("status")
	e.NonNegative(&at, "replicas", int64(s.Replicas))
	e.NonNegative(&at, "readyReplicas", int64(s.ReadyReplicas))
	e.NonNegative(&at, "currentReplicas", int64(s.CurrentReplicas))
	e.NonNegative(&at, "updatedReplicas", int64(s.UpdatedReplicas))
	e.NonNegative(&at, "availableReplicas", int64(s.AvailableReplicas))
	e.NonNegative(&at, "observedGeneration", s.ObservedGeneration)
	e.NonNegative(&at, "collisionCount", int64(ptr.Deref(s.CollisionCount, 0)))
	e.AtMost(&at, "readyReplicas", s.ReadyReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "currentReplicas", s.CurrentReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "updatedReplicas", s.UpdatedReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "availableReplicas", s.AvailableReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "availableReplicas", s.AvailableReplicas, s.ReadyReplicas, "cannot be greater than status.readyReplicas")
	collisionsKept(&e, &at, s.CollisionCount, was.CollisionCount)
	return e.List()
}

func statefulSetWarnings(obj, old kinds.Object) []string {
	spec := &obj.(*appsv1.StatefulSet).Spec
	warnings := templateWarnings(obj, old)
	claims := field.NewPath("spec", "volumeClaimTemplates")
	for i := range spec.VolumeClaimTemplates {
		at := claims.Index(i)
		if old != nil {
			at = at.Child("Spec")
		}
		warnings = append(warnings, core.ClaimWarnings(at, &spec.VolumeClaimTemplates[i].Spec)...)
	}
	if n := spec.RevisionHistoryLimit; n != nil && *n < 0 {
		warnings = append(warnings, "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended")
	}
	return warnings
}

// untyped returns claims without apiVersion and kind: upstream's internal objects have none.
func untyped(claims []corev1.PersistentVolumeClaim) []corev1.PersistentVolumeClaim {
	next := slices.Clone(claims)
	for i := range next {
		next[i].TypeMeta = metav1.TypeMeta{}
	}
	return next
}
