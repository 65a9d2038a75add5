package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// adopt takes over a pod that ran before this kubelet started, from what its status says: containers go on
// where they were, or, when the machine has lost power meanwhile, have ended.
func (w *worker) adopt() {
	s := &w.pod.Status
	if s.StartTime == nil {
		return // it has never been here
	}
	w.started = *s.StartTime
	if s.PodIP != "" && !w.kubelet.rebooted {
		w.sandbox, w.ip = true, s.PodIP
		if !w.pod.Spec.HostNetwork {
			w.kubelet.ips.keep(s.PodIP)
		}
	}
	for i, u := range w.inits {
		if i < len(s.InitContainerStatuses) {
			u.adopt(&s.InitContainerStatuses[i])
		}
	}
	for i, u := range w.regular {
		if i < len(s.ContainerStatuses) {
			u.adopt(&s.ContainerStatuses[i])
		}
	}
	if w.kubelet.rebooted && s.PodIP != "" && w.pod.DeletionTimestamp == nil {
		w.kubelet.recorder.Normal(w.pod, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.")
	}
}

func (u *unit) adopt(s *corev1.ContainerStatus) {
	k := u.worker.kubelet
	u.id, u.restarts, u.last = s.ContainerID, s.RestartCount, s.LastTerminationState
	if img, ok := k.cfg.Images.Find(u.spec.Image); ok {
		u.image = img
	} else if u.id != "" {
		k.cfg.Images.Restore([]string{u.spec.Image})
		u.image, _ = k.cfg.Images.Find(u.spec.Image)
	}
	switch {
	case s.State.Running != nil && k.rebooted:
		u.stage = exited
		u.state = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			ExitCode: 255, Reason: "Unknown", StartedAt: s.State.Running.StartedAt,
			FinishedAt: metav1.Time{Time: u.worker.now().Truncate(time.Second)}, ContainerID: u.id,
		}}
		u.crash = backoff{}
	case s.State.Running != nil:
		u.resume(s.State.Running.StartedAt.Time)
	case s.State.Terminated != nil:
		u.stage, u.state = exited, s.State
		u.ready = u.role == initContainer && s.State.Terminated.ExitCode == 0
	case s.State.Waiting != nil && s.State.Waiting.Reason == "CrashLoopBackOff" && s.LastTerminationState.Terminated != nil:
		u.stage, u.state = exited, s.LastTerminationState
		u.crash.recall(int(s.RestartCount), s.LastTerminationState.Terminated.FinishedAt.Time)
	}
}
