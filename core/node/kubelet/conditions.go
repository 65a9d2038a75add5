package kubelet

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// phase sums up the containers.
//
// Models pkg/kubelet kubelet_pods.go getPhase.
func (w *worker) phase() corev1.PodPhase {
	if w.failed != nil {
		return corev1.PodFailed
	}
	var initializing, sidecarPending bool
	var unstarted, live, stopped, final, succeeded int
	for _, u := range w.inits {
		switch e := u.ended(); {
		case u.role == sidecar && u.stage == running:
			live++
			sidecarPending = sidecarPending || !u.up
		case u.role == sidecar && e == nil:
			unstarted++
			sidecarPending = true
		case u.role == sidecar:
		case e == nil:
			initializing = true
		case e.ExitCode != 0 && !u.restartable():
			return corev1.PodFailed
		}
	}
	for _, u := range w.regular {
		switch e := u.ended(); {
		case u.stage == running:
			live++
		case e == nil:
			unstarted++
		default:
			stopped++
			if e.ExitCode == 0 {
				succeeded++
			}
			if !u.restartable() {
				final++
			}
		}
	}
	switch {
	case initializing || sidecarPending && !w.anyStarted(), unstarted > 0:
		return corev1.PodPending
	case live > 0 || !w.stopping && final < stopped:
		return corev1.PodRunning
	case succeeded == stopped:
		return corev1.PodSucceeded
	}
	return corev1.PodFailed
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
func (w *worker) conditions(phase corev1.PodPhase) []corev1.PodCondition {
	containers := w.containersReady(phase)
	ready := containers
	ready.Type = corev1.PodReady
	if ready.Status == corev1.ConditionTrue {
		w.gateReadiness(&ready)
	}
	out := []corev1.PodCondition{w.readyToStart(), w.initialized(phase), ready, containers}
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

// readyToStart says whether the pod has its network: from the sandbox on until everything has ended.
func (w *worker) readyToStart() corev1.PodCondition {
	c := corev1.PodCondition{Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionTrue}
	switch {
	case w.stopping && !w.alive() && w.ip != "":
		c.Status, c.Reason, c.Message = corev1.ConditionFalse, "PodSandboxNotReady", "pod sandbox is not ready"
	case !w.sandbox || w.ip == "":
		c.Status, c.Reason, c.Message = corev1.ConditionFalse, "PodSandboxNotReady", "no pod sandbox exists"
	}
	return c
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
		if u.role == sidecar && !u.up || u.role == initContainer && !u.completed() {
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
