package core

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PodCondition returns the condition of the given type, or nil. It points into status: do not change it.
func PodCondition(status *corev1.PodStatus, t corev1.PodConditionType) *corev1.PodCondition {
	for i := range status.Conditions {
		if status.Conditions[i].Type == t {
			return &status.Conditions[i]
		}
	}
	return nil
}

// SetPodCondition sets a condition of status, which gets a new list: the old one may be shared. The time of
// the last transition is now, or stays where only other fields change. It reports whether anything changed.
//
// Models pkg/api/v1/pod UpdatePodCondition.
func SetPodCondition(status *corev1.PodStatus, c corev1.PodCondition, now metav1.Time) bool {
	c.LastTransitionTime = now
	old := PodCondition(status, c.Type)
	if old == nil {
		status.Conditions = append(slices.Clip(status.Conditions), c)
		return true
	}
	if old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
	}
	if *old == c {
		return false
	}
	status.Conditions = slices.Clone(status.Conditions)
	*PodCondition(status, c.Type) = c
	return true
}

// IsPodReady reports whether the pod's Ready condition is true.
func IsPodReady(pod *corev1.Pod) bool {
	c := PodCondition(&pod.Status, corev1.PodReady)
	return c != nil && c.Status == corev1.ConditionTrue
}

// IsPodAvailable reports whether the pod has been ready for at least minReady seconds.
//
// Models pkg/api/v1/pod IsPodAvailable.
func IsPodAvailable(pod *corev1.Pod, minReady int32, now time.Time) bool {
	if !IsPodReady(pod) {
		return false
	}
	since := PodCondition(&pod.Status, corev1.PodReady).LastTransitionTime
	wait := time.Duration(minReady) * time.Second
	return minReady == 0 || !since.IsZero() && !since.Add(wait).After(now)
}

// IsPodTerminal reports whether the pod has run to its end: Succeeded or Failed.
func IsPodTerminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// IsPodActive reports whether the pod runs or will run: it is neither at its end nor being deleted.
//
// Models pkg/controller IsPodActive.
func IsPodActive(pod *corev1.Pod) bool { return !IsPodTerminal(pod) && pod.DeletionTimestamp == nil }

// NodeCondition returns the condition of the given type, or nil. It points into status: do not change it.
func NodeCondition(status *corev1.NodeStatus, t corev1.NodeConditionType) *corev1.NodeCondition {
	for i := range status.Conditions {
		if status.Conditions[i].Type == t {
			return &status.Conditions[i]
		}
	}
	return nil
}

// IsNodeReady reports whether the node's Ready condition is true.
func IsNodeReady(node *corev1.Node) bool {
	c := NodeCondition(&node.Status, corev1.NodeReady)
	return c != nil && c.Status == corev1.ConditionTrue
}
