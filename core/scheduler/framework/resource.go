package framework

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	core "terrarium/core/kinds/core"
)

// A Scalar is an amount of a resource other than CPU, memory, ephemeral storage and pods.
type Scalar struct {
	Name  corev1.ResourceName
	Value int64
}

// Resource is amounts of resources as integers.
type Resource struct {
	MilliCPU         int64
	Memory           int64 // bytes
	EphemeralStorage int64 // bytes
	Pods             int64 // only of what a node can hold
	Scalars          []Scalar
	// Scalars is sorted by name and never changed in place, so that Resources may share it.
}

// NewResource reads a list of quantities.
func NewResource(list corev1.ResourceList) Resource {
	r := resourceOf(core.AmountsOf(list))
	if q, ok := list[corev1.ResourcePods]; ok {
		r.Pods = q.Value()
	}
	return r
}

// Scalar returns the amount of the named scalar resource and whether there is an entry for it.
func (r *Resource) Scalar(name corev1.ResourceName) (int64, bool) {
	for i := range r.Scalars {
		if r.Scalars[i].Name == name {
			return r.Scalars[i].Value, true
		}
	}
	return 0, false
}

// Get returns the amount of the named resource.
func (r *Resource) Get(name corev1.ResourceName) int64 {
	switch name {
	case corev1.ResourceCPU:
		return r.MilliCPU
	case corev1.ResourceMemory:
		return r.Memory
	case corev1.ResourceEphemeralStorage:
		return r.EphemeralStorage
	}
	v, _ := r.Scalar(name)
	return v
}

// add adds sign times o.
func (r *Resource) add(o *Resource, sign int64) {
	r.MilliCPU += sign * o.MilliCPU
	r.Memory += sign * o.Memory
	r.EphemeralStorage += sign * o.EphemeralStorage
	for _, s := range o.Scalars {
		have, _ := r.Scalar(s.Name)
		r.setScalar(s.Name, have+sign*s.Value)
	}
}

// setScalar replaces one entry in a new slice.
func (r *Resource) setScalar(name corev1.ResourceName, v int64) {
	i, found := slices.BinarySearchFunc(r.Scalars, name, func(s Scalar, n corev1.ResourceName) int {
		return strings.Compare(string(s.Name), string(n))
	})
	next := slices.Clone(r.Scalars)
	if found {
		next[i].Value = v
	} else {
		next = slices.Insert(next, i, Scalar{name, v})
	}
	r.Scalars = next
}

// IsZero reports whether nothing is asked for.
func (r *Resource) IsZero() bool {
	return r.MilliCPU == 0 && r.Memory == 0 && r.EphemeralStorage == 0 && len(r.Scalars) == 0
}

// IsScalar reports whether the scheduler counts the named resource as a scalar: extended resources, huge
// pages, prefixed native resources and attachable volumes.
// Models pkg/scheduler/util IsScalarResourceName.
func IsScalar(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourcePods:
		return false
	}
	n := string(name)
	return strings.HasPrefix(n, corev1.ResourceHugePagesPrefix) ||
		strings.HasPrefix(n, corev1.ResourceAttachableVolumesPrefix) ||
		strings.Contains(n, corev1.ResourceDefaultNamespacePrefix) || IsExtended(name)
}

// IsExtended reports whether the name is one of a resource that Kubernetes itself does not know.
// Models pkg/apis/core/v1/helper IsExtendedResourceName.
func IsExtended(name corev1.ResourceName) bool {
	n := string(name)
	if !strings.Contains(n, "/") || strings.Contains(n, corev1.ResourceDefaultNamespacePrefix) ||
		strings.HasPrefix(n, corev1.DefaultResourceRequestsPrefix) {
		return false
	}
	return len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+n)) == 0
}
