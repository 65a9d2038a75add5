package node_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/cluster"
)

// check compares got with want and shows the difference.
func check(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestPodComesUp(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("web", `{containers: [{name: nginx, image: "nginx:1.7.9"}]}`)
	w.until(time.Second, "it is on its node", func() bool { return w.pod("web").Status.HostIP != "" })
	check(t, "conditions at first", "PodReadyToStartContainers=False(PodSandboxNotReady) Initialized=True Ready=False(ContainersNotReady) ContainersReady=False(ContainersNotReady) PodScheduled=True", conditions(w.pod("web")))
	w.until(time.Second, "it has an address", func() bool { return w.pod("web").Status.PodIP != "" })
	check(t, "conditions while pulling", "PodReadyToStartContainers=True Initialized=True Ready=False(ContainersNotReady) ContainersReady=False(ContainersNotReady) PodScheduled=True", conditions(w.pod("web")))
	pod := w.running("web")
	check(t, "conditions", "PodReadyToStartContainers=True Initialized=True Ready=True ContainersReady=True PodScheduled=True", conditions(pod))
	check(t, "history", []string{"Pending", "Pending nginx=ContainerCreating", "Running nginx=Ready"}, w.history["web"])
	check(t, "address", "10.244.0.2", pod.Status.PodIP)
	events := w.events("web")
	if len(events) != 5 || !strings.HasPrefix(events[2], `Pulled: Successfully pulled image "nginx:1.7.9" in `) || !strings.HasSuffix(events[2], " including waiting). Image size: 71000000 bytes.") {
		t.Fatalf("events: got %q", events)
	}
	check(t, "events", []string{"Scheduled: Successfully assigned default/web to node-1", `Pulling: Pulling image "nginx:1.7.9"`, events[2], "Created: Container created", "Started: Container started"}, events)

	// The image is there now: no pull, and two writes of the status.
	w.run("again", `{containers: [{name: nginx, image: "nginx:1.7.9"}]}`)
	took := w.until(3*time.Second, "it runs", func() bool { return ready(w.pod("again")) })
	if took > 1500*time.Millisecond {
		t.Errorf("with its image present it took %v", took)
	}
	check(t, "events of the second", []string{"Scheduled: Successfully assigned default/again to node-1",
		`Pulled: Container image "nginx:1.7.9" already present on machine and can be accessed by the pod`, "Created: Container created", "Started: Container started"}, w.events("again"))
	check(t, "address of the second", "10.244.0.3", w.pod("again").Status.PodIP)
}

func TestBadImage(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("web", `{containers: [{name: nginx, image: "nginx:1.161"}]}`)
	var pulls []time.Time
	last := ""
	w.until(20*time.Minute, "eight pulls have failed", func() bool {
		s := w.pod("web").Status
		state := ""
		if len(s.ContainerStatuses) > 0 {
			state = stateOf(&s.ContainerStatuses[0])
		}
		if state == "ErrImagePull" && last != state {
			pulls = append(pulls, w.c.Now())
		}
		last = state
		return len(pulls) == 8
	})
	var gaps []float64
	for i := range pulls[1:] {
		gaps = append(gaps, float64(int(pulls[i+1].Sub(pulls[i]).Seconds()/10))*10)
	}
	check(t, "seconds between pulls", []float64{10, 20, 40, 80, 160, 300, 300}, gaps)
	w.until(30*time.Second, "it backs off", func() bool { return stateOf(&w.pod("web").Status.ContainerStatuses[0]) == "ImagePullBackOff" })
	const why = `rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.161": failed to resolve reference "docker.io/library/nginx:1.161": docker.io/library/nginx:1.161: not found`
	check(t, "message", `Back-off pulling image "nginx:1.161": ErrImagePull: `+why, w.pod("web").Status.ContainerStatuses[0].State.Waiting.Message)
	check(t, "phase", "Pending", string(w.pod("web").Status.Phase))
	events := w.events("web")
	for i := range events { // how often each was told is the recorder's business
		events[i], _, _ = strings.Cut(events[i], " x")
	}
	check(t, "events", []string{"Scheduled: Successfully assigned default/web to node-1", `Pulling: Pulling image "nginx:1.161"`,
		`Failed: Failed to pull image "nginx:1.161": ` + why, "Failed: Error: ErrImagePull", `BackOff: Back-off pulling image "nginx:1.161"`, "Failed: Error: ImagePullBackOff"},
		events)

	// Another image is tried at once.
	w.patchImage("web", "nginx", "nginx:1.9.1")
	if took := w.until(10*time.Second, "it runs", func() bool { return ready(w.pod("web")) }); took > 5*time.Second {
		t.Errorf("with a good image it took %v", took)
	}
	check(t, "restarts", int32(0), w.pod("web").Status.ContainerStatuses[0].RestartCount)
}

func (w *world) patchImage(pod, container, image string) {
	w.t.Helper()
	w.serve("PATCH", pods+"/"+pod, "application/strategic-merge-patch+json", `{"spec":{"containers":[{"name":"`+container+`","image":"`+image+`"}]}}`)
}

func TestInvalidImageName(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("web", `{containers: [{name: c, image: "Nginx"}]}`)
	w.run("never", `{containers: [{name: c, image: "nginx:1.9.1", imagePullPolicy: Never}]}`)
	w.advance(5 * time.Second)
	check(t, "state", "InvalidImageName", stateOf(&w.pod("web").Status.ContainerStatuses[0]))
	const message = `Failed to apply default image tag "Nginx": couldn't parse image name "Nginx": invalid reference format: repository name (library/Nginx) must be lowercase`
	check(t, "events", []string{"InspectFailed: " + message, "Failed: Error: InvalidImageName"}, w.events("web", "Scheduled"))
	check(t, "state", "ErrImageNeverPull", stateOf(&w.pod("never").Status.ContainerStatuses[0]))
	check(t, "events", []string{`ErrImageNeverPull: Container image "nginx:1.9.1" is not present with pull policy of Never`, "Failed: Error: ErrImageNeverPull"}, w.events("never", "Scheduled"))
	// It is noticed when the image is there.
	w.run("other", `{containers: [{name: c, image: "nginx:1.9.1"}]}`)
	w.until(25*time.Second, "the image is found", func() bool { return ready(w.pod("never")) })
}

func TestImageOfARunningPodChanges(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("web", `{containers: [{name: nginx, image: "nginx:1.7.9"}]}`)
	first := w.running("web").Status.ContainerStatuses[0].ContainerID
	w.patchImage("web", "nginx", "nginx:1.9.1")
	w.until(10*time.Second, "it runs anew", func() bool {
		s := w.pod("web").Status.ContainerStatuses[0]
		return s.RestartCount == 1 && s.Ready
	})
	s := w.pod("web").Status.ContainerStatuses[0]
	check(t, "image", "docker.io/library/nginx:1.9.1", s.Image)
	if s.ContainerID == first || s.LastTerminationState.Terminated == nil || s.LastTerminationState.Terminated.ContainerID != first {
		t.Errorf("got %+v, want the first container %s terminated", s, first)
	}
	if got := strings.Join(w.events("web"), "\n"); !strings.Contains(got, "Killing: Container nginx definition changed, will be restarted") {
		t.Errorf("events: got %s", got)
	}
	check(t, "history", []string{"Running nginx=Ready", "Running nginx=Completed(0)", "Running nginx=Ready"}, w.history["web"][2:])
}

func TestPodsBeyondCapacity(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	pod := func(name, cpu, memory string) {
		w.run(name, `{nodeName: node-1, containers: [{name: c, image: nginx, resources: {requests: {cpu: "`+cpu+`", memory: "`+memory+`"}}}]}`)
	}
	pod("a", "3", "1Gi")
	pod("b", "2", "1Gi")
	w.advance(5 * time.Second)
	pod("c", "1", "8Gi")
	pod("d", "1", "1Gi")
	w.advance(5 * time.Second)
	const short = "Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000"
	b := w.pod("b")
	check(t, "b", []string{"Failed", "OutOfcpu", "Pod was rejected: " + short}, []string{string(b.Status.Phase), b.Status.Reason, b.Status.Message})
	check(t, "events of b", []string{"OutOfcpu: " + short}, w.events("b"))
	check(t, "c", []string{"Failed", "OutOfmemory"}, []string{string(w.pod("c").Status.Phase), w.pod("c").Status.Reason})
	check(t, "d", true, ready(w.pod("d")))
	// What a deleted pod had is there for others.
	w.serve("DELETE", pods+"/a", "", "")
	w.advance(5 * time.Second)
	pod("e", "3", "1Gi")
	w.advance(5 * time.Second)
	check(t, "e", true, ready(w.pod("e")))
}
