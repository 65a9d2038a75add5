package main

import (
	"fmt"
	"math"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"terrarium/core/apiserver"
	"terrarium/core/apply"
	"terrarium/core/cluster"
	"terrarium/core/kinds"
	"terrarium/core/projection/board"
	"terrarium/core/projection/timeline"
	"terrarium/core/projection/why"
	"terrarium/core/projection/wire"
	"terrarium/core/store"
	"terrarium/core/store/journal"
)

// A rehearsal rolls a Deployment out in a cluster of its own that nobody sees and nothing keeps. A browser
// compiles a wasm function when it is first called, and again when it is called often: without a rehearsal
// the first rollout of 1,000 pods takes half as long again, and the first Apply hesitates.
type rehearsal struct {
	cluster *cluster.Cluster
	applier *apply.Applier
	frames  *board.Subscription
	spans   *timeline.Timeline
	encoder *wire.Encoder

	acts  []act
	spent time.Duration
}

// An act does something and then waits for something.
type act struct {
	do   func(*rehearsal)
	done func(*rehearsal) bool
}

const (
	rehearsalDelay = 700 * time.Millisecond // after the pages are served, which draw themselves meanwhile
	rehearsalSlice = 4 * time.Millisecond   // and as long a rest
	rehearsalMost  = 400 * time.Millisecond // a slow machine is not worked for longer
	rehearsalNodes = 3
	rehearsalPods  = 40
)

const rehearsalDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: rehearsal
spec:
  replicas: %d
  selector:
    matchLabels:
      app: rehearsal
  template:
    metadata:
      labels:
        app: rehearsal
    spec:
      containers:
      - name: nginx
        image: nginx:%s
        ports:
        - containerPort: 80
`

func newRehearsal() *rehearsal {
	return &rehearsal{encoder: wire.NewEncoder(), acts: []act{
		{(*rehearsal).build, func(r *rehearsal) bool { return r.count("nodes") == rehearsalNodes }},
		{func(r *rehearsal) { r.apply("1.27") }, (*rehearsal).ready},
		{func(r *rehearsal) { r.apply("1.28") }, (*rehearsal).ready},
		{(*rehearsal).delete, func(r *rehearsal) bool { return r.count("pods") == 0 }},
	}}
}

// run goes on with the rehearsal until more returns false. It reports whether the rehearsal is over.
func (r *rehearsal) run(more func() bool) (over bool) {
	began := time.Now()
	for len(r.acts) > 0 {
		if do := r.acts[0].do; do != nil {
			r.acts[0].do = nil
			do(r)
		}
		r.cluster.Clock.Slice(0, more)
		if r.acts[0].done(r) {
			r.look()
			r.acts = r.acts[1:]
		}
		if !more() {
			break
		}
	}
	r.spent += time.Since(began)
	return len(r.acts) == 0 || r.spent > rehearsalMost
}

func (r *rehearsal) build() {
	c := cluster.New(cluster.Config{Nodes: rehearsalNodes, Start: time.Unix(0, 0).UTC(), Profile: cluster.Realistic()})
	r.cluster = c
	nodes := board.New(c.Store)
	c.Keep(&journal.Memory{}, func(bool, error) {})
	c.OnCommit(func(ev store.Event) { nodes.Commit(ev.Key) })
	_ = c.Start() // one that does not start rolls nothing out, and the time is soon spent
	_ = c.Clock.SetSpeed(math.Inf(1))
	r.applier = apply.New(apply.Config{Kinds: c.Kinds, Codec: c.Codec, User: c.Client.User(), Write: c.Serve, Read: c.API.ServeREST})
	r.spans = timeline.New(c.Trace, c.Loop, why.New(c.Trace, c.Kinds, c.Store.Get))
	r.frames = nodes.Subscribe(func() {})
}

func (r *rehearsal) apply(version string) {
	text := fmt.Sprintf(rehearsalDeployment, rehearsalPods, version)
	r.applier.Diff(apply.Request{Text: text})
	r.applier.Apply(apply.Request{Text: text})
}

func (r *rehearsal) delete() {
	r.cluster.Serve(&apiserver.RESTRequest{Method: "DELETE", Path: "/apis/apps/v1/namespaces/default/deployments/rehearsal"})
}

// ready reports whether the Deployment has its pods, those of its present template and no others.
func (r *rehearsal) ready() bool {
	obj, _ := r.cluster.Store.Get(kinds.Key{Resource: "deployments.apps", Namespace: "default", Name: "rehearsal"})
	d, ok := obj.(*appsv1.Deployment)
	return ok && d.Status.ObservedGeneration == d.Generation && d.Status.Replicas == rehearsalPods &&
		d.Status.UpdatedReplicas == rehearsalPods && d.Status.AvailableReplicas == rehearsalPods
}

func (r *rehearsal) count(resource string) int { return r.cluster.Store.Count(resource, "") }

// look draws what a page would.
func (r *rehearsal) look() {
	r.cluster.Flush()
	r.frames.Next()
	r.encoder.Timeline(r.spans.Window(timeline.Query{To: 60, Width: 1200, Follow: true}))
}
