// Package admission completes and refuses objects on their way to the store, as kube-apiserver's built-in
// admission plugins do: first those that may change the object, then those that may only refuse it.
//
// It promises: a refusal is an *errors.StatusError in upstream's words; nothing is written here.
package admission

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"terrarium/core/kinds"
)

// Attributes describe one write.
type Attributes struct {
	Verb        string // "create", "update", "patch", "delete"
	Kind        *kinds.Kind
	Subresource string
	Object      kinds.Object // nil for delete
	Old         kinds.Object // nil for create
	User        string
}

// A Cluster is what plugins may look at.
type Cluster interface {
	Lookup(key kinds.Key) (kinds.Object, bool)
	// All returns the objects of a cluster-scoped resource in order of their names.
	All(resource string) []kinds.Object
}

// A Chain is the plugins in upstream's order.
type Chain struct{ cluster Cluster }

// New returns the chain that looks at cluster.
func New(cluster Cluster) *Chain { return &Chain{cluster} }

// Mutate lets the plugins complete the object.
func (c *Chain) Mutate(a *Attributes) error {
	if err := namespaceLifecycle(c.cluster, a); err != nil {
		return err
	}
	if a.Subresource != "" {
		return nil
	}
	taintNodesByCondition(a)
	if err := serviceAccount(c.cluster, a); err != nil {
		return err
	}
	if err := priority(c.cluster, a); err != nil {
		return err
	}
	defaultTolerationSeconds(a)
	return nil
}

// Validate lets the plugins refuse the write.
func (c *Chain) Validate(a *Attributes) error {
	if a.Verb == "delete" {
		return immortalNamespace(a)
	}
	return nil
}

// forbid refuses the write, naming the object as far as it has a name: names are generated after admission.
//
// Models k8s.io/apiserver pkg/admission errors.go NewForbidden.
func (a *Attributes) forbid(err error) *apierrors.StatusError {
	name := a.Object.GetName()
	if name == "" {
		name = a.Object.GetGenerateName()
	}
	if name == "" {
		name = "Unknown"
	}
	return apierrors.NewForbidden(a.Kind.GVR().GroupResource(), name, err)
}
