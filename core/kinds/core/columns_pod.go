package core

import (
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds/table"
)

// Models pkg/printers/internalversion printPod.
func podCells(pod *corev1.Pod, now table.Time) []any {
	s := summarize(pod)
	restarts := strconv.Itoa(s.restarts)
	if s.restarts != 0 && !s.restarted.IsZero() {
		restarts += " (" + now.Since(s.restarted) + " ago)"
	}
	ip := ""
	if len(pod.Status.PodIPs) > 0 {
		ip = pod.Status.PodIPs[0].IP
	}
	return []any{pod.Name, fmt.Sprintf("%d/%d", s.ready, s.total), s.reason, restarts, now.Age(pod), table.OrNone(ip),
		table.OrNone(pod.Spec.NodeName), table.OrNone(pod.Status.NominatedNodeName), readinessGates(pod)}
}

// A podSummary is what kubectl get shows of a pod's containers.
type podSummary struct {
	reason       string // the STATUS column
	ready, total int
	restarts     int
	restarted    metav1.Time // the last of the restarts
}

func summarize(pod *corev1.Pod) podSummary {
	s := podSummary{reason: table.Or(pod.Status.Reason, string(pod.Status.Phase)), total: len(pod.Spec.Containers)}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Reason == corev1.PodReasonSchedulingGated {
			s.reason = corev1.PodReasonSchedulingGated
		}
	}
	for i := range pod.Spec.InitContainers {
		if isSidecar(&pod.Spec.InitContainers[i]) {
			s.total++
		}
	}
	sidecars, initializing := s.initContainers(pod)
	if !initializing || hasCondition(pod, corev1.PodInitialized) {
		s.restarts, s.restarted = sidecars.restarts, sidecars.restarted
		s.containers(pod)
	}
	switch {
	case pod.DeletionTimestamp == nil:
	case pod.Status.Reason == "NodeLost":
		s.reason = "Unknown"
	case pod.Status.Phase != corev1.PodFailed && pod.Status.Phase != corev1.PodSucceeded:
		s.reason = "Terminating"
	}
	return s
}

// initContainers counts the init containers up to the one that runs. It returns the restarts of those that
// are sidecars, and whether the pod waits for one.
func (s *podSummary) initContainers(pod *corev1.Pod) (sidecars podSummary, initializing bool) {
	for i := range pod.Status.InitContainerStatuses {
		c := &pod.Status.InitContainerStatuses[i]
		sidecar := slices.ContainsFunc(pod.Spec.InitContainers, func(spec corev1.Container) bool {
			return spec.Name == c.Name && isSidecar(&spec)
		})
		s.restart(c)
		if sidecar {
			sidecars.restart(c)
		}
		switch done := c.State.Terminated; {
		case done != nil && done.ExitCode == 0:
			continue
		case sidecar && c.Started != nil && *c.Started:
			if c.Ready {
				s.ready++
			}
			continue
		case done != nil:
			s.reason = "Init:" + exitReason(done)
		case c.State.Waiting != nil && c.State.Waiting.Reason != "" && c.State.Waiting.Reason != "PodInitializing":
			s.reason = "Init:" + c.State.Waiting.Reason
		default:
			s.reason = fmt.Sprintf("Init:%d/%d", i, len(pod.Spec.InitContainers))
		}
		return sidecars, true
	}
	return sidecars, false
}

// containers counts the containers. The first one that is not well gives the reason.
func (s *podSummary) containers(pod *corev1.Pod) {
	running, failure := false, ""
	for _, c := range slices.Backward(pod.Status.ContainerStatuses) {
		s.restart(&c)
		switch done := c.State.Terminated; {
		case c.State.Waiting != nil && c.State.Waiting.Reason != "":
			s.reason = c.State.Waiting.Reason
		case done != nil:
			s.reason = exitReason(done)
			if done.ExitCode != 0 {
				failure = s.reason
			}
		case c.Ready && c.State.Running != nil:
			running = true
			s.ready++
		}
	}
	if s.reason != "Completed" {
		return
	}
	switch {
	case running && hasCondition(pod, corev1.PodReady):
		s.reason = "Running"
	case failure != "":
		s.reason = failure
	case running:
		s.reason = "NotReady"
	}
}

func (s *podSummary) restart(c *corev1.ContainerStatus) {
	s.restarts += int(c.RestartCount)
	if last := c.LastTerminationState.Terminated; last != nil && s.restarted.Before(&last.FinishedAt) {
		s.restarted = last.FinishedAt
	}
}

func exitReason(t *corev1.ContainerStateTerminated) string {
	switch {
	case t.Reason != "":
		return t.Reason
	case t.Signal != 0:
		return fmt.Sprintf("Signal:%d", t.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", t.ExitCode)
}

func readinessGates(pod *corev1.Pod) string {
	if len(pod.Spec.ReadinessGates) == 0 {
		return "<none>"
	}
	open := 0
	for _, g := range pod.Spec.ReadinessGates {
		if hasCondition(pod, g.ConditionType) {
			open++
		}
	}
	return fmt.Sprintf("%d/%d", open, len(pod.Spec.ReadinessGates))
}

// hasCondition reports whether the pod's condition of this type is true.
func hasCondition(pod *corev1.Pod, of corev1.PodConditionType) bool {
	i := slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == of })
	return i >= 0 && pod.Status.Conditions[i].Status == corev1.ConditionTrue
}
