package kubelet

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// report writes the pod's status if it differs from the one that the API has.
//
// Models pkg/kubelet/status status_manager.go syncPod.
func (w *worker) report() {
	next := w.status()
	if w.written != nil && sameStatus(w.written, next) {
		return
	}
	current, err := w.kubelet.podClient.Get(w.pod.Namespace, w.pod.Name)
	if err != nil || current.UID != w.pod.UID {
		return // gone: the watch will say so
	}
	w.written = next
	pod := *current
	pod.Status = *next
	pod.Status.Conditions = mergeConditions(next.Conditions, current.Status.Conditions)
	pod.Status.QOSClass = current.Status.QOSClass
	pod.Status.NominatedNodeName = current.Status.NominatedNodeName
	pod.Status.ResourceClaimStatuses = current.Status.ResourceClaimStatuses
	if updated, err := w.kubelet.podClient.UpdateStatus(&pod); err == nil {
		w.pod = updated
	}
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
	s.Phase = w.phase()
	if w.failed != nil {
		s.Reason, s.Message = w.failed.reason, w.failed.message
	}
	s.Conditions = w.conditions(s)
	return s
}

func statuses(units []*unit) []corev1.ContainerStatus {
	out := make([]corev1.ContainerStatus, len(units))
	for i, u := range units {
		started := u.stage == running
		out[i] = corev1.ContainerStatus{
			Name: u.spec.Name, State: u.state, LastTerminationState: u.last, Ready: u.ready, RestartCount: u.restarts,
			Image: u.spec.Image, Started: &started, ContainerID: u.id,
		}
		if u.id != "" {
			out[i].Image = u.image.Reference.String()
			out[i].ImageID = u.image.ID()
		}
		if started {
			out[i].Resources = &u.spec.Resources
			out[i].AllocatedResources = u.spec.Resources.Requests
		}
	}
	return out
}

// phase sums up the containers.
//
// Models pkg/kubelet kubelet_pods.go getPhase.
func (w *worker) phase() corev1.PodPhase {
	if w.failed != nil {
		return corev1.PodFailed
	}
	initializing := false
	for _, u := range w.inits {
		switch {
		case u.role == sidecar:
			initializing = initializing || u.id == ""
		case u.stage == exited && u.code() != 0 && !u.restartable():
			return corev1.PodFailed
		case u.stage != exited || u.code() != 0:
			initializing = true
		}
	}
	if initializing && !w.anyStarted() {
		return corev1.PodPending
	}
	var live, unstarted, ok, bad int
	for _, u := range w.regular {
		switch {
		case u.stage == running:
			live++
		case u.id == "" && u.stage != exited:
			unstarted++
		case u.stage == exited && (w.stopping || !u.restartable()):
			if u.code() == 0 {
				ok++
			} else {
				bad++
			}
		default:
			live++ // it will be started again
		}
	}
	switch {
	case unstarted > 0:
		return corev1.PodPending
	case live > 0:
		return corev1.PodRunning
	case bad > 0:
		return corev1.PodFailed
	case ok > 0:
		return corev1.PodSucceeded
	}
	return corev1.PodPending
}

func (w *worker) anyStarted() bool {
	for _, u := range w.regular {
		if u.id != "" {
			return true
		}
	}
	return false
}

// conditions are those that the kubelet owns, with the times of their last transitions.
//
// Models pkg/kubelet/status generate.go.
func (w *worker) conditions(s *corev1.PodStatus) []corev1.PodCondition {
	sandbox := corev1.PodCondition{Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionFalse}
	if s.PodIP != "" && s.Phase != corev1.PodSucceeded && s.Phase != corev1.PodFailed {
		sandbox.Status = corev1.ConditionTrue
	}
	containers := w.containersReady(s.Phase)
	ready := containers
	ready.Type = corev1.PodReady
	if ready.Status == corev1.ConditionTrue {
		w.gateReadiness(&ready)
	}
	out := []corev1.PodCondition{sandbox, w.initialized(s.Phase), ready, containers}
	now := metav1.Time{Time: w.now().Truncate(time.Second)}
	for i := range out {
		out[i].ObservedGeneration = w.pod.Generation
		out[i].LastTransitionTime = now
		if old := findCondition(w.pod.Status.Conditions, out[i].Type); old != nil && old.Status == out[i].Status {
			out[i].LastTransitionTime = old.LastTransitionTime
		}
	}
	return out
}

func (w *worker) initialized(phase corev1.PodPhase) corev1.PodCondition {
	c := corev1.PodCondition{Type: corev1.PodInitialized, Status: corev1.ConditionTrue}
	if phase == corev1.PodSucceeded {
		c.Reason = "PodCompleted"
		return c
	}
	if w.anyStarted() {
		return c
	}
	var incomplete []string
	for _, u := range w.inits {
		if done := u.role == sidecar && u.stage == running || u.role == initContainer && u.stage == exited && u.code() == 0; !done {
			incomplete = append(incomplete, u.spec.Name)
		}
	}
	if len(incomplete) > 0 {
		c.Status, c.Reason = corev1.ConditionFalse, "ContainersNotInitialized"
		c.Message = "containers with incomplete status: [" + strings.Join(incomplete, " ") + "]"
	}
	return c
}

func (w *worker) containersReady(phase corev1.PodPhase) corev1.PodCondition {
	c := corev1.PodCondition{Type: corev1.ContainersReady, Status: corev1.ConditionFalse}
	switch phase {
	case corev1.PodSucceeded:
		c.Reason = "PodCompleted"
		return c
	case corev1.PodFailed:
		c.Reason = "PodFailed"
		return c
	}
	var unready []string
	for _, u := range w.all() {
		if u.role != initContainer && !u.ready {
			unready = append(unready, u.spec.Name)
		}
	}
	if len(unready) > 0 {
		c.Reason = "ContainersNotReady"
		c.Message = "containers with unready status: [" + strings.Join(unready, " ") + "]"
		return c
	}
	c.Status = corev1.ConditionTrue
	return c
}

// gateReadiness makes the pod unready while one of its readiness gates is not true.
func (w *worker) gateReadiness(ready *corev1.PodCondition) {
	var messages []string
	for _, g := range w.pod.Spec.ReadinessGates {
		switch c := findCondition(w.pod.Status.Conditions, g.ConditionType); {
		case c == nil:
			messages = append(messages, `corresponding condition of pod readiness gate "`+string(g.ConditionType)+`" does not exist.`)
		case c.Status != corev1.ConditionTrue:
			messages = append(messages, `the status of pod readiness gate "`+string(g.ConditionType)+`" is not "True", but `+string(c.Status))
		}
	}
	if len(messages) > 0 {
		ready.Status, ready.Reason, ready.Message = corev1.ConditionFalse, "ReadinessGatesNotReady", strings.Join(messages, ", ")
	}
}

func findCondition(list []corev1.PodCondition, t corev1.PodConditionType) *corev1.PodCondition {
	for i := range list {
		if list[i].Type == t {
			return &list[i]
		}
	}
	return nil
}

// sameStatus compares what the kubelet may have changed between two statuses of one pod.
func sameStatus(a, b *corev1.PodStatus) bool {
	if a.Phase != b.Phase || a.Reason != b.Reason || a.PodIP != b.PodIP || a.ObservedGeneration != b.ObservedGeneration {
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
	for i := range a {
		x, y := &a[i], &b[i]
		if x.State != y.State || x.LastTerminationState != y.LastTerminationState || x.Ready != y.Ready || x.RestartCount != y.RestartCount || x.ContainerID != y.ContainerID {
			return false
		}
	}
	return true
}
