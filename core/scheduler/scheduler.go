// Package scheduler assigns pods to nodes: kube-scheduler's queue, framework and default plugins as one task
// of the loop per scheduling cycle.
//
// A cycle takes the next pod off the queue, filters the nodes, scores the feasible ones, picks the best
// (at random among equals) and binds the pod; a pod that finds no node may preempt others and goes back
// to the queue with the reason in its status and in an event. All that a cycle found out is kept
// as a Decision on its span and by pod.
//
// It promises: one cycle at a time; between cycles as much virtual time as the profile says a decision
// takes; equal seeds and inputs give equal decisions.
//
// Models pkg/scheduler schedule_one.go, eventhandlers.go and scheduler.go.
// Differs: the time a decision takes passes before it, so that a cycle decides by the newest state and
// binds at once.
package scheduler

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/client"
	"terrarium/core/informer"
	"terrarium/core/loop"
	"terrarium/core/scheduler/cache"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/plugins"
	"terrarium/core/scheduler/queue"
	"terrarium/core/trace"
)

// Component is who the scheduler is in spans, events and requests.
const Component = "default-scheduler"

// Profile configures one profile. The zero Profile is kube-scheduler's default.
type Profile struct {
	SchedulerName            string // default "default-scheduler"
	Args                     plugins.Args
	PercentageOfNodesToScore int // default: adapts to the size of the cluster
	// Change, if not nil, returns the plugins to run in place of the default ones.
	Change func([]framework.Enabled) []framework.Enabled
}

// Deps is what a scheduler needs.
type Deps struct {
	Loop      *loop.Loop
	Trace     *trace.Recorder
	Client    *client.Client
	Informers *informer.Factory
	Recorder  Events
	// Latency is how long a decision takes.
	Latency loop.Range
	// Profiles default to the one default profile.
	Profiles []Profile
}

// A Scheduler assigns pods to nodes.
type Scheduler struct {
	loop    *loop.Loop
	trace   *trace.Recorder
	latency loop.Range
	outside outside

	rand     *rand.Rand
	profiles map[string]*framework.Framework
	cache    *cache.Cache
	queue    *queue.Queue
	waiting  map[types.UID]*waitingPod // by Permit plugins

	next      *loop.Timer // the cycle to come, if any
	nodeIndex int         // where the search for feasible nodes starts
	decisions decisions

	// Reused by every cycle.
	state    *framework.CycleState
	feasible []*framework.NodeInfo
	statuses framework.NodeStatuses
	scores   framework.Scores
}

// New returns a scheduler that begins once its informers have synced.
func New(d Deps) (*Scheduler, error) {
	pods := informer.Shared[*corev1.Pod](d.Informers, "pods")
	nodes := informer.Shared[*corev1.Node](d.Informers, "nodes")
	budgets := informer.Shared[*policyv1.PodDisruptionBudget](d.Informers, "poddisruptionbudgets.policy").Lister()
	s, err := newScheduler(d, outside{
		api: clientAPI{d.Client}, events: d.Recorder, pod: pods.Lister().Get,
		budgets: func() []*policyv1.PodDisruptionBudget { return budgets.List("", nil) },
		ready:   func() bool { return pods.HasSynced() && nodes.HasSynced() },
	})
	if err != nil {
		return nil, err
	}
	nodes.AddHandler(s.onNode)
	pods.AddHandler(s.onPod)
	nodes.OnSync(s.kick)
	pods.OnSync(s.kick)
	return s, nil
}

func newScheduler(d Deps, o outside) (*Scheduler, error) {
	if len(d.Profiles) == 0 {
		d.Profiles = []Profile{{}}
	}
	s := &Scheduler{
		loop: d.Loop, trace: d.Trace, latency: d.Latency, outside: o,
		rand: d.Loop.Rand("scheduler"), cache: cache.New(), state: framework.NewCycleState(),
		profiles: make(map[string]*framework.Framework), waiting: make(map[types.UID]*waitingPod),
		decisions: newDecisions(detailsBudget),
	}
	for _, p := range d.Profiles {
		if err := s.addProfile(p); err != nil {
			return nil, err
		}
	}
	s.queue = queue.New(queue.Config{Loop: d.Loop, Component: Component, Profiles: s.profiles, Wake: s.kick})
	return s, nil
}

func (s *Scheduler) addProfile(p Profile) error {
	if p.SchedulerName == "" {
		p.SchedulerName = corev1.DefaultSchedulerName
	}
	if s.profiles[p.SchedulerName] != nil {
		return fmt.Errorf("duplicate profile with scheduler name %q", p.SchedulerName)
	}
	enabled, err := plugins.Default(plugins.Deps{Images: s.cache, Binder: s.outside.api, Cluster: preemptor{s}, Rand: s.rand}, p.Args)
	if err != nil {
		return fmt.Errorf("profile %q: %w", p.SchedulerName, err)
	}
	if p.Change != nil {
		enabled = p.Change(enabled)
	}
	f, err := framework.New(framework.Config{
		Name: p.SchedulerName, Plugins: enabled, PercentageOfNodesToScore: p.PercentageOfNodesToScore,
		Nominated: func(node string) []*framework.PodInfo { return s.queue.Nominated(node) },
	})
	if err != nil {
		return err
	}
	s.profiles[p.SchedulerName] = f
	return nil
}

// LastDecision returns the newest decision about the pod, or nil when there is none (yet) or the pod is
// gone.
func (s *Scheduler) LastDecision(uid types.UID) *Decision { return s.decisions.last[uid] }

// Queue returns what waits to be scheduled, for people to look at.
func (s *Scheduler) Queue() []queue.Entry { return s.queue.Entries() }

// kick puts the next cycle on the loop when there is a pod for it and none is there yet.
func (s *Scheduler) kick() {
	if s.next != nil || !s.outside.ready() {
		return
	}
	head := s.queue.Peek()
	if head == nil {
		return
	}
	label := loop.Label{Component: Component, Action: "schedule", Object: head.Pod.Namespace + "/" + head.Pod.Name}
	s.next = s.loop.After(s.latency.Draw(s.rand), label, s.run)
}

// run is one cycle.
func (s *Scheduler) run() {
	s.next = nil
	if pod := s.queue.Pop(); pod != nil {
		s.scheduleOne(pod)
	}
	s.kick()
}
