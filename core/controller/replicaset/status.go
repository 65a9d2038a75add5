package replicaset

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"terrarium/core/controller/pods"
)

// numbers are the pods of a ReplicaSet as its status counts them.
type numbers struct{ active, ready, available, labeled, ending int32 }

// countPods counts active pods one by one.
func countPods(rs *appsv1.ReplicaSet, active []*corev1.Pod, now time.Time) (n numbers) {
	template := labels.SelectorFromValidatedSet(rs.Spec.Template.Labels)
	for _, p := range active {
		n.active++
		if template.Matches(labels.Set(p.Labels)) {
			n.labeled++
		}
		if pods.Ready(p) {
			n.ready++
		}
		if pods.Available(p, rs.Spec.MinReadySeconds, now) {
			n.available++
		}
	}
	return n
}

// nextStatus returns the status that the numbers and the outcome of creating and deleting give.
// Models calculateStatus.
func nextStatus(rs *appsv1.ReplicaSet, n numbers, failed error, now metav1.Time) appsv1.ReplicaSetStatus {
	st := rs.Status
	st.Replicas, st.FullyLabeledReplicas, st.ReadyReplicas, st.AvailableReplicas = n.active, n.labeled, n.ready, n.available
	st.TerminatingReplicas = &n.ending
	has := slices.ContainsFunc(st.Conditions, isFailure)
	switch {
	case failed != nil && !has:
		reason := ""
		if n.active < *rs.Spec.Replicas {
			reason = reasonCreateFailed
		} else if n.active > *rs.Spec.Replicas {
			reason = reasonDeleteFailed
		}
		st.Conditions = append(slices.Clip(st.Conditions), appsv1.ReplicaSetCondition{
			Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue,
			Reason: reason, Message: failed.Error(), LastTransitionTime: now,
		})
	case failed == nil && has:
		st.Conditions = slices.DeleteFunc(slices.Clone(st.Conditions), isFailure)
		if len(st.Conditions) == 0 {
			st.Conditions = nil
		}
	}
	return st
}

func isFailure(c appsv1.ReplicaSetCondition) bool { return c.Type == appsv1.ReplicaSetReplicaFailure }

// upToDate reports whether the ReplicaSet has the status already, for its present generation.
func upToDate(rs *appsv1.ReplicaSet, st appsv1.ReplicaSetStatus) bool {
	was := rs.Status
	return was.Replicas == st.Replicas && was.FullyLabeledReplicas == st.FullyLabeledReplicas &&
		was.ReadyReplicas == st.ReadyReplicas && was.AvailableReplicas == st.AvailableReplicas &&
		was.TerminatingReplicas != nil && *was.TerminatingReplicas == *st.TerminatingReplicas &&
		was.ObservedGeneration == rs.Generation && equality.Semantic.DeepEqual(was.Conditions, st.Conditions)
}

// nextAvailable returns how long until one of the pods becomes available. Where none will, but some that
// are ready are not, it is the whole minReadySeconds: the numbers are looked at again in any case.
// Models the end of syncReplicaSet.
func nextAvailable(rs *appsv1.ReplicaSet, active []*corev1.Pod, now time.Time) time.Duration {
	soonest, found := seconds(rs.Spec.MinReadySeconds), false
	for _, p := range active {
		if d, ok := pods.UntilAvailable(p, rs.Spec.MinReadySeconds, now); ok && (!found || d < soonest) {
			soonest, found = d, true
		}
	}
	return soonest
}
