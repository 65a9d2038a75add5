// Package kinds says which kinds a cluster serves and how objects of each kind are treated: their names,
// defaults, validation and what a write may change.
//
// This package holds only the vocabulary (Object, Key, Kind, Strategy, Registry). Each API group has a
// folder with its kinds; package all puts them together; package codec turns bytes into objects and back.
//
// It promises: a Kind and its Strategy are pure. They keep no state and read no clock.
package kinds

import (
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Kind is one served kind in one version.
type Kind struct {
	GVK        schema.GroupVersionKind
	Resource   string   // plural, as in paths: "deployments"
	Singular   string   // "deployment"
	ShortNames []string // "deploy"
	Categories []string // "all"
	Namespaced bool

	New     func() Object         // a new empty object, without TypeMeta
	NewList func() runtime.Object // a new empty list, without TypeMeta

	// Verbs are what discovery advertises and the request path accepts; nil means the usual eight
	// (create, delete, deletecollection, get, list, patch, update, watch).
	Verbs []string
	// HasStatus says that status is a subresource: writes to the main resource keep the old status.
	HasStatus bool
	// Subresources are the further ones by name, such as "scale", "binding", "eviction".
	Subresources []string

	Strategy Strategy
}

// GVR returns the group, version and resource of the kind.
func (k *Kind) GVR() schema.GroupVersionResource {
	return k.GVK.GroupVersion().WithResource(k.Resource)
}

// StorageResource is the resource part of the keys under which objects of this kind are kept:
// "pods", "deployments.apps".
func (k *Kind) StorageResource() string {
	return schema.GroupResource{Group: k.GVK.Group, Resource: k.Resource}.String()
}

// Key returns the key of the named object of this kind; namespace is ignored for cluster-scoped kinds.
func (k *Kind) Key(namespace, name string) Key {
	if !k.Namespaced {
		namespace = ""
	}
	return Key{k.StorageResource(), namespace, name}
}

// A Strategy is what the request path does to objects of one kind. Every func may be nil, which means
// nothing to do. The funcs get objects that the caller owns and may change only the one called obj.
// Object metadata (name, namespace, labels, annotations, owner references, finalizers) is defaulted and
// validated by the request path for every kind alike and is not the strategy's business, except for
// ValidateName.
type Strategy struct {
	// Default fills in absent fields. It runs after decoding, on create and update alike.
	Default func(obj Object)
	// ValidateName checks metadata.name (and generateName as a prefix); nil means DNS subdomain.
	ValidateName func(name string, prefix bool) []string

	// PrepareForCreate clears what a client may not set (status above all) and sets what the server does.
	PrepareForCreate func(obj Object)
	Validate         func(obj Object) field.ErrorList

	// PrepareForUpdate keeps from old what this path may not change (status above all). It does not
	// touch generation: see SpecChanged.
	PrepareForUpdate func(obj, old Object)
	ValidateUpdate   func(obj, old Object) field.ErrorList

	PrepareForStatusUpdate func(obj, old Object) // keeps everything but status from old
	ValidateStatusUpdate   func(obj, old Object) field.ErrorList

	// SpecChanged reports whether metadata.generation must be increased. nil: the kind has no generation.
	SpecChanged func(obj, old Object) bool

	// Warnings are sent to the client beside the answer (old is nil on create).
	Warnings func(obj, old Object) []string

	// Fields are the values that field selectors may name, beside metadata.name and metadata.namespace.
	Fields func(obj Object) fields.Set
	// FieldNames lists the keys of Fields: a selector that names any other field is refused.
	FieldNames []string

	// CreateOnUpdate allows PUT to create (Lease, Event and a few others upstream).
	CreateOnUpdate bool
	// NoUnconditionalUpdate demands a resourceVersion on update.
	NoUnconditionalUpdate bool

	// Columns are what `kubectl get` prints for the kind; nil means Name and Age.
	Columns *Table
}

// A Table describes the printed columns of a kind.
type Table struct {
	Columns []Column
	// Cells returns one value a column (string, int64 or bool). now is for ages.
	Cells func(obj Object, now int64) []any
}

// A Column is one printed column, as in metav1.TableColumnDefinition.
type Column struct {
	Name, Type, Format, Description string
	Priority                        int32 // 0 is always shown, others with -o wide
}
