// Package cluster builds a whole cluster out of its parts, in the order in which data flows through them:
// loop, store, API server, client, informers, controllers, scheduler, nodes.
//
// It promises: one Config gives one history. It does not run anything by itself: whoever drives the cluster
// calls Clock.Slice with the wall time that has passed, from one goroutine, which owns everything here.
package cluster

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/apiserver"
	"terrarium/core/client"
	"terrarium/core/client/record"
	"terrarium/core/controller"
	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
	"terrarium/core/loop"
	"terrarium/core/node"
	"terrarium/core/node/container"
	"terrarium/core/scheduler"
	"terrarium/core/store"
	"terrarium/core/store/journal"
	"terrarium/core/trace"
)

// Config says what cluster to build. Its zero value is an empty cluster in realistic time.
type Config struct {
	Seed  uint64
	Start time.Time // virtual time at the beginning; the zero value is Epoch
	// Profile says how long things take; the zero value is Realistic.
	Profile Profile
	// Nodes is how many nodes a new cluster begins with, named node-1, node-2, ...
	Nodes int
	// Capacity of those nodes; what is absent is 4 CPUs, 8Gi and 110 pods.
	Capacity corev1.ResourceList
	// RootCA is the certificate, as PEM, that every namespace's kube-root-ca.crt holds; empty where the API is
	// not served over TLS.
	RootCA string
	// KeepSpans bounds the timeline, KeepRevisions how far back the store can be read; 0 is their default.
	KeepSpans     int
	KeepRevisions int
	// CheckMutation finds code that changes committed objects; slow, for tests.
	CheckMutation bool
}

// Epoch is when a cluster's time begins unless it is told otherwise.
func Epoch() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// A Cluster is a Kubernetes cluster in one process.
type Cluster struct {
	Loop        *loop.Loop
	Clock       *Clock
	Trace       *trace.Recorder
	Kinds       *kinds.Registry
	Codec       *codec.Codec
	Store       *store.Store
	API         *apiserver.Server
	Client      *client.Client    // as admin
	Informers   *informer.Factory // shared by the controllers
	Controllers *Controllers
	Scheduler   *scheduler.Scheduler
	Park        *node.Park
	Journal     *journal.Journal // nil where the cluster is not kept: see Keep

	cfg       Config
	scheduled *informer.Factory // the scheduler's
	onCommit  []func(store.Event)
}

// New builds a cluster. Nothing happens before Start.
func New(cfg Config) *Cluster {
	if cfg.Start.IsZero() {
		cfg.Start = Epoch()
	}
	if cfg.Profile.Name == "" {
		cfg.Profile = Realistic()
	}
	c := &Cluster{cfg: cfg}
	c.Loop = loop.New(cfg.Start, cfg.Seed)
	c.Clock = NewClock(c.Loop)
	c.Trace = trace.NewRecorder(c.Loop, trace.Config{Keep: cfg.KeepSpans})
	c.Kinds = all.Registry()
	c.Codec = codec.New(c.Kinds)
	c.Store = store.New(store.Config{History: cfg.KeepRevisions, CheckMutation: cfg.CheckMutation, OnCommit: c.committed})
	c.API = apiserver.New(apiserver.Config{Loop: c.Loop, Trace: c.Trace, Store: c.Store, Kinds: c.Kinds, Codec: c.Codec, Latency: cfg.Profile.API})
	c.Client = client.New(c.API, Admin)
	c.Informers = informer.NewFactory(c.watches("kube-controller-manager"), c.Client.As("system:kube-controller-manager"))
	c.Controllers = newControllers(controller.Deps{Loop: c.Loop, Trace: c.Trace, Client: c.Client, Informers: c.Informers}, cfg.RootCA)
	c.scheduled = informer.NewFactory(c.watches("kube-scheduler"), c.Client.As("system:kube-scheduler"))
	c.Scheduler = c.newScheduler()
	c.Park = node.New(node.Config{
		Loop: c.Loop, Trace: c.Trace, Client: c.Client, Watch: cfg.Profile.Watch, Pull: cfg.Profile.Pull,
		Start: cfg.Profile.Start, Runtime: container.NewSimple(c.Loop),
	})
	return c
}

func (c *Cluster) watches(name string) informer.Config {
	return informer.Config{Name: name, Loop: c.Loop, Latency: c.cfg.Profile.Watch}
}

func (c *Cluster) newScheduler() *scheduler.Scheduler {
	api := c.Client.As("system:kube-scheduler")
	s, err := scheduler.New(scheduler.Deps{
		Loop: c.Loop, Trace: c.Trace, Client: api, Informers: c.scheduled, Latency: c.cfg.Profile.Schedule,
		Recorder: record.New(c.Loop, api, scheduler.Component, ""),
	})
	if err != nil {
		panic("BUG: the default scheduler profile is refused: " + err.Error())
	}
	return s
}

// Now returns the cluster's virtual time.
func (c *Cluster) Now() time.Time { return c.Loop.Now() }

// Admin is who a person is to the cluster.
const Admin = "admin"

// committed hears of every commit of the store.
func (c *Cluster) committed(ev store.Event) {
	c.Trace.Commit(string(ev.Type), ev.Key, ev.Revision, string(ev.Object.GetUID()))
	for _, f := range c.onCommit {
		f(ev)
	}
}

// OnCommit makes f hear of every commit, in order, from within the commit: it may only remember.
func (c *Cluster) OnCommit(f func(store.Event)) { c.onCommit = append(c.onCommit, f) }

// Start brings the cluster up: what every cluster has exists, a new one gets its nodes, and everything begins
// to run.
func (c *Cluster) Start() error {
	if err := c.bootstrap(); err != nil {
		return err
	}
	c.API.ExpireEvents()
	c.Informers.Start()
	c.scheduled.Start()
	c.Park.Start()
	return nil
}

// UID tells this cluster from every other, by what people take for it: the uid of the namespace kube-system. It is
// "" before Start.
func (c *Cluster) UID() string {
	ns, ok := c.Store.Get(kinds.Key{Resource: "namespaces", Name: metav1.NamespaceSystem})
	if !ok {
		return ""
	}
	return string(ns.GetUID())
}

// Serve answers one request of a person. A write is a span of its own on the timeline; a read leaves no
// trace, so that looking changes nothing.
func (c *Cluster) Serve(req *apiserver.RESTRequest) *apiserver.RESTResponse {
	if req.User == "" {
		req.User = Admin
	}
	if req.Method == "" || req.Method == "GET" || req.Method == "HEAD" {
		return c.API.ServeREST(req)
	}
	var resp *apiserver.RESTResponse
	c.As(req.User, kinds.Key{}, func() { resp = c.API.ServeREST(req) })
	return resp
}

// As runs fn as one request of a person: what it writes is caused by that person.
func (c *Cluster) As(user string, about kinds.Key, fn func()) {
	span := c.Trace.Begin(user, trace.Request, about, nil)
	fn()
	if about == (kinds.Key{}) && len(span.Writes) > 0 {
		span.Key = span.Writes[0].Key
	}
	c.Trace.End(span, nil)
}
