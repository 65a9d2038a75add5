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
	grace := w.grace()
	alive := false
	for _, u := range w.all() {
		if u.stop(grace) {
			alive = true
		}
	}
	w.stopping = true
	w.report()
	if alive || w.pod.DeletionTimestamp == nil {
		return
	}
	zero := int64(0)
	err := w.kubelet.podClient.Delete(w.pod.Namespace, w.pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: &zero, Preconditions: &metav1.Preconditions{UID: &w.pod.UID},
	})
	if err == nil || apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		w.forget()
	}
}

// grace is how long the containers may take to end.
func (w *worker) grace() time.Duration {
	seconds := int64(corev1.DefaultTerminationGracePeriodSeconds)
	if s := w.pod.Spec.TerminationGracePeriodSeconds; s != nil {
		seconds = *s
	}
	if s := w.pod.DeletionGracePeriodSeconds; s != nil {
		seconds = *s
	}
	const least = 2 // upstream's minimum for a process to end by itself
	return time.Duration(max(seconds, least)) * time.Second
}
