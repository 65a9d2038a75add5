package garbagecollector

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/controller/owner"
	"terrarium/core/kinds"
)

var (
	// errNotObserved means that an owner exists but no informer has shown it yet: ask again.
	errNotObserved = errors.New("the object exists but has not been observed yet")
	// errNamespacedOwner means that a cluster-scoped object names a namespaced owner. It is left alone.
	errNamespacedOwner = errors.New("cluster-scoped objects cannot refer to namespaced owners")
)

// lookAt deletes the object if its owners are gone, or lets its deletion go on.
// Models attemptToDeleteWorker and attemptToDeleteItem.
func (c *Controller) lookAt(n *node) error {
	if n.virtual {
		if known := c.graph.nodes[n.id.UID]; known == nil || !known.virtual {
			return nil
		}
	}
	if n.beingDeleted && !n.deletingDependents {
		return nil
	}
	latest, err := c.get(n.id)
	switch {
	case errors.Is(err, errNamespacedOwner):
		return nil
	case apierrors.IsNotFound(err), err == nil && latest.GetUID() != n.id.UID:
		c.graph.gone(n.id, true)
		return nil
	case err != nil:
		return err
	case n.deletingDependents:
		return c.deleteDependents(n)
	case len(latest.GetOwnerReferences()) > 0:
		if err := c.settle(n, latest); err != nil {
			return err
		}
	}
	if n.virtual {
		return errNotObserved
	}
	return nil
}

// settle keeps the object while one of its owners is there, without the references to those that are not;
// else it deletes it.
func (c *Controller) settle(n *node, latest kinds.Object) error {
	owners, err := c.classify(n, latest.GetOwnerReferences())
	switch {
	case errors.Is(err, errNamespacedOwner):
		return nil
	case err != nil:
		return err
	case owners.solid > 0:
		if len(owners.dangling)+len(owners.waiting) == 0 {
			return nil
		}
		return c.dropRefs(n, append(owners.dangling, owners.waiting...))
	case len(owners.waiting) > 0 && len(n.dependents.list) > 0:
		return c.deleteInForeground(n, latest)
	}
	return c.delete(n, latest, policyOf(latest))
}

// policyOf keeps to the propagation that the object's finalizers ask for.
func policyOf(obj kinds.Object) metav1.DeletionPropagation {
	policy := metav1.DeletePropagationBackground
	for _, f := range obj.GetFinalizers() {
		switch f {
		case metav1.FinalizerOrphanDependents:
			return metav1.DeletePropagationOrphan
		case metav1.FinalizerDeleteDependents:
			policy = metav1.DeletePropagationForeground
		}
	}
	return policy
}

// deleteInForeground deletes an object that blocks its owner and has dependents itself. If one of those is
// deleting its dependents in turn there may be a cycle, which non-blocking references open.
func (c *Controller) deleteInForeground(n *node, latest kinds.Object) error {
	for _, d := range n.dependents.list {
		if d.deletingDependents {
			if err := c.patchRefs(n, unblocked(n.owners)...); err != nil {
				return err
			}
			break
		}
	}
	return c.delete(n, latest, metav1.DeletePropagationForeground)
}

func unblocked(refs []metav1.OwnerReference) []any {
	no := false
	var out []any
	for _, ref := range refs {
		if blocks(ref) {
			ref.BlockOwnerDeletion = &no
			out = append(out, ref)
		}
	}
	return out
}

// deleteDependents lets an owner go once nothing blocks it; until then it looks at what does.
// Models processDeletingDependentsItem.
func (c *Controller) deleteDependents(n *node) error {
	blocking := n.blocking()
	if len(blocking) == 0 {
		return c.removeFinalizer(n.id, metav1.FinalizerDeleteDependents)
	}
	for _, d := range blocking {
		if !d.deletingDependents {
			c.graph.look(d)
		}
	}
	return nil
}

// letDependentsGo takes the references to an owner off its dependents, and then lets it go.
// Models attemptToOrphanWorker.
func (c *Controller) letDependentsGo(n *node) error {
	var errs []error
	c.deps.Trace.Parallel(func() {
		for _, d := range n.dependents.list {
			if err := c.dropRefs(d, []types.UID{n.id.UID}); err != nil && !apierrors.IsNotFound(err) {
				errs = append(errs, err)
			}
		}
	})
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return c.removeFinalizer(n.id, metav1.FinalizerOrphanDependents)
}

// owners are an object's references by what became of those they name.
type owners struct {
	solid    int         // exist
	dangling []types.UID // do not
	waiting  []types.UID // exist, and wait for this object's deletion
}

// classify asks the API about each owner, unless it is known to be absent. Models classifyReferences.
func (c *Controller) classify(n *node, refs []metav1.OwnerReference) (o owners, err error) {
	for _, ref := range refs {
		live, err := c.liveOwner(n, ref)
		switch {
		case err != nil:
			return o, err
		case live == nil:
			o.dangling = append(o.dangling, ref.UID)
		case deleting(live, metav1.FinalizerDeleteDependents):
			o.waiting = append(o.waiting, ref.UID)
		default:
			o.solid++
		}
	}
	return o, nil
}

// liveOwner returns the object that the node's reference names, nil if there is none. Models isDangling.
func (c *Controller) liveOwner(n *node, ref metav1.OwnerReference) (kinds.Object, error) {
	clusterScoped, id := identityOf(ref, ""), identityOf(ref, n.id.Namespace)
	if c.graph.isAbsent(clusterScoped) || c.graph.isAbsent(id) {
		return nil, nil
	}
	kind := c.kindOf(ref.APIVersion, ref.Kind)
	if kind != nil && !kind.Namespaced {
		id = clusterScoped
	}
	live, err := c.get(id)
	if apierrors.IsNotFound(err) || err == nil && live.GetUID() != ref.UID {
		c.graph.absent.Add(id, nil)
		return nil, nil
	}
	return live, err
}

func (c *Controller) dropRefs(n *node, uids []types.UID) error {
	refs := make([]any, len(uids))
	for i, uid := range uids {
		refs[i] = owner.Dropped(uid)
	}
	return c.patchRefs(n, refs...)
}
