package node_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/cluster"
	"terrarium/core/store/journal"
)

// kept builds a cluster on a backend, and lets it go on from what is there.
func kept(t *testing.T, b journal.Backend) *world {
	t.Helper()
	c := cluster.New(cluster.Config{Nodes: 1, CheckMutation: true})
	c.Keep(b, func(_ bool, err error) {
		if err != nil {
			t.Fatal(err)
		}
	})
	return adopt(t, c)
}

func TestProgramRestarts(t *testing.T) {
	b := &journal.Memory{}
	w := kept(t, b)
	w.advance(15 * time.Second)
	w.run("web", `{initContainers: [{name: i, image: busybox, command: ["true"]}], containers: [{name: c, image: nginx}]}`)
	w.run("loops", `{containers: [{name: c, image: busybox:1.28, command: [sh, -c, "sleep 1; exit 1"]}]}`)
	w.run("sleeps", `{restartPolicy: Never, containers: [{name: c, image: busybox:1.28, command: [sleep, "120"]}]}`)
	w.run("slow", `{containers: [{name: c, image: busybox:1.28, command: [sleep, "3600"]}]}`)
	w.run("bad", `{containers: [{name: c, image: "nginx:1.161"}]}`)
	w.running("web")
	w.running("slow")
	w.running("sleeps")
	w.until(2*time.Minute, "a back-off of 20s", func() bool {
		s := w.pod("loops").Status.ContainerStatuses
		return len(s) > 0 && s[0].State.Waiting != nil && strings.HasPrefix(s[0].State.Waiting.Message, "back-off 20s")
	})
	w.serve("DELETE", pods+"/slow", "", "")
	deleted := w.c.Now()
	w.advance(5 * time.Second)
	w.run("new", `{containers: [{name: c, image: nginx}]}`) // and the program ends before anyone has seen it
	w.c.Flush()
	before := w.pod("web")
	loops := w.pod("loops")

	w = kept(t, b)
	w.running("new")
	after := w.pod("web")
	if diff := cmp.Diff(before.Status, after.Status); diff != "" {
		t.Errorf("a running pod was touched (-before +after):\n%s", diff)
	}
	if w.pod("new").Status.PodIP == after.Status.PodIP {
		t.Errorf("both pods have %s", after.Status.PodIP)
	}
	check(t, "events", []string(nil), w.events("web"))

	finished := loops.Status.ContainerStatuses[0].LastTerminationState.Terminated.FinishedAt
	w.until(time.Minute, "the next restart", func() bool {
		return w.pod("loops").Status.ContainerStatuses[0].RestartCount > loops.Status.ContainerStatuses[0].RestartCount
	})
	started := w.pod("loops").Status.ContainerStatuses[0].State.Running.StartedAt
	if d := started.Sub(finished.Time); d < 20*time.Second || d > 23*time.Second {
		t.Errorf("restarted after %v, want 20s", d)
	}
	w.until(time.Minute, "the deleted one is gone", func() bool { return !w.exists("pods", "default", "slow") })
	if d := w.c.Now().Sub(deleted); d < 29*time.Second || d > 32*time.Second {
		t.Errorf("it is gone %v after it was deleted, want 30s", d)
	}
	w.until(time.Minute, "the next back-off", func() bool {
		s := w.pod("loops").Status.ContainerStatuses[0]
		return s.State.Waiting != nil && strings.HasPrefix(s.State.Waiting.Message, "back-off 40s")
	})
	start := w.pod("sleeps").Status.ContainerStatuses[0].State.Running.StartedAt.Time
	w.until(3*time.Minute, "the sleeper ends", func() bool { return w.pod("sleeps").Status.Phase == "Succeeded" })
	if d := w.c.Now().Sub(start).Round(time.Second); d < 119*time.Second || d > 121*time.Second {
		t.Errorf("it slept for %v, want 120s", d)
	}
	check(t, "bad", "Pending", string(w.pod("bad").Status.Phase))
}

func TestProgramRestartsWhileAContainerRuns(t *testing.T) {
	b := &journal.Memory{}
	w := kept(t, b)
	w.advance(15 * time.Second)
	w.run("loops", `{containers: [{name: c, image: busybox:1.28, command: [sh, -c, "sleep 8; exit 1"]}]}`)
	w.running("loops")
	w.until(5*time.Minute, "the third restart", func() bool {
		s := w.pod("loops").Status.ContainerStatuses[0]
		return s.RestartCount == 3 && s.State.Running != nil
	})
	w.c.Flush()
	w = kept(t, b)
	w.until(time.Minute, "the back-off goes on", func() bool { return w.pod("loops").Status.ContainerStatuses[0].State.Waiting != nil })
	if got := w.pod("loops").Status.ContainerStatuses[0].State.Waiting.Message; !strings.HasPrefix(got, "back-off 40s ") {
		t.Errorf("got %q, want a back-off of 40s", got)
	}
}

func TestNodeStaysOffWhenTheProgramRestarts(t *testing.T) {
	b := &journal.Memory{}
	w := kept(t, b)
	w.advance(15 * time.Second)
	w.run("web", `{containers: [{name: c, image: nginx}]}`)
	w.running("web")
	w.power("node-1", "off")
	w.advance(2 * time.Minute)
	w.c.Flush()
	w = kept(t, b)
	w.advance(10 * time.Second)
	if on, ok := w.c.Park.Powered("node-1"); on || !ok {
		t.Errorf("powered: got %v, %v", on, ok)
	}
	w.power("node-1", "on")
	w.until(20*time.Second, "the pod is ready", func() bool { return ready(w.pod("web")) })
	check(t, "restarts", int32(1), w.pod("web").Status.ContainerStatuses[0].RestartCount)
}
