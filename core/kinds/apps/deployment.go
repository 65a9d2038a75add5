package apps

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
	"terrarium/core/kinds/core"
)

func deployments() kinds.Strategy {
	return kinds.Strategy{
		Default:                defaultDeployment,
		PrepareForCreate:       prepareDeployment,
		Validate:               func(obj kinds.Object) field.ErrorList { return validateDeployment(obj.(*appsv1.Deployment), nil) },
		PrepareForUpdate:       prepareDeploymentUpdate,
		ValidateUpdate:         validateDeploymentUpdate,
		PrepareForStatusUpdate: prepareDeploymentStatus,
		ValidateStatusUpdate:   validateDeploymentStatus,
		SpecChanged:            deploymentChanged,
		Warnings:               namedWarnings,
	}
}

// defaultDeployment fills in one replica, a rolling update by quarters, ten revisions, ten minutes.
//
// Models pkg/apis/apps/v1 SetDefaults_Deployment.
func defaultDeployment(obj kinds.Object) {
	spec := &obj.(*appsv1.Deployment).Spec
	setDefault(&spec.Replicas, 1)
	if spec.Strategy.Type == "" {
		spec.Strategy.Type = appsv1.RollingUpdateDeploymentStrategyType
	}
	if spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		var r appsv1.RollingUpdateDeployment
		if spec.Strategy.RollingUpdate != nil {
			r = *spec.Strategy.RollingUpdate
		}
		if r.MaxUnavailable == nil || r.MaxSurge == nil {
			setDefault(&r.MaxUnavailable, intstr.FromString("25%"))
			setDefault(&r.MaxSurge, intstr.FromString("25%"))
			spec.Strategy.RollingUpdate = &r
		}
	}
	setDefault(&spec.RevisionHistoryLimit, 10)
	setDefault(&spec.ProgressDeadlineSeconds, 600)
	core.DefaultPodTemplate(&spec.Template)
}

func setDefault[T any](p **T, value T) {
	if *p == nil {
		*p = &value
	}
}

func prepareDeployment(obj kinds.Object) {
	d := obj.(*appsv1.Deployment)
	d.Status = appsv1.DeploymentStatus{}
	core.DropTemplateFields(&d.Spec.Template, nil)
}

func prepareDeploymentUpdate(obj, old kinds.Object) {
	d, was := obj.(*appsv1.Deployment), old.(*appsv1.Deployment)
	d.Status = was.Status
	core.DropTemplateFields(&d.Spec.Template, &was.Spec.Template)
}

func prepareDeploymentStatus(obj, old kinds.Object) {
	d, was := obj.(*appsv1.Deployment), old.(*appsv1.Deployment)
	d.Spec = was.Spec
	d.Labels = was.Labels
}

// deploymentChanged counts annotations too: rollbacks are recorded there.
func deploymentChanged(obj, old kinds.Object) bool {
	d, was := obj.(*appsv1.Deployment), old.(*appsv1.Deployment)
	return !check.Equal(&d.Spec, &was.Spec) || !maps.Equal(d.Annotations, was.Annotations)
}

// validateDeployment checks a deployment; old is nil for a new one.
//
// Models pkg/apis/apps/validation ValidateDeploymentSpec.
func validateDeployment(d, old *appsv1.Deployment) field.ErrorList {
	spec := &d.Spec
	var e check.Errors
	at := check.Root("spec")
	e.NonNegative(&at, "replicas", int64(ptr.Deref(spec.Replicas, 0)))
	t := selected{selector: spec.Selector, template: &spec.Template}
	if old != nil {
		t.old = &old.Spec.Template
	}
	t.check(&e, &at)
	deploymentStrategy(&e, &at, &spec.Strategy)
	e.NonNegative(&at, "minReadySeconds", int64(spec.MinReadySeconds))
	if n := spec.RevisionHistoryLimit; n != nil {
		e.NonNegative(&at, "revisionHistoryLimit", int64(*n))
	}
	if n := spec.ProgressDeadlineSeconds; n != nil {
		e.NonNegative(&at, "progressDeadlineSeconds", int64(*n))
		if *n <= spec.MinReadySeconds {
			e.Invalid(&at, "progressDeadlineSeconds", *n, "must be greater than minReadySeconds")
		}
	}
	return e.List()
}

