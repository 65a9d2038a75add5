// Package rollout does to Deployments what `kubectl rollout` does, for those who have no kubectl.
//
// It promises: what it changes it changes as a client would, in one write that fails when the Deployment
// changed meanwhile.
package rollout

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/client"
)

const revisionAnnotation = "deployment.kubernetes.io/revision"

// Undo gives a Deployment back the pod template of an earlier revision, 0 for the one before the present,
// and returns the revision that it took.
//
// Models kubectl pkg/polymorphichelpers/rollback.go DeploymentRollbacker.Rollback.
func Undo(c *client.Client, namespace, name string, to int64) (int64, error) {
	d, err := c.Deployments().Get(namespace, name)
	if err != nil {
		return 0, err
	}
	if d.Spec.Paused {
		return 0, fmt.Errorf("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again")
	}
	selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if err != nil {
		return 0, err
	}
	sets, _, err := c.ReplicaSets().List(namespace, selector)
	if err != nil {
		return 0, err
	}
	sets = slices.DeleteFunc(slices.Clone(sets), func(rs *appsv1.ReplicaSet) bool { return !metav1.IsControlledBy(rs, d) })
	rs := pick(sets, to)
	switch {
	case rs == nil && to == 0:
		return 0, fmt.Errorf("no rollout history found for deployment %q", name)
	case rs == nil:
		return 0, fmt.Errorf("unable to find specified revision %v in history", to)
	}
	next := d.DeepCopy()
	next.Spec.Template = *rs.Spec.Template.DeepCopy()
	delete(next.Spec.Template.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	_, err = c.Deployments().Update(next)
	return revision(rs), err
}

// pick returns the set of that revision, or for 0 the one before the newest.
func pick(sets []*appsv1.ReplicaSet, to int64) *appsv1.ReplicaSet {
	if to > 0 {
		if i := slices.IndexFunc(sets, func(rs *appsv1.ReplicaSet) bool { return revision(rs) == to }); i >= 0 {
			return sets[i]
		}
		return nil
	}
	if len(sets) < 2 {
		return nil
	}
	slices.SortStableFunc(sets, func(a, b *appsv1.ReplicaSet) int { return cmp.Compare(revision(b), revision(a)) })
	return sets[1]
}

func revision(rs *appsv1.ReplicaSet) int64 {
	n, err := strconv.ParseInt(rs.Annotations[revisionAnnotation], 10, 64)
	if err != nil {
		return 0 // a set made by hand: the oldest
	}
	return n
}
