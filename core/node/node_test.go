package node_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/cluster"
	"terrarium/core/kinds"
)

func (w *world) ready(node string) corev1.ConditionStatus {
	w.t.Helper()
	for _, c := range w.node(node).Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status
		}
	}
	return ""
}

func (w *world) lease(node string) *coordinationv1.Lease {
	w.t.Helper()
	obj, ok := w.c.Store.Get(kinds.Key{Resource: "leases.coordination.k8s.io", Namespace: "kube-node-lease", Name: node})
	if !ok {
		w.t.Fatalf("%s has no lease", node)
	}
	return obj.(*coordinationv1.Lease)
}

func amount(list corev1.ResourceList) string {
	return fmt.Sprint(list.Cpu(), " ", list.Memory(), " ", list.Pods())
}

func TestNodeRegisters(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.serve("POST", "/api/v1/nodes", "application/yaml", "apiVersion: v1\nkind: Node\nmetadata:\n  name: big\nstatus:\n  capacity: {cpu: 16, pods: 1000}")
	w.advance(5 * time.Second)
	n := w.node("node-1")
	check(t, "capacity", "4 8Gi 110", amount(n.Status.Capacity))
	check(t, "allocatable", "4 8Gi 110", amount(n.Status.Allocatable))
	check(t, "given capacity", "16 8Gi 1k", amount(w.node("big").Status.Capacity))
	check(t, "given allocatable", "16 8Gi 1k", amount(w.node("big").Status.Allocatable))
	check(t, "addresses of pods", []string{"10.244.0.0/24", "10.244.8.0/21"}, []string{n.Spec.PodCIDR, w.node("big").Spec.PodCIDR})
	var got []string
	for _, c := range n.Status.Conditions {
		got = append(got, fmt.Sprintf("%s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message))
	}
	check(t, "conditions", []string{
		"MemoryPressure=False KubeletHasSufficientMemory: kubelet has sufficient memory available",
		"DiskPressure=False KubeletHasNoDiskPressure: kubelet has no disk pressure",
		"PIDPressure=False KubeletHasSufficientPID: kubelet has sufficient PID available",
		"Ready=True KubeletReady: kubelet is posting ready status",
	}, got)
	check(t, "version", "v1.37.2", n.Status.NodeInfo.KubeletVersion)
	check(t, "hostname", "node-1", n.Labels[corev1.LabelHostname])
	check(t, "events", []string{
		"Starting: Starting kubelet.", "NodeHasSufficientMemory: Node node-1 status is now: NodeHasSufficientMemory",
		"NodeHasNoDiskPressure: Node node-1 status is now: NodeHasNoDiskPressure", "NodeHasSufficientPID: Node node-1 status is now: NodeHasSufficientPID",
		"NodeReady: Node node-1 status is now: NodeReady", "RegisteredNode: Node node-1 event: Registered Node node-1 in Controller",
	}, w.events("node-1"))
}

func TestHeartbeats(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	l := w.lease("node-1")
	check(t, "holder and duration", "node-1 40", fmt.Sprint(*l.Spec.HolderIdentity, " ", *l.Spec.LeaseDurationSeconds))
	check(t, "owner", "Node node-1", l.OwnerReferences[0].Kind+" "+l.OwnerReferences[0].Name)
	renewals, beats := 0, 0
	renewed, beat := l.Spec.RenewTime.Time, w.node("node-1").Status.Conditions[3].LastHeartbeatTime.Time
	for range 600 {
		w.advance(time.Second)
		if r := w.lease("node-1").Spec.RenewTime.Time; r.After(renewed) {
			renewals, renewed = renewals+1, r
		}
		if b := w.node("node-1").Status.Conditions[3].LastHeartbeatTime.Time; b.After(beat) {
			beats, beat = beats+1, b
		}
	}
	check(t, "lease renewals in ten minutes", 60, renewals)
	check(t, "status reports in ten minutes", 2, beats)
	// A change is reported within ten seconds.
	w.run("web", `{containers: [{name: c, image: nginx}]}`)
	w.until(20*time.Second, "the image is listed", func() bool { return len(w.node("node-1").Status.Images) == 1 })
	check(t, "image", "docker.io/library/nginx:latest", w.node("node-1").Status.Images[0].Names[1])
}

func TestPower(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 3})
	const brief = `[{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 20},
  {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 20}]`
	w.run("brief", `{nodeName: node-1, tolerations: `+brief+`, containers: [{name: c, image: nginx}]}`)
	w.run("patient", `{nodeName: node-1, containers: [{name: c, image: nginx}]}`)
	w.run("done", `{nodeName: node-1, restartPolicy: Never, initContainers: [{name: i, image: busybox, command: ["true"]}], containers: [{name: c, image: nginx}]}`)
	w.run("inits", `{nodeName: node-1, initContainers: [{name: i, image: busybox, command: [sleep, "1"]}], containers: [{name: c, image: nginx}]}`)
	w.running("brief")
	w.running("patient")
	w.running("done")
	before := w.running("inits").Status.PodIP
	w.advance(10 * time.Second)
	from := w.c.Now()
	w.power("node-1", "off")
	w.until(time.Minute, "NotReady", func() bool { return w.ready("node-1") == corev1.ConditionUnknown })
	if d := w.c.Now().Sub(from); d < 40*time.Second || d > 56*time.Second {
		t.Errorf("NotReady after %v, want 40s to 55s", d)
	}
	w.until(10*time.Second, "taint", func() bool {
		for _, taint := range w.node("node-1").Spec.Taints {
			if taint.Key == corev1.TaintNodeUnreachable && taint.Effect == corev1.TaintEffectNoExecute {
				return true
			}
		}
		return false
	})
	took := w.until(time.Minute, "eviction", func() bool { return w.pod("brief").DeletionTimestamp != nil })
	if took < 18*time.Second || took > 22*time.Second {
		t.Errorf("evicted %v after the taint, want 20s", took)
	}
	w.advance(time.Minute)
	check(t, "there is nobody to end it", true, w.exists("pods", "default", "brief"))
	check(t, "patient", "Running", string(w.pod("patient").Status.Phase))
	check(t, "patient is ready", false, ready(w.pod("patient")))
	if on, ok := w.c.Park.Powered("node-1"); on || !ok {
		t.Errorf("powered: got %v, %v", on, ok)
	}

	w.history = map[string][]string{}
	w.power("node-1", "on")
	w.until(20*time.Second, "ready again", func() bool { return w.ready("node-1") == corev1.ConditionTrue })
	w.until(20*time.Second, "pods are ready", func() bool { return ready(w.pod("patient")) && ready(w.pod("inits")) })
	check(t, "the evicted one is gone", false, w.exists("pods", "default", "brief"))
	s := w.pod("patient").Status.ContainerStatuses[0]
	if last := s.LastTerminationState.Terminated; s.RestartCount != 1 || last == nil || last.ExitCode != 255 || last.Reason != "Unknown" {
		t.Errorf("got %+v, want one restart after Unknown 255", s)
	}
	check(t, "done", "Failed", string(w.pod("done").Status.Phase))
	if init := w.pod("inits").Status.InitContainerStatuses[0]; init.RestartCount != 1 || init.State.Terminated == nil {
		t.Errorf("got %+v, want the init container to have run again", init)
	}
	if ip := w.pod("inits").Status.PodIP; ip == before || ip == "" {
		t.Errorf("address %q, before %q: want a new one", ip, before)
	}
	if got := strings.Join(w.events("patient"), "\n"); !strings.Contains(got, "SandboxChanged: Pod sandbox changed, it will be killed and re-created.") {
		t.Errorf("events: got %s", got)
	}
	if got := strings.Join(w.events("node-1"), "\n"); !strings.Contains(got, "Rebooted: Node node-1 has been rebooted, boot id: ") {
		t.Errorf("events: got %s", got)
	}
}

