package apps

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
	"terrarium/core/kinds/core"
)

func replicaSets() kinds.Strategy {
	return kinds.Strategy{
		Default: func(obj kinds.Object) {
			spec := &obj.(*appsv1.ReplicaSet).Spec
			setDefault(&spec.Replicas, 1)
			core.DefaultPodTemplate(&spec.Template)
		},
		PrepareForCreate: func(obj kinds.Object) {
			rs := obj.(*appsv1.ReplicaSet)
			rs.Status = appsv1.ReplicaSetStatus{}
			core.DropTemplateFields(&rs.Spec.Template, nil)
		},
		Validate: func(obj kinds.Object) field.ErrorList { return validateReplicaSet(obj.(*appsv1.ReplicaSet), nil) },
		PrepareForUpdate: func(obj, old kinds.Object) {
			rs, was := obj.(*appsv1.ReplicaSet), old.(*appsv1.ReplicaSet)
			rs.Status = was.Status
			core.DropTemplateFields(&rs.Spec.Template, &was.Spec.Template)
		},
		ValidateUpdate: validateReplicaSetUpdate,
		PrepareForStatusUpdate: func(obj, old kinds.Object) {
			obj.(*appsv1.ReplicaSet).Spec = old.(*appsv1.ReplicaSet).Spec
		},
		ValidateStatusUpdate: validateReplicaSetStatus,
		SpecChanged: func(obj, old kinds.Object) bool {
			return !check.Equal(&obj.(*appsv1.ReplicaSet).Spec, &old.(*appsv1.ReplicaSet).Spec)
		},
		Warnings: namedWarnings,
	}
}

// validateReplicaSet checks a replica set; old is nil for a new one.
//
// Models pkg/apis/apps/validation ValidateReplicaSetSpec.
func validateReplicaSet(rs, old *appsv1.ReplicaSet) field.ErrorList {
	spec := &rs.Spec
	var e check.Errors
	at := check.Root("spec")
	e.NonNegative(&at, "replicas", int64(ptr.Deref(spec.Replicas, 0)))
	e.NonNegative(&at, "minReadySeconds", int64(spec.MinReadySeconds))
	t := selected{selector: spec.Selector, template: &spec.Template}
	if old != nil {
		t.old = &old.Spec.Template
	}
	t.check(&e, &at)
	return e.List()
}

func validateReplicaSetUpdate(obj, old kinds.Object) field.ErrorList {
	rs, was := obj.(*appsv1.ReplicaSet), old.(*appsv1.ReplicaSet)
	if check.Equal(&rs.Spec, &was.Spec) {
		return nil // it was good before
	}
	var e check.Errors
	e.Add(validateReplicaSet(rs, was)...)
	selectorKept(&e, rs.Spec.Selector, was.Spec.Selector)
	return e.List()
}

// validateReplicaSetStatus checks that the numbers of a status fit each other.
//
// Models pkg/apis/apps/validation ValidateReplicaSetStatus.
func validateReplicaSetStatus(obj, _ kinds.Object) field.ErrorList {
	s := &obj.(*appsv1.ReplicaSet).Status
	var e check.Errors
	at := check.Root("status")
	e.NonNegative(&at, "replicas", int64(s.Replicas))
	e.NonNegative(&at, "fullyLabeledReplicas", int64(s.FullyLabeledReplicas))
	e.NonNegative(&at, "readyReplicas", int64(s.ReadyReplicas))
	e.NonNegative(&at, "availableReplicas", int64(s.AvailableReplicas))
	e.NonNegative(&at, "observedGeneration", s.ObservedGeneration)
	e.NonNegative(&at, "terminatingReplicas", int64(ptr.Deref(s.TerminatingReplicas, 0)))
	e.AtMost(&at, "fullyLabeledReplicas", s.FullyLabeledReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "readyReplicas", s.ReadyReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "availableReplicas", s.AvailableReplicas, s.Replicas, aboveReplicas)
	e.AtMost(&at, "availableReplicas", s.AvailableReplicas, s.ReadyReplicas, "cannot be greater than readyReplicas")
	return e.List()
}
