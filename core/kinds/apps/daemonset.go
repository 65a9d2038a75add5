package apps

import (
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
	"terrarium/core/kinds/core"
)

func daemonSets() kinds.Strategy {
	return kinds.Strategy{
		Default: defaultDaemonSet,
		PrepareForCreate: func(obj kinds.Object) {
			ds := obj.(*appsv1.DaemonSet)
			ds.Status = appsv1.DaemonSetStatus{}
			setTemplateGeneration(ds, max(templateGeneration(ds), 1))
			core.DropTemplateFields(&ds.Spec.Template, nil)
		},
		Validate: func(obj kinds.Object) field.ErrorList { return validateDaemonSet(obj.(*appsv1.DaemonSet), nil) },
		PrepareForUpdate: func(obj, old kinds.Object) {
			ds, was := obj.(*appsv1.DaemonSet), old.(*appsv1.DaemonSet)
			ds.Status = was.Status
			core.DropTemplateFields(&ds.Spec.Template, &was.Spec.Template)
			n := templateGeneration(was)
			if !check.Equal(&ds.Spec.Template, &was.Spec.Template) {
				n++
			}
			setTemplateGeneration(ds, n)
		},
		ValidateUpdate: validateDaemonSetUpdate,
		PrepareForStatusUpdate: func(obj, old kinds.Object) {
			ds, was := obj.(*appsv1.DaemonSet), old.(*appsv1.DaemonSet)
			ds.Spec = was.Spec
			setTemplateGeneration(ds, templateGeneration(was))
		},
		ValidateStatusUpdate: validateDaemonSetStatus,
		SpecChanged: func(obj, old kinds.Object) bool {
			return !check.Equal(&obj.(*appsv1.DaemonSet).Spec, &old.(*appsv1.DaemonSet).Spec)
		},
		Warnings: templateWarnings,
	}
}

func defaultDaemonSet(obj kinds.Object) {
	ds := obj.(*appsv1.DaemonSet)
	s := &ds.Spec.UpdateStrategy
	if s.Type == "" {
		s.Type = appsv1.RollingUpdateDaemonSetStrategyType
	}
	if s.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		var r appsv1.RollingUpdateDaemonSet
		if s.RollingUpdate != nil {
			r = *s.RollingUpdate
		}
		if r.MaxUnavailable == nil || r.MaxSurge == nil {
			setDefault(&r.MaxUnavailable, intstr.FromInt32(1))
			setDefault(&r.MaxSurge, intstr.FromInt32(0))
			s.RollingUpdate = &r
		}
	}
	setDefault(&ds.Spec.RevisionHistoryLimit, 10)
	core.DefaultPodTemplate(&ds.Spec.Template)
}

// The number of a daemon set's template is a field of upstream's internal type and an annotation in apps/v1.