func deploymentStrategy(e *check.Errors, at *check.Path, s *appsv1.DeploymentStrategy) {
	switch s.Type {
	case appsv1.RecreateDeploymentStrategyType:
		if s.RollingUpdate != nil {
			e.Forbidden(at, "strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")
		}
	case appsv1.RollingUpdateDeploymentStrategyType:
		if s.RollingUpdate == nil {
			e.Required(at, "strategy.rollingUpdate", "this should be defaulted and never be nil")
		} else {
			rolling := at.Child("strategy.rollingUpdate")
			rollingDeployment(e, &rolling, s.RollingUpdate)
		}
	default:
		shown := s.DeepCopy()
		if shown.RollingUpdate != nil { // these are not pointers in upstream's internal type
			setDefault(&shown.RollingUpdate.MaxUnavailable, intstr.FromInt32(0))
			setDefault(&shown.RollingUpdate.MaxSurge, intstr.FromInt32(0))
		}
		e.NotSupported(at, "strategy", check.Internal(shown), "Recreate", "RollingUpdate")
	}
}

// rollingDeployment checks that a rolling update can make progress.
//
// Models pkg/apis/apps/validation ValidateRollingUpdateDeployment.
func rollingDeployment(e *check.Errors, at *check.Path, r *appsv1.RollingUpdateDeployment) {
	unavailable, surge := ptr.Deref(r.MaxUnavailable, intstr.IntOrString{}), ptr.Deref(r.MaxSurge, intstr.IntOrString{})
	positiveOrPercent(e, at, "maxUnavailable", unavailable)
	positiveOrPercent(e, at, "maxSurge", surge)
	if amountOf(unavailable) == 0 && amountOf(surge) == 0 {
		e.Invalid(at, "maxUnavailable", unavailable, "may not be 0 when `maxSurge` is 0")
	}
	atMostAll(e, at, "maxUnavailable", unavailable)
}

func validateDeploymentUpdate(obj, old kinds.Object) field.ErrorList {
	d, was := obj.(*appsv1.Deployment), old.(*appsv1.Deployment)
	if check.Equal(&d.Spec, &was.Spec) {
		return nil // it was good before
	}
	var e check.Errors
	e.Add(validateDeployment(d, was)...)
	selectorKept(&e, d.Spec.Selector, was.Spec.Selector)
	return e.List()
}

// validateDeploymentStatus checks that the numbers of a status fit each other.
//
// Models pkg/apis/apps/validation ValidateDeploymentStatus.
func validateDeploymentStatus(obj, old kinds.Object) field.ErrorList {
	s, was := &obj.(*appsv1.Deployment).Status, &old.(*appsv1.Deployment).Status
	var e check.Errors
	at := check.Root("status")
	e.NonNegative(&at, "observedGeneration", s.ObservedGeneration)
	e.NonNegative(&at, "replicas", int64(s.Replicas))
	e.NonNegative(&at, "updatedReplicas", int64(s.UpdatedReplicas))
	e.NonNegative(&at, "readyReplicas", int64(s.ReadyReplicas))
	e.NonNegative(&at, "availableReplicas", int64(s.AvailableReplicas))
	e.NonNegative(&at, "unavailableReplicas", int64(s.UnavailableReplicas))
	e.NonNegative(&at, "terminatingReplicas", int64(ptr.Deref(s.TerminatingReplicas, 0)))
	e.NonNegative(&at, "collisionCount", int64(ptr.Deref(s.CollisionCount, 0)))
	e.AtMost(&at, "updatedReplicas", s.UpdatedReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "readyReplicas", s.ReadyReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "availableReplicas", s.AvailableReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "availableReplicas", s.AvailableReplicas, s.ReadyReplicas, "cannot be greater than readyReplicas")
	collisionsKept(&e, &at, s.CollisionCount, was.CollisionCount)
	return e.List()
}
