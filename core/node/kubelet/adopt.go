package kubelet

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/trace"
)

// Adopt hears of the pods that are bound to this node when the kubelet starts. Those that have been here
// before come first: what they hold is not given to others.
func (k *Kubelet) Adopt(pods []*corev1.Pod) {
	why := trace.Trigger{Note: "kubelet started"}
	for _, pod := range pods {
		if pod.Status.StartTime != nil {
			k.Handle(pod, why)
		}
	}
	for _, pod := range pods {
		if pod.Status.StartTime == nil {
			k.Handle(pod, why)
		}
	}
}

// adopt takes over a pod that ran before this kubelet started, from what its status says: containers go on
// where they were, or, when the machine has lost power meanwhile, have ended.
//
// Differs: upstream's kubelet begins with new crash-loop back-offs when it restarts, but so it does seldom;
// here a page is closed and opened. Back-offs of images do begin anew.
func (w *worker) adopt() {
	s := &w.pod.Status
	if s.StartTime == nil {
		return // it has never been here
	}
	w.started = *s.StartTime
	if d := w.pod.DeletionTimestamp; d != nil {
		w.killAt = d.Time
	}
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
	if u.id == "" {
		return
	}
	if _, ok := k.cfg.Images.Find(u.spec.Image); !ok {
		k.cfg.Images.Restore(u.spec.Image)
	}
	u.image, _ = k.cfg.Images.Find(u.spec.Image)
	switch {
	case s.State.Running != nil && k.rebooted:
		u.lost(s.State.Running.StartedAt)
	case s.State.Running != nil:
		u.recall(s.State.Running.StartedAt.Time)
		u.resume(s.State.Running.StartedAt.Time)
	case s.State.Terminated != nil:
		u.stage, u.state = exited, s.State
		u.finished = s.State.Terminated.FinishedAt.Time
		u.ready = u.role == initContainer && s.State.Terminated.ExitCode == 0
		u.recall(s.State.Terminated.StartedAt.Time)
	case s.State.Waiting != nil && s.LastTerminationState.Terminated != nil:
		u.stage, u.state, u.last = exited, s.LastTerminationState, corev1.ContainerState{}
		u.finished = s.LastTerminationState.Terminated.FinishedAt.Time
		if s.State.Waiting.Reason == "CrashLoopBackOff" {
			u.crash = backoff{delay: announced(s.State.Waiting.Message), updated: u.finished}
		}
	}
	if u.role == initContainer && k.rebooted {
		u.stage, u.ready = idle, false // a new sandbox is initialized anew
	}
}

// lost is the end of a container whose machine lost power.
func (u *unit) lost(started metav1.Time) {
	u.stage, u.finished = exited, u.worker.now()
	u.state = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: 255, Reason: "Unknown", StartedAt: started,
		FinishedAt: metav1.Time{Time: u.finished.Truncate(time.Second)}, ContainerID: u.id,
	}}
}

// recall makes up for the crash-loop delay that is lost with the kubelet that counted it: the container
// waited for the delay before this one when it was started last.
func (u *unit) recall(started time.Time) {
	if t := u.last.Terminated; t != nil {
		u.crash = backoff{delay: longerThan(started.Sub(t.FinishedAt.Time)), updated: started}
	}
}

// longerThan returns the first delay that is longer than d.
func longerThan(d time.Duration) time.Duration {
	delay := backoffBase
	for delay <= d && delay < backoffMax {
		delay = min(2*delay, backoffMax)
	}
	return delay
}

// announced reads the delay out of the message of a CrashLoopBackOff.
func announced(message string) time.Duration {
	text, _, _ := strings.Cut(strings.TrimPrefix(message, "back-off "), " ")
	d, err := time.ParseDuration(text)
	if err != nil {
		return backoffBase
	}
	return d
}
