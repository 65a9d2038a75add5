package board

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// Phase returns what kubectl prints as a pod's STATUS, and how often its containers restarted.
//
// Models pkg/printers/internalversion printPod.
func Phase(pod *corev1.Pod) (phase string, restarts int32) {
	phase = string(pod.Status.Phase)
	if pod.Status.Reason != "" {
		phase = pod.Status.Reason
	}
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Type == corev1.PodScheduled && c.Reason == corev1.PodReasonSchedulingGated {
			phase = corev1.PodReasonSchedulingGated
		}
	}
	initializing, text, restarts := initPhase(pod)
	if initializing {
		phase = text
	}
	if !initializing || initialized(pod) {
		var mainRestarts int32
		phase, mainRestarts = mainPhase(pod, phase)
		restarts = sidecarRestarts(pod) + mainRestarts
	}
	if pod.DeletionTimestamp != nil {
		switch {
		case pod.Status.Reason == "NodeLost":
			return "Unknown", restarts
		case pod.Status.Phase != corev1.PodFailed && pod.Status.Phase != corev1.PodSucceeded:
			return "Terminating", restarts
		}
	}
	return phase, restarts
}

// initPhase returns what to print while the init containers run.
func initPhase(pod *corev1.Pod) (initializing bool, text string, restarts int32) {
	total := len(pod.Spec.InitContainers)
	for i := range pod.Status.InitContainerStatuses {
		s := &pod.Status.InitContainerStatuses[i]
		restarts += s.RestartCount
		sidecar := isSidecar(pod, s.Name)
		switch {
		case s.State.Terminated != nil && s.State.Terminated.ExitCode == 0,
			sidecar && s.Started != nil && *s.Started:
			continue
		case s.State.Terminated != nil && s.State.Terminated.Reason != "":
			return true, "Init:" + s.State.Terminated.Reason, restarts
		case s.State.Terminated != nil:
			return true, "Init:" + ending(s.State.Terminated), restarts
		case s.State.Waiting != nil && s.State.Waiting.Reason != "" && s.State.Waiting.Reason != "PodInitializing":
			return true, "Init:" + s.State.Waiting.Reason, restarts
		}
		return true, "Init:" + strconv.Itoa(i) + "/" + strconv.Itoa(total), restarts
	}
	return false, "", restarts
}

// mainPhase returns what to print for the regular containers; the first that has something to say wins.
func mainPhase(pod *corev1.Pod, phase string) (string, int32) {
	var restarts int32
	running := false
	list := pod.Status.ContainerStatuses
	for i := len(list) - 1; i >= 0; i-- {
		s := &list[i]
		restarts += s.RestartCount
		switch {
		case s.State.Waiting != nil && s.State.Waiting.Reason != "":
			phase = s.State.Waiting.Reason
		case s.State.Terminated != nil && s.State.Terminated.Reason != "":
			phase = s.State.Terminated.Reason
		case s.State.Terminated != nil:
			phase = ending(s.State.Terminated)
		case s.Ready && s.State.Running != nil:
			running = true
		}
	}
	if phase == "Completed" && running {
		if isReady(pod) {
			return "Running", restarts
		}
		return "NotReady", restarts
	}
	return phase, restarts
}

func ending(t *corev1.ContainerStateTerminated) string {
	if t.Signal != 0 {
		return "Signal:" + strconv.Itoa(int(t.Signal))
	}
	return "ExitCode:" + strconv.Itoa(int(t.ExitCode))
}

func sidecarRestarts(pod *corev1.Pod) (n int32) {
	for i := range pod.Status.InitContainerStatuses {
		if s := &pod.Status.InitContainerStatuses[i]; isSidecar(pod, s.Name) {
			n += s.RestartCount
		}
	}
	return n
}

func isSidecar(pod *corev1.Pod, name string) bool {
	for i := range pod.Spec.InitContainers {
		if c := &pod.Spec.InitContainers[i]; c.Name == name {
			return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		}
	}
	return false
}

func initialized(pod *corev1.Pod) bool { return isTrue(pod, corev1.PodInitialized) }

func isReady(pod *corev1.Pod) bool { return isTrue(pod, corev1.PodReady) }

func isTrue(pod *corev1.Pod, t corev1.PodConditionType) bool {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == t {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// refusal returns why the scheduler has not placed the pod, in its own words.
func refusal(pod *corev1.Pod) string {
	if pod.Spec.NodeName != "" {
		return ""
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			return c.Message
		}
	}
	return ""
}
