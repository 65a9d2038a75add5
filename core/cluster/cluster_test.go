package cluster_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/apiserver"
	"terrarium/core/cluster"
	"terrarium/core/store/journal"
)

const nginx = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":%d,
"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"name":"nginx","image":"nginx:1.7.9","ports":[{"containerPort":80}]}]}}}}`

func start(t testing.TB, cfg cluster.Config) *cluster.Cluster {
	t.Helper()
	c := cluster.New(cfg)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	c.Loop.Run(c.Now().Add(10 * time.Second))
	return c
}

func post(t testing.TB, c *cluster.Cluster, path, body string) {
	t.Helper()
	resp := c.Serve(&apiserver.RESTRequest{Method: "POST", Path: path, Body: []byte(body)})
	if resp.Code != 201 {
		t.Fatalf("POST %s: %d %s", path, resp.Code, resp.Body)
	}
}

func running(c *cluster.Cluster) (n int) {
	objs, _ := c.Store.List("pods", "")
	for _, o := range objs {
		if o.(*corev1.Pod).Status.Phase == corev1.PodRunning {
			n++
		}
	}
	return n
}

func TestDeploymentBecomesPods(t *testing.T) {
	c := start(t, cluster.Config{Nodes: 3, CheckMutation: true})
	post(t, c, "/apis/apps/v1/namespaces/default/deployments", fmt.Sprintf(nginx, 2))
	c.Loop.Run(c.Now().Add(10 * time.Second))
	if got := running(c); got != 2 {
		objs, _ := c.Store.List("pods", "")
		for _, o := range objs {
			t.Logf("%s %+v", o.GetName(), o.(*corev1.Pod).Status)
		}
		evs, _ := c.Store.List("events", "")
		for _, o := range evs {
			e := o.(*corev1.Event)
			t.Logf("%s %s %s: %s", e.InvolvedObject.Kind, e.InvolvedObject.Name, e.Reason, e.Message)
		}
		for _, s := range c.Trace.Spans(0) {
			if s.Err != "" {
				t.Logf("%s %s: %s", s.Component, s.Key, s.Err)
			}
		}
		t.Fatalf("got %d running pods, want 2", got)
	}
}

// TestNothingFailsAtTheStart starts a cluster, and again what is kept of it: nobody is to find a failure on the
// timeline before having done anything.
func TestNothingFailsAtTheStart(t *testing.T) {
	backend := &journal.Memory{}
	for _, what := range []string{"new", "restored"} {
		c := cluster.New(cluster.Config{Nodes: 3, CheckMutation: true})
		c.Keep(backend, func(found bool, err error) {
			if found != (what == "restored") || err != nil {
				t.Fatalf("%s: found %v, %v", what, found, err)
			}
		})
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		c.Loop.Run(c.Now().Add(time.Minute))
		c.Flush()
		for _, s := range c.Trace.Spans(0) {
			if s.Err != "" {
				t.Errorf("%s: %s %s: %s", what, s.Component, s.Key, s.Err)
			}
			for _, w := range s.Writes {
				if w.Err != "" {
					t.Errorf("%s: %s: %s %s: %s", what, s.Component, w.Verb, w.Key, w.Err)
				}
			}
		}
	}
}
