package node_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/apiserver"
	"terrarium/core/cluster"
	"terrarium/core/kinds"
	"terrarium/core/store"
)

// A world is a cluster with nodes on which tests put pods.
type world struct {
	t       *testing.T
	c       *cluster.Cluster
	history map[string][]string // by pod: each state its status has shown
	told    []kinds.Key         // events in the order in which they were made
}

// newWorld builds a cluster and lets its nodes join.
func newWorld(t *testing.T, cfg cluster.Config) *world {
	t.Helper()
	cfg.CheckMutation = true
	w := adopt(t, cluster.New(cfg))
	w.advance(15 * time.Second)
	return w
}

func adopt(t *testing.T, c *cluster.Cluster) *world {
	t.Helper()
	w := &world{t: t, c: c, history: make(map[string][]string)}
	c.OnCommit(w.committed)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return w
}

// committed keeps what a pod's status shows, in a line, when that changes.
func (w *world) committed(ev store.Event) {
	if ev.Key.Resource == "events" && ev.Type == store.Added {
		w.told = append(w.told, ev.Key)
	}
	pod, ok := ev.Object.(*corev1.Pod)
	if !ok {
		return
	}
	line := string(pod.Status.Phase)
	if ev.Type == store.Deleted {
		line = "gone"
	} else {
		for _, s := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
			line += " " + s.Name + "=" + stateOf(&s)
		}
	}
	if h := w.history[pod.Name]; len(h) == 0 || h[len(h)-1] != line {
		w.history[pod.Name] = append(h, line)
	}
}

func stateOf(s *corev1.ContainerStatus) string {
	switch {
	case s.State.Waiting != nil:
		return s.State.Waiting.Reason
	case s.State.Terminated != nil:
		return fmt.Sprintf("%s(%d)", s.State.Terminated.Reason, s.State.Terminated.ExitCode)
	case s.Ready:
		return "Ready"
	}
	return "Running"
}

func (w *world) advance(d time.Duration) { w.c.Loop.Run(w.c.Now().Add(d)) }

// serve makes a request that has to succeed.
func (w *world) serve(method, path, contentType, body string) {
	w.t.Helper()
	req := &apiserver.RESTRequest{Method: method, Path: path, Body: []byte(body), ContentType: contentType}
	if resp := w.c.Serve(req); resp.Code >= 300 {
		w.t.Fatalf("%s %s: %d %s", method, path, resp.Code, resp.Body)
	}
}

const pods = "/api/v1/namespaces/default/pods"

// run makes a pod of which only the spec is given.
func (w *world) run(name, spec string) {
	w.t.Helper()
	w.serve("POST", pods, "application/yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: "+name+"\nspec: "+spec)
}

func (w *world) patch(path, body string) {
	w.t.Helper()
	w.serve("PATCH", path, "application/merge-patch+json", body)
}

func (w *world) power(node, state string) {
	w.t.Helper()
	w.patch("/api/v1/nodes/"+node, `{"metadata":{"annotations":{"terrarium.dev/power":"`+state+`"}}}`)
}

func (w *world) pod(name string) *corev1.Pod {
	w.t.Helper()
	obj, ok := w.c.Store.Get(kinds.Key{Resource: "pods", Namespace: "default", Name: name})
	if !ok {
		w.t.Fatalf("there is no pod %s; its history: %v", name, w.history[name])
	}
	return obj.(*corev1.Pod)
}

func (w *world) exists(resource, namespace, name string) bool {
	_, ok := w.c.Store.Get(kinds.Key{Resource: resource, Namespace: namespace, Name: name})
	return ok
}

func (w *world) node(name string) *corev1.Node {
	w.t.Helper()
	obj, ok := w.c.Store.Get(kinds.Key{Resource: "nodes", Name: name})
	if !ok {
		w.t.Fatalf("there is no node %s", name)
	}
	return obj.(*corev1.Node)
}

// until runs the loop until ok, at most for limit, and returns how long that took.
func (w *world) until(limit time.Duration, what string, ok func() bool) time.Duration {
	w.t.Helper()
	from := w.c.Now()
	for !ok() {
		if w.c.Now().Sub(from) > limit {
			w.t.Fatalf("after %v still not: %s; histories: %v", limit, what, w.history)
		}
		w.advance(100 * time.Millisecond)
	}
	return w.c.Now().Sub(from)
}

// running waits until the pod is Running.
func (w *world) running(name string) *corev1.Pod {
	w.t.Helper()
	w.until(20*time.Second, name+" is Running", func() bool { return w.pod(name).Status.Phase == corev1.PodRunning })
	return w.pod(name)
}

// events returns what was told about an object, in the order in which it was first told: "Reason: message", and
// "xN" when it was told more than once.
func (w *world) events(name string, but ...string) []string {
	var out []string
	for _, key := range w.told {
		obj, _ := w.c.Store.Get(key)
		ev, ok := obj.(*corev1.Event)
		if !ok || ev.InvolvedObject.Name != name || slices.Contains(but, ev.Reason) {
			continue
		}
		line := ev.Reason + ": " + ev.Message
		if ev.Count > 1 {
			line += fmt.Sprintf(" x%d", ev.Count)
		}
		out = append(out, line)
	}
	return out
}

func conditions(pod *corev1.Pod) string {
	var out []string
	for _, c := range pod.Status.Conditions {
		s := string(c.Type) + "=" + string(c.Status)
		if c.Reason != "" {
			s += "(" + c.Reason + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func ready(pod *corev1.Pod) bool { return strings.Contains(conditions(pod), " Ready=True") }
