package node_test

import (
	"strings"
	"testing"
	"time"

	"terrarium/core/cluster"
)

func TestCrashLoop(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("job", `{containers: [{name: c, image: busybox:1.28, command: [sh, -c, "sleep 2; exit 3"]}]}`)
	w.running("job")
	var waits []int
	restarts := int32(0)
	w.until(20*time.Minute, "eight restarts", func() bool {
		s := w.pod("job").Status.ContainerStatuses[0]
		if s.RestartCount > restarts {
			restarts = s.RestartCount
			d := s.State.Running.StartedAt.Sub(s.LastTerminationState.Terminated.FinishedAt.Time)
			waits = append(waits, int(d.Seconds())/10*10)
		}
		return restarts == 8
	})
	check(t, "seconds before each restart", []int{0, 10, 20, 40, 80, 160, 300, 300}, waits)
	w.until(5*time.Second, "it backs off", func() bool { return stateOf(&w.pod("job").Status.ContainerStatuses[0]) == "CrashLoopBackOff" })
	pod := w.pod("job")
	s := pod.Status.ContainerStatuses[0]
	name := "job_default(" + string(pod.UID) + ")"
	check(t, "message", "back-off 5m0s restarting failed container=c pod="+name, s.State.Waiting.Message)
	check(t, "phase", "Running", string(pod.Status.Phase))
	last := s.LastTerminationState.Terminated
	if last == nil || last.ExitCode != 3 || last.Reason != "Error" || last.ContainerID != s.ContainerID {
		t.Errorf("last state: got %+v", s.LastTerminationState)
	}
	check(t, "history", []string{
		"Pending", "Pending c=ContainerCreating", "Running c=Ready", "Running c=Error(3)", "Running c=Ready",
		"Running c=CrashLoopBackOff", "Running c=Ready", "Running c=CrashLoopBackOff",
	}, w.history["job"][:8])
	if got := strings.Join(w.events("job"), "\n"); !strings.Contains(got, "BackOff: Back-off restarting failed container c in pod "+name+" x") {
		t.Errorf("events: got %s", got)
	}
}

func TestBackoffIsForgottenAfterTenQuietMinutes(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("job", `{containers: [{name: c, image: busybox:1.28, command: [sleep, "660"]}]}`)
	w.running("job")
	w.until(12*time.Minute, "it has restarted", func() bool { return w.pod("job").Status.ContainerStatuses[0].RestartCount == 1 })
	w.until(12*time.Minute, "it has restarted again", func() bool { return w.pod("job").Status.ContainerStatuses[0].RestartCount == 2 })
	for _, line := range w.history["job"] {
		if strings.Contains(line, "CrashLoopBackOff") {
			t.Fatalf("got %v, want no back-off after eleven minutes of running", w.history["job"])
		}
	}
}

func TestRestartPolicies(t *testing.T) {
	tests := []struct {
		name, policy, script string
		want                 []string
		conditions           string
	}{
		{"never-done", "Never", "sleep 2", []string{"Running c=Ready", "Succeeded c=Completed(0)"},
			"PodReadyToStartContainers=False(PodSandboxNotReady) Initialized=True(PodCompleted) Ready=False(PodCompleted) ContainersReady=False(PodCompleted) PodScheduled=True"},
		{"never-failed", "Never", "sleep 2; exit 1", []string{"Running c=Ready", "Failed c=Error(1)"},
			"PodReadyToStartContainers=False(PodSandboxNotReady) Initialized=True Ready=False(PodFailed) ContainersReady=False(PodFailed) PodScheduled=True"},
		{"onfailure-done", "OnFailure", "sleep 2", []string{"Running c=Ready", "Succeeded c=Completed(0)"}, ""},
		{"onfailure-failed", "OnFailure", "sleep 2; exit 1", []string{"Running c=Ready", "Running c=Error(1)", "Running c=Ready", "Running c=CrashLoopBackOff", "Running c=Ready"}, ""},
		{"always-done", "Always", "sleep 2", []string{"Running c=Ready", "Running c=Completed(0)", "Running c=Ready", "Running c=CrashLoopBackOff", "Running c=Ready"}, ""},
	}
	w := newWorld(t, cluster.Config{Nodes: 1})
	for _, tt := range tests {
		w.run(tt.name, `{restartPolicy: `+tt.policy+`, containers: [{name: c, image: busybox:1.28, command: [sh, -c, "`+tt.script+`"]}]}`)
	}
	w.advance(25 * time.Second)
	for _, tt := range tests {
		h := w.history[tt.name]
		check(t, tt.name, tt.want, h[2:min(len(h), 2+len(tt.want))])
		if tt.conditions != "" {
			check(t, tt.name, tt.conditions, conditions(w.pod(tt.name)))
		}
	}
}

func TestInitContainers(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("web", `{initContainers: [{name: one, image: busybox:1.28, command: [sleep, "2"]}, {name: two, image: busybox:1.28, command: [sleep, "2"]}],
  containers: [{name: web, image: nginx}]}`)
	w.run("broken", `{restartPolicy: Never, initContainers: [{name: one, image: busybox:1.28, command: ["false"]}], containers: [{name: web, image: nginx}]}`)
	w.run("loops", `{initContainers: [{name: one, image: busybox:1.28, command: ["false"]}], containers: [{name: web, image: nginx}]}`)
	w.advance(20 * time.Second)
	check(t, "in order", []string{
		"Pending",
		"Pending one=PodInitializing two=PodInitializing web=PodInitializing",
		"Pending one=Running two=PodInitializing web=PodInitializing",
		"Pending one=Completed(0) two=PodInitializing web=PodInitializing",
		"Pending one=Completed(0) two=Running web=PodInitializing",
		"Pending one=Completed(0) two=Completed(0) web=PodInitializing",
		"Running one=Completed(0) two=Completed(0) web=Ready",
	}, w.history["web"])
	h := w.history["broken"]
	check(t, "broken", "Failed one=Error(1) web=PodInitializing", h[len(h)-1])
	check(t, "broken", "PodReadyToStartContainers=False(PodSandboxNotReady) Initialized=False(ContainersNotInitialized) Ready=False(PodFailed) ContainersReady=False(PodFailed) PodScheduled=True", conditions(w.pod("broken")))
	w.until(20*time.Second, "it loops", func() bool { return stateOf(&w.pod("loops").Status.InitContainerStatuses[0]) == "CrashLoopBackOff" })
	check(t, "loops", "Pending", string(w.pod("loops").Status.Phase))
	if c := conditions(w.pod("loops")); !strings.Contains(c, "Initialized=False(ContainersNotInitialized)") {
		t.Errorf("loops: got %s", c)
	}
}

