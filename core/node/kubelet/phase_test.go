package kubelet

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/loop"
)

// in makes a unit that is in a state: "new", "run", "0" (ended well), "1" (failed), "loop" (waits after a failure).
func in(w *worker, r role, state string) *unit {
	u := &unit{worker: w, role: r, spec: &corev1.Container{Name: "c"}}
	ended := func(code int32) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}
	}
	switch state {
	case "new":
		u.wait("ContainerCreating", "")
		return u
	case "run":
		u.stage, u.up, u.ready = running, true, true
		u.state.Running = &corev1.ContainerStateRunning{}
	case "0":
		u.stage, u.state = exited, ended(0)
	case "1":
		u.stage, u.state = exited, ended(1)
	case "loop":
		u.stage, u.state = waiting, ended(1)
		u.wait("CrashLoopBackOff", "")
	}
	u.id = "containerd://x"
	u.ready = u.ready || r == initContainer && state == "0"
	return u
}

func TestPhase(t *testing.T) {
	const always, onFailure, never = corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever
	tests := []struct {
		name                    string
		policy                  corev1.RestartPolicy
		inits, sidecars, others []string
		stopping                bool
		phase                   corev1.PodPhase
		initialized, ready      string // reasons; "" is True
	}{
		{"new", always, nil, nil, []string{"new"}, false, corev1.PodPending, "", "ContainersNotReady"},
		{"running", always, nil, nil, []string{"run", "run"}, false, corev1.PodRunning, "", ""},
		{"one not begun", always, nil, nil, []string{"run", "new"}, false, corev1.PodPending, "", "ContainersNotReady"},
		{"crash loop", always, nil, nil, []string{"loop"}, false, corev1.PodRunning, "", "ContainersNotReady"},
		{"about to restart", always, nil, nil, []string{"0"}, false, corev1.PodRunning, "", "ContainersNotReady"},
		{"never, failed", never, nil, nil, []string{"1"}, false, corev1.PodFailed, "", "PodFailed"},
		{"never, one failed", never, nil, nil, []string{"0", "1"}, false, corev1.PodFailed, "", "PodFailed"},
		{"never, done", never, nil, nil, []string{"0", "0"}, false, corev1.PodSucceeded, "PodCompleted", "PodCompleted"},
		{"never, one runs", never, nil, nil, []string{"1", "run"}, false, corev1.PodRunning, "", "ContainersNotReady"},
		{"on failure, failed", onFailure, nil, nil, []string{"1"}, false, corev1.PodRunning, "", "ContainersNotReady"},
		{"on failure, waits", onFailure, nil, nil, []string{"loop", "0"}, false, corev1.PodRunning, "", "ContainersNotReady"},
		{"on failure, done", onFailure, nil, nil, []string{"0"}, false, corev1.PodSucceeded, "PodCompleted", "PodCompleted"},
		{"stopped", always, nil, nil, []string{"0"}, true, corev1.PodSucceeded, "PodCompleted", "PodCompleted"},
		{"stopped badly", always, nil, nil, []string{"0", "1"}, true, corev1.PodFailed, "", "PodFailed"},
		{"initializing", always, []string{"run", "new"}, nil, []string{"new"}, false, corev1.PodPending, "ContainersNotInitialized", "ContainersNotReady"},
		{"initialized", always, []string{"0"}, nil, []string{"new"}, false, corev1.PodPending, "", "ContainersNotReady"},
		{"init failed", never, []string{"1"}, nil, []string{"new"}, false, corev1.PodFailed, "ContainersNotInitialized", "PodFailed"},
		{"init crash loop", always, []string{"loop"}, nil, []string{"new"}, false, corev1.PodPending, "ContainersNotInitialized", "ContainersNotReady"},
		{"sidecar starts", always, nil, []string{"new"}, []string{"new"}, false, corev1.PodPending, "ContainersNotInitialized", "ContainersNotReady"},
		{"sidecar runs on", never, nil, []string{"run"}, []string{"0"}, false, corev1.PodRunning, "", "ContainersNotReady"},
		{"sidecar restarts", always, nil, []string{"loop"}, []string{"run"}, false, corev1.PodRunning, "", "ContainersNotReady"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := &Kubelet{cfg: Config{Loop: loop.New(time.Unix(0, 0), 1)}}
			w := &worker{kubelet: k, pod: &corev1.Pod{Spec: corev1.PodSpec{RestartPolicy: tt.policy}}, stopping: tt.stopping}
			for _, s := range tt.inits {
				w.inits = append(w.inits, in(w, initContainer, s))
			}
			for _, s := range tt.sidecars {
				w.inits = append(w.inits, in(w, sidecar, s))
			}
			for _, s := range tt.others {
				w.regular = append(w.regular, in(w, regularContainer, s))
			}
			s := w.status()
			if s.Phase != tt.phase {
				t.Errorf("phase: got %s, want %s", s.Phase, tt.phase)
			}
			for condition, want := range map[corev1.PodConditionType]string{corev1.PodInitialized: tt.initialized, corev1.PodReady: tt.ready} {
				c := findCondition(s.Conditions, condition)
				if c.Reason != want || (c.Status == corev1.ConditionTrue) != (want == "" || want == "PodCompleted" && condition == corev1.PodInitialized) {
					t.Errorf("%s: got %s %q, want %q", condition, c.Status, c.Reason, want)
				}
			}
		})
	}
}
