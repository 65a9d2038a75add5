package core

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds"
	"terrarium/core/kinds/check"
	"terrarium/core/kinds/meta"
)

func namespaces() kinds.Strategy {
	return kinds.Strategy{
		Default:                defaultNamespace,
		ValidateName:           check.LabelName,
		PrepareForCreate:       prepareNamespace,
		Validate:               validateNamespace,
		PrepareForUpdate:       prepareNamespaceUpdate,
		ValidateUpdate:         validateNamespaceUpdate,
		PrepareForStatusUpdate: prepareNamespaceStatus,
		ValidateStatusUpdate:   validateNamespaceStatus,
		FieldNames:             []string{"status.phase"},
		Fields: func(obj kinds.Object) fields.Set {
			return fields.Set{"status.phase": string(obj.(*corev1.Namespace).Status.Phase)}
		},
	}
}

// defaultNamespace labels a namespace with its name, for selectors.
func defaultNamespace(obj kinds.Object) {
	n := obj.(*corev1.Namespace)
	if n.Name != "" && n.Labels[corev1.LabelMetadataName] != n.Name {
		n.Labels = maps.Clone(n.Labels)
		if n.Labels == nil {
			n.Labels = map[string]string{}
		}
		n.Labels[corev1.LabelMetadataName] = n.Name
	}
	if n.Status.Phase == "" {
		n.Status.Phase = corev1.NamespaceActive
	}
}

// prepareNamespace makes a new namespace active and keeps it, when it is deleted, until its content is gone.
func prepareNamespace(obj kinds.Object) {
	n := obj.(*corev1.Namespace)
	defaultNamespace(n) // the name may have been generated since
	n.Status = corev1.NamespaceStatus{Phase: corev1.NamespaceActive}
	if !slices.Contains(n.Spec.Finalizers, corev1.FinalizerKubernetes) {
		n.Spec.Finalizers = append(slices.Clip(n.Spec.Finalizers), corev1.FinalizerKubernetes)
	}
}

func prepareNamespaceUpdate(obj, old kinds.Object) {
	n, was := obj.(*corev1.Namespace), old.(*corev1.Namespace)
	n.Spec.Finalizers = was.Spec.Finalizers
	n.Status = was.Status
}

func prepareNamespaceStatus(obj, old kinds.Object) {
	n, was := obj.(*corev1.Namespace), old.(*corev1.Namespace)
	n.Spec = was.Spec
}

// prepareNamespaceFinalize is for the finalize subresource, which alone may change spec.finalizers.
func prepareNamespaceFinalize(obj, old kinds.Object) {
	obj.(*corev1.Namespace).Status = old.(*corev1.Namespace).Status
}

func validateNamespace(obj kinds.Object) field.ErrorList {
	var e check.Errors
	spec := check.Root("spec")
	finalizers := spec.Child("finalizers")
	for _, f := range obj.(*corev1.Namespace).Spec.Finalizers {
		namespaceFinalizer(&e, &finalizers, string(f))
	}
	return e.List()
}

func validateNamespaceUpdate(obj, _ kinds.Object) field.ErrorList { return validateNamespace(obj) }

func validateNamespaceFinalize(obj, _ kinds.Object) field.ErrorList {
	var e check.Errors
	spec := check.Root("spec")
	finalizers := spec.Child("finalizers")
	for i, f := range obj.(*corev1.Namespace).Spec.Finalizers {
		finalizer := finalizers.Index(i)
		namespaceFinalizer(&e, &finalizer, string(f))
	}
	return e.List()
}

func namespaceFinalizer(e *check.Errors, at *check.Path, name string) {
	e.QualifiedName(at, "", name)
	meta.FinalizerName(e, at, name)
}

// validateNamespaceStatus checks that a namespace is Terminating exactly while it is being deleted.
//
// Models pkg/apis/core/validation ValidateNamespaceStatusUpdate.
func validateNamespaceStatus(obj, _ kinds.Object) field.ErrorList {
	n := obj.(*corev1.Namespace)
	var e check.Errors
	status := check.Root("status")
	switch deleted := !n.DeletionTimestamp.IsZero(); {
	case !deleted && n.Status.Phase != corev1.NamespaceActive:
		e.Invalid(&status, "Phase", n.Status.Phase, "may only be 'Active' if `deletionTimestamp` is empty")
	case deleted && n.Status.Phase != corev1.NamespaceTerminating:
		e.Invalid(&status, "Phase", n.Status.Phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")
	}
	return e.List()
}