func TestSidecars(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("job", `{restartPolicy: Never,
  initContainers: [{name: proxy, image: nginx, restartPolicy: Always, startupProbe: {httpGet: {port: 80}, initialDelaySeconds: 5}}],
  containers: [{name: main, image: busybox:1.28, command: [sleep, "5"]}]}`)
	w.advance(40 * time.Second)
	check(t, "the sidecar is up before, and stops after, the others", []string{
		"Pending",
		"Pending proxy=PodInitializing main=PodInitializing",
		"Pending proxy=Running main=PodInitializing",
		"Pending proxy=Ready main=PodInitializing",
		"Running proxy=Ready main=Ready",
		"Running proxy=Ready main=Completed(0)",
		"Succeeded proxy=Completed(0) main=Completed(0)",
	}, w.history["job"])
	w.run("web", `{terminationGracePeriodSeconds: 10, initContainers: [{name: proxy, image: nginx, restartPolicy: Always}], containers: [{name: main, image: busybox:1.28, command: [sleep, "3600"]}]}`)
	w.running("web")
	w.serve("DELETE", pods+"/web", "", "")
	w.advance(9 * time.Second)
	check(t, "while the main container stops", "Ready", stateOf(&w.pod("web").Status.InitContainerStatuses[0]))
	w.advance(2 * time.Second)
	check(t, "exists", false, w.exists("pods", "default", "web"))
	// One that crashes is started again, whatever the pod's policy.
	w.run("crash", `{restartPolicy: Never, initContainers: [{name: proxy, image: busybox:1.28, restartPolicy: Always, command: [sleep, "3"]}], containers: [{name: main, image: nginx}]}`)
	w.advance(15 * time.Second)
	if s := w.pod("crash").Status; s.InitContainerStatuses[0].RestartCount == 0 || s.Phase != "Running" || s.ContainerStatuses[0].RestartCount != 0 {
		t.Errorf("got %s with %d restarts of the sidecar", s.Phase, s.InitContainerStatuses[0].RestartCount)
	}
}

func TestActiveDeadline(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("slow", `{activeDeadlineSeconds: 20, terminationGracePeriodSeconds: 5, containers: [{name: c, image: busybox:1.28, command: [sleep, "3600"]}]}`)
	w.running("slow")
	from := w.pod("slow").Status.StartTime.Time
	w.until(40*time.Second, "it has failed", func() bool { return w.pod("slow").Status.Phase == "Failed" })
	// The containers have their grace period before the pod is Failed.
	if d := w.c.Now().Sub(from).Round(time.Second); d != 25*time.Second {
		t.Errorf("it failed after %v, want 25s", d)
	}
	const message = "Pod was active on the node longer than the specified deadline"
	check(t, "reason", []string{"DeadlineExceeded", message}, []string{w.pod("slow").Status.Reason, w.pod("slow").Status.Message})
	check(t, "state", "Error(137)", stateOf(&w.pod("slow").Status.ContainerStatuses[0]))
	events := w.events("slow")
	check(t, "events", []string{"DeadlineExceeded: " + message, "Killing: Stopping container c"}, events[len(events)-2:])
}

func TestReadiness(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("web", `{containers: [{name: c, image: nginx, readinessProbe: {httpGet: {port: 80}, initialDelaySeconds: 5}}]}`)
	w.run("gated", `{readinessGates: [{conditionType: example.com/ready}], containers: [{name: c, image: nginx}]}`)
	w.running("web")
	check(t, "before the probe", false, ready(w.pod("web")))
	took := w.until(10*time.Second, "it is ready", func() bool { return ready(w.pod("web")) })
	if took < 4500*time.Millisecond || took > 5500*time.Millisecond {
		t.Errorf("ready after %v, want 5s", took)
	}
	w.running("gated")
	check(t, "gated", "PodReadyToStartContainers=True Initialized=True Ready=False(ReadinessGatesNotReady) ContainersReady=True PodScheduled=True", conditions(w.pod("gated")))
	w.serve("PATCH", pods+"/gated/status", "application/strategic-merge-patch+json", `{"status":{"conditions":[{"type":"example.com/ready","status":"True"}]}}`)
	w.advance(time.Second)
	check(t, "gate open", true, ready(w.pod("gated")))
	w.serve("PATCH", pods+"/gated/status", "application/strategic-merge-patch+json", `{"status":{"conditions":[{"type":"example.com/ready","status":"False"}]}}`)
	w.advance(time.Second)
	check(t, "gate closed", false, ready(w.pod("gated")))
	// What others write into the kubelet's own conditions does not stay.
	w.serve("PATCH", pods+"/web/status", "application/strategic-merge-patch+json", `{"status":{"conditions":[{"type":"Ready","status":"False"}]}}`)
	w.advance(time.Second)
	check(t, "overwritten", true, ready(w.pod("web")))
}
