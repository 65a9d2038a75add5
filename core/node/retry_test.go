package node_test

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/apiserver"
	"terrarium/core/client"
	"terrarium/core/cluster"
	"terrarium/core/loop"
	"terrarium/core/node/container"
	"terrarium/core/node/image"
	"terrarium/core/node/kubelet"
	"terrarium/core/trace"
)

// A faulty transport fails the next writes of pods.
type faulty struct {
	client.Transport
	fail int
}

func (f *faulty) Do(req *apiserver.Request) (*apiserver.Response, error) {
	write := req.Verb == apiserver.Update || req.Verb == apiserver.Delete
	if write && req.Kind.Resource == "pods" && f.fail > 0 {
		f.fail--
		return nil, errors.New("the connection is gone")
	}
	return f.Transport.Do(req)
}

func TestFailedWritesAreRetried(t *testing.T) {
	w := newWorld(t, cluster.Config{})
	w.run("web", `{nodeName: ghost, containers: [{name: c, image: nginx}]}`)
	f := &faulty{Transport: w.c.API}
	api := client.New(f, "system:node:ghost")
	takes := loop.Range{Min: time.Second, Max: time.Second}
	k := kubelet.New(kubelet.Config{
		Node: "ghost", HostIP: "172.18.0.9", Loop: w.c.Loop, Trace: w.c.Trace, Client: api, Start: takes,
		Runtime: container.NewSimple(w.c.Loop),
		Images:  image.NewStore(w.c.Loop, image.NewCatalogue(), takes, w.c.Loop.Rand("test")),
	})
	k.SetPodCIDR("10.244.9.0/24")
	k.SetAllocatable(kubelet.Capacity(nil))
	k.Handle(w.pod("web"), trace.Trigger{})
	w.advance(1500 * time.Millisecond) // it pulls
	f.fail = 1
	w.advance(3 * time.Second)
	check(t, "the write was lost", "Pending", string(w.pod("web").Status.Phase))
	w.advance(10 * time.Second)
	check(t, "and was made again", corev1.PodRunning, w.pod("web").Status.Phase)

	w.serve("DELETE", pods+"/web", "", "")
	f.fail = 3
	k.Handle(w.pod("web"), trace.Trigger{})
	w.until(time.Minute, "it is gone", func() bool { return !w.exists("pods", "default", "web") })
	check(t, "pods left", 0, k.Pods())
}
