// Package meta validates the metadata of objects of any kind: the request path calls it before the kind's
// own strategy.
//
// It promises: good metadata costs a few string scans; errors come in the order and the words of upstream,
// maps in the order of their keys.
package meta

import (
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"terrarium/core/kinds/check"
)

// ValidateObjectMeta checks the metadata of an object that is about to be created, its name generated
// already. name is the kind's rule for names; nil means DNS subdomain.
//
// Models pkg/apis/core/validation ValidateObjectMeta.
func ValidateObjectMeta(m *metav1.ObjectMeta, namespaced bool, name func(string, bool) []string) field.ErrorList {
	var e check.Errors
	at := check.Root("metadata")
	if name == nil {
		name = check.SubdomainName
	}
	if m.GenerateName != "" {
		e.InvalidAll(&at, "generateName", m.GenerateName, name(m.GenerateName, true))
	}
	if m.Name == "" {
		e.Required(&at, "name", "name or generateName is required")
	} else if wrong := name(m.Name, false); len(wrong) > 0 {
		e.InvalidAll(&at, "name", m.Name, wrong)
	}
	validateNamespace(&e, &at, m.Namespace, namespaced)
	e.NonNegative(&at, "generation", m.Generation)
	e.Labels(&at, "labels", m.Labels)
	e.Annotations(&at, "annotations", m.Annotations)
	validateOwners(&e, &at, m.OwnerReferences)
	if len(m.Finalizers) > 0 {
		e.Add(apivalidation.ValidateFinalizers(m.Finalizers, at.Field().Child("finalizers"))...)
	}
	validateManagedFields(&e, &at, m.ManagedFields)
	validateFinalizerNames(&e, &at, m.Finalizers)
	return e.List()
}

// ValidateObjectMetaUpdate checks the metadata of an object that replaces old.
//
// Models pkg/apis/core/validation ValidateObjectMetaUpdate.
func ValidateObjectMetaUpdate(m, old *metav1.ObjectMeta) field.ErrorList {
	var e check.Errors
	at := check.Root("metadata")
	if old.DeletionTimestamp != nil && !subset(m.Finalizers, old.Finalizers) {
		e.Add(apivalidation.ValidateNoNewFinalizers(m.Finalizers, old.Finalizers, at.Field().Child("finalizers"))...)
	}
	if m.ResourceVersion == "" {
		e.Invalid(&at, "resourceVersion", "", "must be specified for an update")
	}
	e.NonNegative(&at, "generation", m.Generation)
	if m.Generation < old.Generation {
		e.Invalid(&at, "generation", m.Generation, "must not be decremented")
	}
	validateImmutable(&e, &at, m, old)
	e.Labels(&at, "labels", m.Labels)
	e.Annotations(&at, "annotations", m.Annotations)
	validateOwners(&e, &at, m.OwnerReferences)
	validateManagedFields(&e, &at, m.ManagedFields)
	validateFinalizerNames(&e, &at, m.Finalizers)
	return e.List()
}

func validateImmutable(e *check.Errors, at *check.Path, m, old *metav1.ObjectMeta) {
	if m.Name != old.Name {
		e.Invalid(at, "name", m.Name, apivalidation.FieldImmutableErrorMsg)
	}
	if m.Namespace != old.Namespace {
		e.Invalid(at, "namespace", m.Namespace, apivalidation.FieldImmutableErrorMsg)
	}
	if m.UID != old.UID {
		e.Invalid(at, "uid", m.UID, apivalidation.FieldImmutableErrorMsg)
	}
	if !m.CreationTimestamp.Equal(&old.CreationTimestamp) {
		e.Invalid(at, "creationTimestamp", m.CreationTimestamp, apivalidation.FieldImmutableErrorMsg)
	}
	if !m.DeletionTimestamp.Equal(old.DeletionTimestamp) {
		e.Invalid(at, "deletionTimestamp", m.DeletionTimestamp, apivalidation.FieldImmutableErrorMsg)
	}
	if !equalPointers(m.DeletionGracePeriodSeconds, old.DeletionGracePeriodSeconds) {
		e.Invalid(at, "deletionGracePeriodSeconds", m.DeletionGracePeriodSeconds, apivalidation.FieldImmutableErrorMsg)
	}
}

func validateNamespace(e *check.Errors, at *check.Path, namespace string, namespaced bool) {
	switch {
	case !namespaced && namespace != "":
		e.Forbidden(at, "namespace", "not allowed on this type")
	case namespaced && namespace == "":
		e.Required(at, "namespace", "")
	case namespaced:
		e.DNSLabel(at, "namespace", namespace)
	}
}

func validateOwners(e *check.Errors, at *check.Path, owners []metav1.OwnerReference) {
	controllers, plain := 0, true
	for i := range owners {
		o := &owners[i]
		if o.Controller != nil && *o.Controller {
			controllers++
		}
		slash := strings.IndexByte(o.APIVersion, '/')
		plain = plain && o.APIVersion != "" && slash != len(o.APIVersion)-1 &&
			strings.IndexByte(o.APIVersion[slash+1:], '/') < 0 &&
			o.Kind != "" && o.Kind != "Event" && o.Name != "" && o.UID != ""
	}
	if controllers > 1 || !plain {
		e.Add(apivalidation.ValidateOwnerReferences(owners, at.Field().Child("ownerReferences"))...)
	}
}

func validateManagedFields(e *check.Errors, at *check.Path, entries []metav1.ManagedFieldsEntry) {
	if len(entries) > 0 {
		e.Add(metavalidation.ValidateManagedFields(entries, at.Field().Child("managedFields"))...)
	}
}

// validateFinalizerNames refuses short names other than Kubernetes' own.
func validateFinalizerNames(e *check.Errors, at *check.Path, finalizers []string) {
	list := at.Child("finalizers")
	for i, name := range finalizers {
		finalizer := list.Index(i)
		FinalizerName(e, &finalizer, name)
	}
}

// FinalizerName checks that a finalizer is one of Kubernetes' own or has a domain.
//
// Models pkg/apis/core/validation validateKubeFinalizerName.
func FinalizerName(e *check.Errors, at *check.Path, name string) {
	switch {
	case strings.Contains(name, "/"):
	case name == "kubernetes", name == metav1.FinalizerOrphanDependents, name == metav1.FinalizerDeleteDependents:
	default:
		e.Invalid(at, "", name, "name is neither a standard finalizer name nor is it fully qualified")
	}
}

func subset(list, of []string) bool {
	var have check.Set
	for _, s := range of {
		have.Add(s)
	}
	for _, s := range list {
		if !have.Has(s) {
			return false
		}
	}
	return true
}

func equalPointers[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
