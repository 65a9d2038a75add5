package deployment

import (
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/controller/owner"
	"terrarium/core/controller/pods"
	"terrarium/core/kinds"
)

// A rollout is one reconcile of one Deployment.
type rollout struct {
	*Controller
	key kinds.Key
	was *appsv1.Deployment // as it was read
	d   *appsv1.Deployment // as the reconcile wants it: a shallow copy whose status and annotations may change
	sets
	now metav1.Time
}

// run does the next step.
func (r *rollout) run() error {
	if r.d.DeletionTimestamp == nil {
		checkPaused(r.d, r.now)
	}
	if err := r.noteRevision(); err != nil {
		return err
	}
	_, rollback := rollbackTo(r.d)
	switch {
	case r.d.DeletionTimestamp != nil:
		return r.finish(status(r.d, r.sets, r.now))
	case r.d.Spec.Paused:
		return r.scale(!rollback)
	case rollback:
		return r.rollBack()
	case r.scaled(r.d):
		return r.scale(false)
	case rolling(r.d):
		return r.rollOn()
	}
	return r.recreate()
}

// scale follows a new size, and nothing else. Models sync.
func (r *rollout) scale(cleanup bool) error {
	if err := r.apply(planScale(r.d, r.sets)); err != nil {
		return err
	}
	if cleanup {
		if err := r.cleanup(); err != nil {
			return err
		}
	}
	return r.finish(status(r.d, r.sets, r.now))
}

// rollOn takes the next step of a rolling update. Models rolloutRolling.
func (r *rollout) rollOn() error {
	if err := r.ensureFresh(); err != nil {
		return err
	}
	plan := planRolling(r.d, r.sets)
	if err := r.apply(plan); err != nil {
		return err
	}
	return r.finishRollout(len(plan) == 0)
}

// recreate stops all old pods, waits until they are gone, and starts the new ones. Models rolloutRecreate.
func (r *rollout) recreate() error {
	if plan := planZero(r.old); len(plan) > 0 {
		if err := r.apply(plan); err != nil {
			return err
		}
		return r.finishRollout(false)
	}
	if r.oldPodsRun() {
		return r.finishRollout(false)
	}
	if err := r.ensureFresh(); err != nil {
		return err
	}
	if n := replicas(r.fresh); n != *r.d.Spec.Replicas {
		if err := r.apply([]resize{{set: r.fresh, from: n, to: *r.d.Spec.Replicas}}); err != nil {
			return err
		}
	}
	return r.finishRollout(true)
}

// oldPodsRun reports whether a pod of an old template has not ended yet. Models oldPodsRunning.
func (r *rollout) oldPodsRun() bool {
	for _, rs := range r.old {
		if rs.Status.Replicas > 0 {
			return true
		}
		for _, p := range r.pods.Unordered(owner.Index, owner.Owned(rs.Namespace, rs.UID)) {
			if !pods.Terminal(p) {
				return true
			}
		}
	}
	return false
}

// apply gives sets their new sizes, and notes the Deployment's size on them. Models scaleReplicaSet.
func (r *rollout) apply(plan []resize) error {
	for _, step := range plan {
		rs := r.latest(step.set)
		annotations := make(map[string]string, len(rs.Annotations)+2)
		maps.Copy(annotations, rs.Annotations)
		if changed := noteSizes(annotations, r.d); step.from == step.to && !(step.notes && changed) {
			continue
		}
		next := *rs
		next.Annotations, next.Spec.Replicas = annotations, &step.to
		if err := r.updateSet(&next); err != nil {
			return err
		}
		switch {
		case step.from < step.to:
			r.event(corev1.EventTypeNormal, eventScaling, scaledText("up", rs.Name, step.from, step.to))
		case step.from > step.to:
			r.event(corev1.EventTypeNormal, eventScaling, scaledText("down", rs.Name, step.from, step.to))
		}
	}
	return nil
}

func scaledText(direction, set string, from, to int32) string {
	return "Scaled " + direction + " replica set " + set + " from " + strconv.Itoa(int(from)) + " to " + strconv.Itoa(int(to))
}

// latest returns the set as this reconcile last wrote it.
func (r *rollout) latest(rs *appsv1.ReplicaSet) *appsv1.ReplicaSet {
	for _, x := range r.all() {
		if x.UID == rs.UID {
			return x
		}
	}
	return rs
}

func (r *rollout) updateSet(next *appsv1.ReplicaSet) error {
	updated, err := r.setAPI.Update(next)
	if err != nil {
		return err
	}
	r.writes.Wrote(r.key, replicaSets, updated)
	if r.fresh != nil && r.fresh.UID == updated.UID {
		r.fresh = updated
	}
	for i := range r.old {
		if r.old[i].UID == updated.UID {
			r.old[i] = updated
		}
	}
	return nil
}

// cleanup deletes the sets beyond the history that is kept.
func (r *rollout) cleanup() error {
	for _, rs := range planCleanup(r.d, r.old) {
		if err := r.setAPI.Delete(rs.Namespace, rs.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// finishRollout ends a reconcile that furthers a rollout; cleanup says that nothing was left to do.
func (r *rollout) finishRollout(cleanup bool) error {
	if cleanup && complete(r.d, r.d.Status) {
		if err := r.cleanup(); err != nil {
			return err
		}
	}
	r.d.Status = rolloutStatus(r.d, r.sets, r.now)
	if wait, ok := nextCheck(r.d, r.deps.Loop.Now()); ok && r.unchanged(r.d.Status) {
		r.queue.AddAfter(r.key, wait, "progress deadline")
	}
	return r.finish(r.d.Status)
}

// unchanged reports whether neither the status nor the revision needs to be written.
func (r *rollout) unchanged(st appsv1.DeploymentStatus) bool {
	return r.was.Annotations[revisionAnnotation] == r.d.Annotations[revisionAnnotation] &&
		sameStatus(&r.was.Status, &st)
}

// finish writes the status and the revision, where they changed. A Deployment that is gone needs none.
func (r *rollout) finish(st appsv1.DeploymentStatus) error {
	if r.unchanged(st) {
		return nil
	}
	next := *r.d
	next.Status = st
	updated, err := r.deploymentAPI.UpdateStatus(&next)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	r.writes.Wrote(r.key, deployments, updated)
	return nil
}

func (r *rollout) event(eventtype, reason, message string) {
	r.events.Event(r.was, eventtype, reason, message)
}
