package deployment

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// status returns the Deployment's status as its sets have it. Models calculateStatus.
func status(d *appsv1.Deployment, s sets, now metav1.Time) appsv1.DeploymentStatus {
	st := appsv1.DeploymentStatus{
		ObservedGeneration: d.Generation,
		CollisionCount:     d.Status.CollisionCount,
		Conditions:         d.Status.Conditions,
	}
	all := s.all()
	for _, rs := range all {
		st.Replicas += rs.Status.Replicas
		st.ReadyReplicas += rs.Status.ReadyReplicas
		st.AvailableReplicas += rs.Status.AvailableReplicas
	}
	if s.fresh != nil {
		st.UpdatedReplicas = s.fresh.Status.Replicas
	}
	st.UnavailableReplicas = max(0, wanted(all)-st.AvailableReplicas)
	st.TerminatingReplicas = terminating(all)

	if st.AvailableReplicas >= *d.Spec.Replicas-maxUnavailable(d) {
		setCondition(&st, condition(appsv1.DeploymentAvailable, corev1.ConditionTrue, reasonAvailable,
			"Deployment has minimum availability.", now))
	} else {
		setCondition(&st, condition(appsv1.DeploymentAvailable, corev1.ConditionFalse, reasonUnavailable,
			"Deployment does not have minimum availability.", now))
	}
	return st
}

// sameStatus compares two statuses of one Deployment.
func sameStatus(a, b *appsv1.DeploymentStatus) bool {
	return a.ObservedGeneration == b.ObservedGeneration && a.Replicas == b.Replicas && a.UpdatedReplicas == b.UpdatedReplicas &&
		a.ReadyReplicas == b.ReadyReplicas && a.AvailableReplicas == b.AvailableReplicas && a.UnavailableReplicas == b.UnavailableReplicas &&
		ptr.Equal(a.TerminatingReplicas, b.TerminatingReplicas) && ptr.Equal(a.CollisionCount, b.CollisionCount) &&
		slices.EqualFunc(a.Conditions, b.Conditions, func(x, y appsv1.DeploymentCondition) bool {
			return x.Type == y.Type && x.Status == y.Status && x.Reason == y.Reason && x.Message == y.Message &&
				x.LastUpdateTime.Equal(&y.LastUpdateTime) && x.LastTransitionTime.Equal(&y.LastTransitionTime)
		})
}

// terminating is the sum of the sets' terminating replicas, nil when one that was synced does not say.
// Models GetTerminatingReplicaCountForReplicaSets.
func terminating(all []*appsv1.ReplicaSet) *int32 {
	n := int32(0)
	for _, rs := range all {
		switch {
		case rs.Status.TerminatingReplicas != nil:
			n += *rs.Status.TerminatingReplicas
		case rs.Status.ObservedGeneration != 0:
			return nil
		}
	}
	return &n
}

// rolloutStatus adds to status what the rollout has come to: its progress and failures.
// Models syncRolloutStatus.
func rolloutStatus(d *appsv1.Deployment, s sets, now metav1.Time) appsv1.DeploymentStatus {
	st := status(d, s, now)
	before := getCondition(d.Status, appsv1.DeploymentProgressing)
	switch done := before != nil && before.Reason == reasonComplete && st.Replicas == st.UpdatedReplicas; {
	case !limited(d):
		removeCondition(&st, appsv1.DeploymentProgressing)
	case done: // a resync of a finished rollout
	case complete(d, st):
		setCondition(&st, condition(appsv1.DeploymentProgressing, corev1.ConditionTrue, reasonComplete,
			subject(d, s)+" has successfully progressed.", now))
	case progressing(d.Status, st):
		c := condition(appsv1.DeploymentProgressing, corev1.ConditionTrue, reasonUpdated, subject(d, s)+" is progressing.", now)
		if before != nil && before.Status == corev1.ConditionTrue {
			c.LastTransitionTime = before.LastTransitionTime
		}
		removeCondition(&st, appsv1.DeploymentProgressing) // the time of the update counts even for the same reason
		setCondition(&st, c)
	case timedOut(d, st, now.Time):
		setCondition(&st, condition(appsv1.DeploymentProgressing, corev1.ConditionFalse, reasonTimedOut,
			subject(d, s)+" has timed out progressing.", now))
	}
	if c, ok := failure(s); ok {
		setCondition(&st, c)
	} else {
		removeCondition(&st, appsv1.DeploymentReplicaFailure)
	}
	return st
}

// subject names what progresses.
func subject(d *appsv1.Deployment, s sets) string {
	if s.fresh != nil {
		return `ReplicaSet "` + s.fresh.Name + `"`
	}
	return `Deployment "` + d.Name + `"`
}

// complete reports whether all wanted replicas are updated and available, and no old ones are left.
// Models DeploymentComplete.
func complete(d *appsv1.Deployment, st appsv1.DeploymentStatus) bool {
	n := *d.Spec.Replicas
	return st.UpdatedReplicas == n && st.Replicas == n && st.AvailableReplicas == n && st.ObservedGeneration >= d.Generation
}

// progressing reports whether there are more new pods, fewer old ones, or more that are ready or available.
// Models DeploymentProgressing.
func progressing(before, after appsv1.DeploymentStatus) bool {
	return after.UpdatedReplicas > before.UpdatedReplicas ||
		after.Replicas-after.UpdatedReplicas < before.Replicas-before.UpdatedReplicas ||
		after.ReadyReplicas > before.ReadyReplicas ||
		after.AvailableReplicas > before.AvailableReplicas
}

// timedOut reports whether the last progress is longer ago than the deadline. Models DeploymentTimedOut.
func timedOut(d *appsv1.Deployment, st appsv1.DeploymentStatus, now time.Time) bool {
	c := getCondition(st, appsv1.DeploymentProgressing)
	switch {
	case c == nil, c.Reason == reasonComplete: // nothing to measure from; the next rollout has not begun
		return false
	case c.Reason == reasonTimedOut:
		return true
	}
	return deadline(d, c).Before(now)
}

func deadline(d *appsv1.Deployment, c *appsv1.DeploymentCondition) time.Time {
	return c.LastUpdateTime.Add(time.Duration(*d.Spec.ProgressDeadlineSeconds) * time.Second)
}

// nextCheck returns how long to wait before looking whether an unfinished rollout timed out; ok is false
// when there is nothing to look for. The extra second makes sure that the deadline has passed by then.
// Models requeueStuckDeployment. Differs: upstream looks every 5 ms in the last second.
func nextCheck(d *appsv1.Deployment, now time.Time) (wait time.Duration, ok bool) {
	c := getCondition(d.Status, appsv1.DeploymentProgressing)
	if !limited(d) || c == nil || complete(d, d.Status) || c.Reason == reasonTimedOut {
		return 0, false
	}
	return max(0, deadline(d, c).Sub(now)) + time.Second, true
}

// failure returns the failure of a set, that of the fresh one before any other. Models getReplicaFailures.
func failure(s sets) (c appsv1.DeploymentCondition, ok bool) {
	list := s.old
	if s.fresh != nil {
		list = slices.Insert(slices.Clone(s.old), 0, s.fresh)
	}
	for _, rs := range list {
		for _, c := range rs.Status.Conditions {
			if c.Type == appsv1.ReplicaSetReplicaFailure {
				return appsv1.DeploymentCondition{
					Type: appsv1.DeploymentReplicaFailure, Status: c.Status, Reason: c.Reason, Message: c.Message,
					LastUpdateTime: c.LastTransitionTime, LastTransitionTime: c.LastTransitionTime,
				}, true
			}
		}
	}
	return c, false
}
