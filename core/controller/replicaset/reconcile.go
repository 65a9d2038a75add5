package replicaset

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/controller/owner"
	"terrarium/core/controller/pods"
	"terrarium/core/kinds"
	"terrarium/core/trace"
)

// reconcile creates or deletes pods and writes the status. Models syncReplicaSet.
func (c *Controller) reconcile(key kinds.Key) error {
	rs, ok := c.sets.Get(key.Namespace, key.Name)
	if !ok {
		c.counts.Forget(key)
		c.writes.Forget(key)
		return nil
	}
	if c.writes.Behind(key) {
		return nil
	}
	now := c.deps.Loop.Now()
	mayManage := c.counts.Satisfied(key, now) && rs.DeletionTimestamp == nil
	v, err := c.look(rs, now)
	if err != nil {
		return err
	}
	c.deps.Trace.Read(trace.Read{Verb: "list", Key: kinds.Key{Resource: podResource, Namespace: key.Namespace}, Count: int(v.active)})
	var failed error
	if mayManage {
		failed = c.manage(rs, v, now)
	}
	if err := c.writeStatus(rs, nextStatus(rs, v.numbers, failed, metav1.Time{Time: now.Truncate(time.Second)})); err != nil {
		return err
	}
	if failed == nil && rs.Spec.MinReadySeconds > 0 && v.ready != v.available {
		c.queue.AddAfter(key, nextAvailable(rs, v.pods(), now), "pods become available")
	}
	return failed
}

// A view is what a reconcile sees of a set's pods.
type view struct {
	numbers
	pods func() []*corev1.Pod // the active ones, by name
}

// look settles which pods the set owns and counts them. Most often there is nothing to settle and the census
// has the numbers.
func (c *Controller) look(rs *appsv1.ReplicaSet, now time.Time) (v view, err error) {
	n, err := c.censusOf(rs)
	if err != nil {
		return v, err
	}
	wanted := c.orphans(rs, n.selector)
	if n.stray == 0 && len(wanted) == 0 {
		v.pods = func() []*corev1.Pod { return c.owned(rs, n.selector) }
		v.numbers = numbers{active: n.active, ready: n.ready, available: n.ready, labeled: n.labeled, ending: n.ending}
		if rs.Spec.MinReadySeconds > 0 {
			v.available = countPods(rs, v.pods(), now).available
		}
		return v, nil
	}
	list := c.owned(rs, labels.Everything())
	list, err = c.claim(rs, n.selector, append(list, wanted...))
	v.pods = func() []*corev1.Pod { return list }
	v.numbers = countPods(rs, list, now)
	v.ending = n.ending
	return v, err
}

// censusOf returns the set's census, made anew when there is none or the template has other labels.
func (c *Controller) censusOf(rs *appsv1.ReplicaSet) (*census, error) {
	if n := c.census[rs.UID]; n != nil && labels.Equals(n.labels, rs.Spec.Template.Labels) {
		return n, nil
	}
	n, err := newCensus(rs, c.pods.Unordered(owner.Index, owner.Owned(rs.Namespace, rs.UID)))
	if err == nil {
		c.census[rs.UID] = n
	}
	return n, err
}

// owned returns the active pods that the set controls and sel selects, by name.
func (c *Controller) owned(rs *appsv1.ReplicaSet, sel labels.Selector) []*corev1.Pod {
	list := c.pods.ByIndex(owner.Index, owner.Owned(rs.Namespace, rs.UID))
	keep := list[:0]
	for _, p := range list {
		if pods.Active(p) && sel.Matches(labels.Set(p.Labels)) {
			keep = append(keep, p)
		}
	}
	return keep
}

// orphans returns the active pods without a controller that the set may adopt, by name.
func (c *Controller) orphans(rs *appsv1.ReplicaSet, sel labels.Selector) []*corev1.Pod {
	if rs.DeletionTimestamp != nil {
		return nil
	}
	list := c.pods.ByIndex(owner.Index, owner.Orphans(rs.Namespace))
	keep := list[:0]
	for _, p := range list {
		if pods.Active(p) && sel.Matches(labels.Set(p.Labels)) {
			keep = append(keep, p)
		}
	}
	return keep
}

func (c *Controller) claim(rs *appsv1.ReplicaSet, sel labels.Selector, list []*corev1.Pod) ([]*corev1.Pod, error) {
	claim := owner.Claim[*corev1.Pod]{
		Owner: rs, Kind: kind, Selector: sel,
		Live: func() (metav1.Object, error) { return c.setAPI.Get(rs.Namespace, rs.Name) },
		Patch: func(p *corev1.Pod, patch []byte) error {
			updated, err := c.podAPI.Patch(p.Namespace, p.Name, types.StrategicMergePatchType, patch, "")
			if err == nil {
				c.writes.Wrote(keyOf(rs), podResource, updated)
			}
			return err
		},
	}
	return claim.Run(list)
}

// writeStatus writes the status where it changed; after a failure it tries once more on the live object.
// Models updateReplicaSetStatus.
func (c *Controller) writeStatus(rs *appsv1.ReplicaSet, st appsv1.ReplicaSetStatus) error {
	if upToDate(rs, st) {
		return nil
	}
	st.ObservedGeneration = rs.Generation
	for try := 0; ; try++ {
		next := *rs
		next.Status = st
		updated, err := c.setAPI.UpdateStatus(&next)
		if err == nil {
			c.writes.Wrote(keyOf(rs), replicaSets, updated)
			return nil
		}
		if try >= statusRetries {
			return err
		}
		if rs, err = c.setAPI.Get(rs.Namespace, rs.Name); err != nil {
			return err
		}
	}
}