func templateGeneration(ds *appsv1.DaemonSet) int64 {
	n, err := strconv.ParseInt(ds.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func setTemplateGeneration(ds *appsv1.DaemonSet, n int64) {
	text := strconv.FormatInt(n, 10)
	if ds.Annotations[appsv1.DeprecatedTemplateGeneration] == text {
		return
	}
	if ds.Annotations = maps.Clone(ds.Annotations); ds.Annotations == nil {
		ds.Annotations = map[string]string{}
	}
	ds.Annotations[appsv1.DeprecatedTemplateGeneration] = text
}

// validateDaemonSet checks a daemon set; old is nil for a new one.
//
// Models pkg/apis/apps/validation ValidateDaemonSetSpec.
func validateDaemonSet(ds, old *appsv1.DaemonSet) field.ErrorList {
	spec := &ds.Spec
	var e check.Errors
	at := check.Root("spec")
	t := selected{selector: spec.Selector, template: &spec.Template}
	lax := false
	if old != nil {
		t.old = &old.Spec.Template
		lax = metavalidation.LabelSelectorHasInvalidLabelValue(old.Spec.Selector)
	}
	e.LabelSelector(&at, "selector", spec.Selector, lax)
	if selector, err := metav1.LabelSelectorAsSelector(spec.Selector); err == nil && !selector.Matches(labels.Set(spec.Template.Labels)) {
		e.Invalid(&at, "template.metadata.labels", spec.Template.Labels, "`selector` does not match template `labels`")
	}
	if s := spec.Selector; s != nil && len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		e.Invalid(&at, "selector", s, "empty selector is invalid for daemonset")
	}
	template := at.Child("template")
	core.ValidatePodTemplate(&e, &template, t.template, t.old)
	core.ValidateReplicaTemplate(&e, &template, t.template, "DaemonSet")
	e.NonNegative(&at, "minReadySeconds", int64(spec.MinReadySeconds))
	daemonSetStrategy(&e, &at, &spec.UpdateStrategy)
	if n := spec.RevisionHistoryLimit; n != nil {
		e.NonNegative(&at, "revisionHistoryLimit", int64(*n))
	}
	return e.List()
}

func daemonSetStrategy(e *check.Errors, at *check.Path, s *appsv1.DaemonSetUpdateStrategy) {
	switch s.Type {
	case appsv1.OnDeleteDaemonSetStrategyType:
	case appsv1.RollingUpdateDaemonSetStrategyType:
		if s.RollingUpdate == nil {
			e.Required(at, "updateStrategy.rollingUpdate", "")
			return
		}
		rolling := at.Child("updateStrategy.rollingUpdate")
		rollingDaemonSet(e, &rolling, s.RollingUpdate)
	default:
		e.NotSupported(at, "updateStrategy", check.Internal(s), "RollingUpdate", "OnDelete")
	}
}

// Models pkg/apis/apps/validation ValidateRollingUpdateDaemonSet.
func rollingDaemonSet(e *check.Errors, at *check.Path, r *appsv1.RollingUpdateDaemonSet) {
	unavailable, surge := ptr.Deref(r.MaxUnavailable, intstr.IntOrString{}), ptr.Deref(r.MaxSurge, intstr.IntOrString{})
	positiveOrPercent(e, at, "maxUnavailable", unavailable)
	positiveOrPercent(e, at, "maxSurge", surge)
	atMostAll(e, at, "maxUnavailable", unavailable)
	atMostAll(e, at, "maxSurge", surge)
	switch a, b := amountOf(unavailable) != 0, amountOf(surge) != 0; {
	case a && b:
		e.Invalid(at, "maxSurge", surge, "may not be set when maxUnavailable is non-zero")
	case !a && !b:
		e.Required(at, "maxUnavailable", "cannot be 0 when maxSurge is 0")
	}
}

func validateDaemonSetUpdate(obj, old kinds.Object) field.ErrorList {
	ds, was := obj.(*appsv1.DaemonSet), old.(*appsv1.DaemonSet)
	if check.Equal(&ds.Spec, &was.Spec) {
		return nil // it was good before
	}
	var e check.Errors
	selectorKept(&e, ds.Spec.Selector, was.Spec.Selector)
	e.Add(validateDaemonSet(ds, was)...)
	return e.List()
}

// validateDaemonSetStatus checks the numbers of a status.
//
// Models pkg/apis/apps/validation validateDaemonSetStatus.
func validateDaemonSetStatus(obj, old kinds.Object) field.ErrorList {
	s, was := &obj.(*appsv1.DaemonSet).Status, &old.(*appsv1.DaemonSet).Status
	var e check.Errors
	at := check.Root("status")
	e.NonNegative(&at, "currentNumberScheduled", int64(s.CurrentNumberScheduled))
	e.NonNegative(&at, "numberMisscheduled", int64(s.NumberMisscheduled))
	e.NonNegative(&at, "desiredNumberScheduled", int64(s.DesiredNumberScheduled))
	e.NonNegative(&at, "numberReady", int64(s.NumberReady))
	e.NonNegative(&at, "observedGeneration", s.ObservedGeneration)
	e.NonNegative(&at, "updatedNumberScheduled", int64(s.UpdatedNumberScheduled))
	e.NonNegative(&at, "numberAvailable", int64(s.NumberAvailable))
	e.NonNegative(&at, "numberUnavailable", int64(s.NumberUnavailable))
	e.NonNegative(&at, "collisionCount", int64(ptr.Deref(s.CollisionCount, 0)))
	collisionsKept(&e, &at, s.CollisionCount, was.CollisionCount)
	return e.List()
}
