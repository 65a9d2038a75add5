package replicaset

import (
	"errors"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/controller/owner"
	"terrarium/core/controller/pods"
)

// manage creates the pods that are missing or deletes those too many, a burst at most; the events that
// follow bring the set back here. Models manageReplicas.
func (c *Controller) manage(rs *appsv1.ReplicaSet, v view, now time.Time) error {
	switch missing := int(*rs.Spec.Replicas - v.active); {
	case missing > 0:
		return c.create(rs, min(missing, burst), now)
	case missing < 0:
		return c.delete(rs, chooseDeletions(v.pods(), c.related(rs), min(-missing, burst), now), now)
	}
	return nil
}

// create makes n pods, starting slowly, so that a set whose pods are refused does not ask n times.
func (c *Controller) create(rs *appsv1.ReplicaSet, n int, now time.Time) error {
	key := keyOf(rs)
	c.counts.Creates(key, n, now)
	ref := owner.Reference(rs, kind)
	made, err := inBatches(n, slowStart, c.deps.Trace.Parallel, func() error {
		err := c.createPod(rs, ref)
		if apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
			return nil // none will ever come
		}
		return err
	})
	for ; made < n; made++ {
		c.counts.Created(key) // no event will come for it
	}
	return err
}

// inBatches calls f n times in batches of first, 2*first, ... calls, each batch inside together. After a
// batch with an error it stops. It returns how many calls succeeded, and the first error.
// Models slowStartBatch.
func inBatches(n, first int, together func(func()), f func() error) (succeeded int, err error) {
	for size := min(n, first); size > 0; size = min(2*size, n) {
		together(func() {
			for range size {
				switch e := f(); {
				case e == nil:
					succeeded++
				case err == nil:
					err = e
				}
			}
		})
		if err != nil {
			return succeeded, err
		}
		n -= size
	}
	return succeeded, nil
}

func (c *Controller) createPod(rs *appsv1.ReplicaSet, ref metav1.OwnerReference) error {
	if len(rs.Spec.Template.Labels) == 0 {
		return errors.New("unable to create pods, no labels")
	}
	pod, err := c.podAPI.Create(pods.FromTemplate(rs.Namespace, &rs.Spec.Template, ref))
	if err != nil {
		if !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
			c.events.Event(rs, corev1.EventTypeWarning, reasonCreateFailed, "Error creating: "+err.Error())
		}
		return err
	}
	c.writes.Wrote(keyOf(rs), podResource, pod)
	c.events.Event(rs, corev1.EventTypeNormal, reasonCreated, "Created pod: "+pod.Name)
	return nil
}

// delete deletes the pods and returns the first error.
func (c *Controller) delete(rs *appsv1.ReplicaSet, list []*corev1.Pod, now time.Time) (first error) {
	key := keyOf(rs)
	uids := make([]types.UID, len(list))
	for i, p := range list {
		uids[i] = p.UID
	}
	c.counts.Deletes(key, uids, now)
	c.deps.Trace.Parallel(func() {
		for _, p := range list {
			err := c.deletePod(rs, p)
			if err == nil {
				continue
			}
			c.counts.Deleted(key, p.UID) // no event will come for it
			if first == nil && !apierrors.IsNotFound(err) {
				first = err
			}
		}
	})
	return first
}

func (c *Controller) deletePod(rs *appsv1.ReplicaSet, p *corev1.Pod) error {
	err := c.podAPI.Delete(p.Namespace, p.Name, metav1.DeleteOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return err
	case err != nil:
		c.events.Event(rs, corev1.EventTypeWarning, reasonDeleteFailed, "Error deleting: "+err.Error())
		return fmt.Errorf("unable to delete pods: %w", err)
	}
	c.events.Event(rs, corev1.EventTypeNormal, reasonDeleted, "Deleted pod: "+p.Name)
	return nil
}

// related returns the pods of all sets that have the same controller as rs: during a rollout, those of the
// other templates too. Models getIndirectlyRelatedPods. Differs: upstream goes by the sets' selectors.
func (c *Controller) related(rs *appsv1.ReplicaSet) []*corev1.Pod {
	ref := metav1.GetControllerOfNoCopy(rs)
	if ref == nil {
		return nil
	}
	var out []*corev1.Pod
	for _, other := range c.sets.ByIndex(owner.Index, owner.Owned(rs.Namespace, ref.UID)) {
		out = append(out, c.pods.Unordered(owner.Index, owner.Owned(other.Namespace, other.UID))...)
	}
	return out
}
