// Package owner settles which objects belong to a controller: it adopts orphans that match the selector
// and releases owned objects that no longer do.
//
// It promises: an object controlled by someone else is never touched; nothing is adopted by an owner that
// is being deleted, which is checked with a live read before the first adoption of a Claim.
package owner

import (
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
)

// Orphans is the index value of objects in a namespace that no controller owns.
func Orphans(namespace string) string { return namespace }

// Owned is the index value of objects in a namespace that the controller of that UID owns.
func Owned(namespace string, uid types.UID) string { return namespace + "/" + string(uid) }

// Index is the name of the index that IndexValue feeds.
const Index = "controller"

// IndexValue files obj under its controller, or among the orphans of its namespace.
func IndexValue(obj metav1.Object) string {
	if ref := metav1.GetControllerOfNoCopy(obj); ref != nil {
		return Owned(obj.GetNamespace(), ref.UID)
	}
	return Orphans(obj.GetNamespace())
}

// A Claim is one attempt of an owner to settle what it owns.
type Claim[T kinds.Object] struct {
	Owner    metav1.Object
	Kind     schema.GroupVersionKind // of the owner
	Selector labels.Selector

	// Live reads the owner from the API, past every cache.
	Live func() (metav1.Object, error)
	// Patch sends a strategic merge patch of obj's metadata.
	Patch func(obj T, patch []byte) error
}

// Run adopts and releases, and returns the objects that the owner has now, in the order given, as they
// were before. Models pkg/controller BaseControllerRefManager ClaimObject.
func (c *Claim[T]) Run(objs []T) ([]T, error) {
	var owned []T
	var errs []error
	mayAdopt := c.mayAdoptOnce()
	for _, obj := range objs {
		switch decide(c.Owner, c.Selector, obj) {
		case keep:
			owned = append(owned, obj)
		case release:
			if err := c.release(obj); err != nil {
				errs = append(errs, err)
			}
		case adopt:
			err := c.adopt(obj, mayAdopt)
			if err == nil {
				owned = append(owned, obj)
			} else if !apierrors.IsNotFound(err) {
				errs = append(errs, err)
			}
		}
	}
	return owned, errors.Join(errs...)
}

type verdict int

const (
	ignore verdict = iota
	keep
	adopt
	release
)

// decide says what becomes of obj.
func decide(owner metav1.Object, selector labels.Selector, obj metav1.Object) verdict {
	ref := metav1.GetControllerOfNoCopy(obj)
	if ref != nil && ref.UID != owner.GetUID() {
		return ignore
	}
	matches := selector.Matches(labels.Set(obj.GetLabels()))
	ending := owner.GetDeletionTimestamp() != nil
	switch {
	case ref != nil && matches:
		return keep
	case ref != nil && !ending:
		return release
	case ref == nil && matches && !ending && obj.GetDeletionTimestamp() == nil && obj.GetNamespace() == owner.GetNamespace():
		return adopt
	}
	return ignore
}

// mayAdoptOnce returns a check that reads the live owner the first time it is asked.
func (c *Claim[T]) mayAdoptOnce() func() error {
	asked, answer := false, error(nil)
	return func() error {
		if !asked {
			asked, answer = true, c.mayAdopt()
		}
		return answer
	}
}

// Models pkg/controller RecheckDeletionTimestamp.
func (c *Claim[T]) mayAdopt() error {
	live, err := c.Live()
	if err != nil {
		return fmt.Errorf("can't recheck DeletionTimestamp: %w", err)
	}
	if live.GetUID() != c.Owner.GetUID() {
		return fmt.Errorf("original %s %s/%s is gone: got uid %s, wanted %s",
			c.Kind.Kind, c.Owner.GetNamespace(), c.Owner.GetName(), live.GetUID(), c.Owner.GetUID())
	}
	if live.GetDeletionTimestamp() != nil {
		return fmt.Errorf("%s/%s has just been deleted at %v", live.GetNamespace(), live.GetName(), live.GetDeletionTimestamp())
	}
	return nil
}

func (c *Claim[T]) adopt(obj T, mayAdopt func() error) error {
	if err := mayAdopt(); err != nil {
		return fmt.Errorf("can't adopt %s/%s (%s): %w", obj.GetNamespace(), obj.GetName(), obj.GetUID(), err)
	}
	return c.Patch(obj, MetadataPatch(obj.GetUID(), Reference(c.Owner, c.Kind)))
}

// release ignores 404 and 422: the object is gone, or no longer the one that was meant.
func (c *Claim[T]) release(obj T) error {
	err := c.Patch(obj, MetadataPatch(obj.GetUID(), Dropped(c.Owner.GetUID())))
	if apierrors.IsNotFound(err) || apierrors.IsInvalid(err) {
		return nil
	}
	return err
}

// Dropped is what a patch says to take away the reference to the owner of that UID.
func Dropped(uid types.UID) any { return map[string]string{"$patch": "delete", "uid": string(uid)} }

// MetadataPatch returns a strategic merge patch of owner references, which applies only to the object of
// that UID.
func MetadataPatch(uid types.UID, refs ...any) []byte {
	var patch struct {
		Metadata struct {
			UID             types.UID `json:"uid"`
			OwnerReferences []any     `json:"ownerReferences"`
		} `json:"metadata"`
	}
	patch.Metadata.UID = uid
	patch.Metadata.OwnerReferences = refs
	data, err := json.Marshal(&patch)
	if err != nil {
		panic("BUG: owner: " + err.Error())
	}
	return data
}

// Reference returns the reference that makes owner the controller of an object.
func Reference(owner metav1.Object, kind schema.GroupVersionKind) metav1.OwnerReference {
	return *metav1.NewControllerRef(owner, kind)
}