func TestPowerIsToggledQuickly(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.power("node-1", "off")
	w.advance(time.Second)
	w.power("node-1", "on")
	w.advance(time.Second) // it boots for two
	w.power("node-1", "off")
	w.advance(time.Minute + 30*time.Second)
	check(t, "off", corev1.ConditionUnknown, w.ready("node-1"))
	w.power("node-1", "on")
	w.advance(10 * time.Second)
	check(t, "on", corev1.ConditionTrue, w.ready("node-1"))
	w.run("web", `{containers: [{name: c, image: nginx}]}`)
	w.running("web")
}

func TestNodeIsDeleted(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 2})
	w.run("web", `{nodeName: node-1, containers: [{name: c, image: nginx}]}`)
	w.running("web")
	w.serve("DELETE", "/api/v1/nodes/node-1", "", "")
	w.advance(2 * time.Minute)
	check(t, "pod", false, w.exists("pods", "default", "web"))
	check(t, "lease", false, w.exists("leases.coordination.k8s.io", "kube-node-lease", "node-1"))
	check(t, "machines", []string{"node-2"}, w.c.Park.Machines())
	names, err := w.c.Park.Join(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "names", []string{"node-1", "node-3"}, names)
	w.advance(5 * time.Second)
	check(t, "ready", corev1.ConditionTrue, w.ready("node-1"))
}

func TestAThousandPodsOnOneNode(t *testing.T) {
	w := newWorld(t, cluster.Config{})
	w.serve("POST", "/api/v1/nodes", "application/yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: big}\nstatus: {capacity: {cpu: 64, memory: 512Gi, pods: 1000}}")
	w.advance(5 * time.Second)
	for i := range 1001 {
		w.run(fmt.Sprintf("p-%d", i), `{nodeName: big, containers: [{name: c, image: nginx}]}`)
	}
	w.advance(20 * time.Second)
	seen := make(map[string]bool)
	failed := 0
	objs, _ := w.c.Store.List("pods", "default")
	for _, o := range objs {
		pod := o.(*corev1.Pod)
		if pod.Status.Reason == "OutOfpods" {
			check(t, "message", "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 1000, capacity: 1000", pod.Status.Message)
			failed++
			continue
		}
		if pod.Status.Phase != corev1.PodRunning || pod.Status.PodIP == "" || seen[pod.Status.PodIP] {
			t.Fatalf("%s: %s with address %q", pod.Name, pod.Status.Phase, pod.Status.PodIP)
		}
		seen[pod.Status.PodIP] = true
	}
	check(t, "rejected", 1, failed)
}
