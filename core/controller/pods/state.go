// Package pods is what several controllers read off a pod, and how they make one from a template.
//
// It promises: nothing here changes a pod that it was given.
package pods

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// ReadyCondition returns the pod's Ready condition, or nil.
func ReadyCondition(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c
		}
	}
	return nil
}

// Ready reports whether the pod's Ready condition is true.
func Ready(pod *corev1.Pod) bool {
	c := ReadyCondition(pod)
	return c != nil && c.Status == corev1.ConditionTrue
}

// Available reports whether the pod has been ready for at least minReadySeconds.
func Available(pod *corev1.Pod, minReadySeconds int32, now time.Time) bool {
	c := ReadyCondition(pod)
	if c == nil || c.Status != corev1.ConditionTrue {
		return false
	}
	if minReadySeconds == 0 {
		return true
	}
	since := c.LastTransitionTime.Time
	return !since.IsZero() && !since.Add(seconds(minReadySeconds)).After(now)
}

// UntilAvailable returns how long a ready pod has to stay ready to become available; ok is false when it
// is available already or waiting does not make it so.
func UntilAvailable(pod *corev1.Pod, minReadySeconds int32, now time.Time) (d time.Duration, ok bool) {
	c := ReadyCondition(pod)
	if c == nil || c.Status != corev1.ConditionTrue || minReadySeconds <= 0 || c.LastTransitionTime.IsZero() {
		return 0, false
	}
	d = c.LastTransitionTime.Add(seconds(minReadySeconds)).Sub(now)
	return d, d > 0
}

func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }

// Terminal reports whether the pod's containers have stopped for good.
func Terminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
}

// Active reports whether the pod counts as a replica: it neither ended nor is being deleted.
func Active(pod *corev1.Pod) bool { return pod.DeletionTimestamp == nil && !Terminal(pod) }

// Terminating reports whether the pod is being deleted and has not ended yet.
func Terminating(pod *corev1.Pod) bool { return pod.DeletionTimestamp != nil && !Terminal(pod) }
