package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// report writes the pod's status if it differs from the one that the API has. What fails is tried again.
//
// Models pkg/kubelet/status status_manager.go syncPod.
func (w *worker) report() {
	next := w.status()
	if w.written != nil && sameStatus(w.written, next) {
		return
	}
	current, err := w.kubelet.podClient.Get(w.pod.Namespace, w.pod.Name)
	if err != nil && apierrors.IsNotFound(err) || err == nil && current.UID != w.pod.UID {
		return // gone: the watch will say so
	}
	if err == nil {
		pod := *current
		pod.Status = *next
		pod.Status.Conditions = mergeConditions(next.Conditions, current.Status.Conditions)
		pod.Status.QOSClass = current.Status.QOSClass
		pod.Status.NominatedNodeName = current.Status.NominatedNodeName
		pod.Status.ResourceClaimStatuses = current.Status.ResourceClaimStatuses
		current, err = w.kubelet.podClient.UpdateStatus(&pod)
	}
	if err != nil {
		w.tryAgain("status is written again")
		return
	}
	w.written = next
	if !asks(w.pod, current) { // otherwise the watch tells, and it is done then
		w.pod = current
	}
}

// overwritten reports whether someone else has changed what the kubelet says in the pod's status.
//
// Models pkg/kubelet/status status_manager.go needsReconcile.
func (w *worker) overwritten(s *corev1.PodStatus) bool {
	if w.written == nil {
		return false
	}
	if s.Phase != w.written.Phase || len(s.ContainerStatuses) != len(w.written.ContainerStatuses) {
		return true
	}
	for i := range w.written.Conditions {
		own := &w.written.Conditions[i]
		if c := findCondition(s.Conditions, own.Type); c == nil || c.Status != own.Status {
			return true
		}
	}
	return false
}

// owned are the conditions that the kubelet writes; all others belong to someone else.
func owned(t corev1.PodConditionType) bool {
	switch t {
	case corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady:
		return true
	}
	return false
}

// mergeConditions puts the kubelet's own conditions before those of others.
func mergeConditions(own, current []corev1.PodCondition) []corev1.PodCondition {
	out := make([]corev1.PodCondition, 0, len(own)+2)
	out = append(out, own...)
	for _, c := range current {
		if !owned(c.Type) {
			out = append(out, c)
		}
	}
	return out
}

// status is what the worker knows of the pod.
func (w *worker) status() *corev1.PodStatus {
	if w.failed != nil && w.failed.rejected {
		return &corev1.PodStatus{ObservedGeneration: w.pod.Generation, StartTime: &w.started,
			Phase: corev1.PodFailed, Reason: w.failed.reason, Message: w.failed.message}
	}
	s := &corev1.PodStatus{
		ObservedGeneration: w.pod.Generation,
		HostIP:             w.kubelet.cfg.HostIP,
		HostIPs:            []corev1.HostIP{{IP: w.kubelet.cfg.HostIP}},
		StartTime:          &w.started,
		ContainerStatuses:  statuses(w.regular),
	}
	if len(w.inits) > 0 {
		s.InitContainerStatuses = statuses(w.inits)
	}
	if w.sandbox && w.ip != "" {
		s.PodIP, s.PodIPs = w.ip, []corev1.PodIP{{IP: w.ip}}
	}
	w.sumUp(s)
	return s
}

// sumUp fills in what follows from the containers. A pod is not over before every process has ended; one
// that the API says is over stays so.
func (w *worker) sumUp(s *corev1.PodStatus) {
	old := &w.pod.Status
	s.Phase = w.phase()
	if terminal(w.pod) {
		s.Phase = old.Phase
	}
	s.Conditions = w.conditions(s.Phase)
	switch over := s.Phase == corev1.PodFailed || s.Phase == corev1.PodSucceeded; {
	case over && w.alive() && !terminal(w.pod):
		s.Phase, s.Reason, s.Message = old.Phase, old.Reason, old.Message
	case s.Phase == old.Phase:
		s.Reason, s.Message = old.Reason, old.Message
	case w.failed != nil:
		s.Reason, s.Message = w.failed.reason, w.failed.message
	}
}

// alive reports whether a process of the pod still runs.
func (w *worker) alive() bool {
	for _, u := range w.inits {
		if u.process != nil {
			return true
		}
	}
	for _, u := range w.regular {
		if u.process != nil {
			return true
		}
	}
	return false
}

func statuses(units []*unit) []corev1.ContainerStatus {
	out := make([]corev1.ContainerStatus, len(units))
	for i, u := range units {
		started := u.up
		out[i] = corev1.ContainerStatus{
			Name: u.spec.Name, State: u.state, LastTerminationState: u.last, Ready: u.ready, RestartCount: u.restarts,
			Image: u.spec.Image, Started: &started, ContainerID: u.id,
		}
		if u.id != "" {
			out[i].Image = u.image.Reference.String()
			out[i].ImageID = u.image.ID()
		}
		if u.stage == running {
			out[i].Resources = &u.spec.Resources
			out[i].AllocatedResources = u.spec.Resources.Requests
		}
	}
	return out
}

// sameStatus compares what the kubelet may have changed between two statuses of one pod.
func sameStatus(a, b *corev1.PodStatus) bool {
	if a.Phase != b.Phase || a.Reason != b.Reason || a.PodIP != b.PodIP || a.ObservedGeneration != b.ObservedGeneration || len(a.Conditions) != len(b.Conditions) {
		return false
	}
	for i := range a.Conditions {
		x, y := &a.Conditions[i], &b.Conditions[i]
		if x.Status != y.Status || x.Reason != y.Reason || x.Message != y.Message {
			return false
		}
	}
	return sameContainers(a.InitContainerStatuses, b.InitContainerStatuses) && sameContainers(a.ContainerStatuses, b.ContainerStatuses)
}

func sameContainers(a, b []corev1.ContainerStatus) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.State != y.State || x.LastTerminationState != y.LastTerminationState || x.Ready != y.Ready || *x.Started != *y.Started || x.RestartCount != y.RestartCount || x.ContainerID != y.ContainerID {
			return false
		}
	}
	return true
}
