package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// terminate stops the pod's containers and, once they have ended, reports for the last time and, where the
// pod is being deleted, deletes it.
//
// Models pkg/kubelet SyncTerminatingPod, SyncTerminatedPod and status_manager.go.
func (w *worker) terminate() {
	w.deadline.Stop()
	alive := w.stopContainers()
	w.stopping = true
	w.report()
	if alive {
		return
	}
	w.release()
	if w.pod.DeletionTimestamp == nil {
		return
	}
	zero := int64(0)
	err := w.kubelet.podClient.Delete(w.pod.Namespace, w.pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: &zero, Preconditions: &metav1.Preconditions{UID: &w.pod.UID},
	})
	if err == nil || apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		w.forget()
		return
	}
	w.tryAgain("pod is deleted again")
}

// stopContainers asks every container to end and reports whether one still lives. Sidecars outlive the
// others and end in reverse order, within what is left of the grace period.
func (w *worker) stopContainers() (alive bool) {
	now := w.now()
	if at := now.Add(grace(w.pod)); w.killAt.IsZero() || at.Before(w.killAt) {
		w.killAt = at
	}
	left := max(w.killAt.Sub(now), leastGrace)
	for _, u := range w.regular {
		alive = u.stop(left) || alive
	}
	for i := len(w.inits) - 1; i >= 0; i-- {
		u := w.inits[i]
		if u.role == sidecar && u.process != nil && alive {
			continue
		}
		alive = u.stop(left) || alive
	}
	return alive
}

// leastGrace is upstream's minimum for a process to end by itself.
const leastGrace = 2 * time.Second

// grace is how long the containers of a pod may take to end.
func grace(pod *corev1.Pod) time.Duration {
	seconds := int64(corev1.DefaultTerminationGracePeriodSeconds)
	if s := pod.Spec.TerminationGracePeriodSeconds; s != nil {
		seconds = *s
	}
	if s := pod.DeletionGracePeriodSeconds; s != nil {
		seconds = *s
	}
	return max(time.Duration(seconds)*time.Second, leastGrace)
}
