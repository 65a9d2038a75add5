package scheduler

import (
	"errors"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
	"terrarium/core/trace"
)

const (
	minFeasibleNodes           = 100 // with fewer nodes all are looked at
	minFeasibleNodesPercentage = 5
)

// errNoNodes is why a pod is not scheduled in an empty cluster.
var errNoNodes = errors.New("no nodes available to schedule pods")

// A cycle is the scheduling of one pod.
type cycle struct {
	fw       *framework.Framework
	queued   *framework.QueuedPod
	pod      *framework.PodInfo
	state    *framework.CycleState
	decision *Decision
	node     string // the pick
	release  func() // tells others what the pod no longer holds; nil: nothing to tell
}

// scheduleOne runs a cycle for a popped pod.
func (s *Scheduler) scheduleOne(q *framework.QueuedPod) {
	pod := q.Pod
	key := kinds.Key{Resource: "pods", Namespace: pod.Namespace, Name: pod.Name}
	span := s.trace.Begin(Component, trace.Schedule, key, q.Triggers)
	if pod.DeletionTimestamp != nil {
		s.outside.events.Warning(pod, "FailedScheduling", "skip schedule deleting pod: "+pod.Namespace+"/"+pod.Name)
		s.queue.Done(pod.UID)
		s.trace.End(span, nil)
		return
	}
	if s.cache.IsAssumed(pod.UID) {
		s.queue.Done(pod.UID)
		s.trace.End(span, nil)
		return
	}
	c := &cycle{
		fw: s.profiles[pod.Spec.SchedulerName], queued: q, pod: q.PodInfo, state: s.state,
		decision: &Decision{
			Pod: key, UID: pod.UID, Profile: pod.Spec.SchedulerName, At: s.loop.Now(), Attempt: q.Attempts,
			Nodes: s.cache.NodeCount(), names: s.cache.Names(),
		},
	}
	c.state.Reset()
	span.Decision = c.decision
	err := s.cycle(c)
	s.decisions.add(c.decision)
	s.trace.End(span, err)
}

// cycle finds a node and binds the pod to it, or puts the pod back. The error is one that should not
// happen, not that there is no node.
func (s *Scheduler) cycle(c *cycle) error {
	nomination, status := s.findNode(c)
	if status.IsSuccess() {
		nomination = framework.ClearNomination()
		if status = s.claim(c); status.IsSuccess() {
			status = s.bind(c)
		}
	}
	switch {
	case status.IsSuccess():
		c.decision.Outcome = Scheduled
		return nil
	case status.IsWait():
		c.decision.Outcome = Waiting
		return nil
	}
	s.fail(c, status, nomination)
	if status.IsRejected() {
		return nil
	}
	return status.Err()
}

// findNode picks c.node, or has preemption nominate one.
// Models pkg/scheduler schedulingAlgorithm.
func (s *Scheduler) findNode(c *cycle) (framework.Nomination, framework.Status) {
	nodes := s.cache.Nodes()
	if len(nodes) == 0 {
		return framework.ClearNomination(), framework.NewStatus(framework.UnschedulableAndUnresolvable, "").WithError(errNoNodes)
	}
	fit := &framework.FitError{NumAllNodes: len(nodes)}
	fit.Diagnosis.NodeStatuses = &s.statuses
	if st := s.filter(c, nodes, &fit.Diagnosis); !st.IsSuccess() {
		return framework.ClearNomination(), st
	}
	full := len(nodes) <= maxFullNodes
	c.decision.Feasible = len(s.feasible)
	if len(s.feasible) > 0 {
		c.decision.setRefused(&s.statuses, nodes, s.feasible, full)
		return framework.Nomination{}, s.pick(c, full)
	}
	c.decision.setRefused(&s.statuses, nodes, nil, full)
	nomination := framework.ClearNomination()
	if c.fw.HasPostFilter() {
		var result framework.Status
		nomination, result = c.fw.RunPostFilter(c.state, c.pod, &s.statuses)
		fit.Diagnosis.PostFilterMsg = result.Message()
		c.decision.setPreemption(nomination)
	}
	return nomination, framework.NewStatus(framework.Unschedulable, "").WithError(fit)
}

// filter leaves the feasible nodes in s.feasible and the others' answers in s.statuses.
// Models pkg/scheduler findNodesThatFitPod.
func (s *Scheduler) filter(c *cycle, all []*framework.NodeInfo, d *framework.Diagnosis) framework.Status {
	s.feasible = s.feasible[:0]
	s.statuses = framework.NodeStatuses{Refused: s.statuses.Refused[:0], Absent: framework.NewNodeStatuses().Absent}
	names, by, st := c.fw.RunPreFilter(c.state, c.pod, all)
	d.Unschedulable = by
	switch {
	case st.IsRejected():
		s.statuses.Absent = st
		d.PreFilterMsg = st.Message()
		d.AddPluginStatus(st)
		return framework.Status{}
	case !st.IsSuccess():
		return framework.AsStatus(st.Err())
	}
	if nominated := s.cache.Node(c.pod.Pod.Status.NominatedNodeName); nominated != nil {
		if st := s.filterNodes(c, []*framework.NodeInfo{nominated}, 0, d); !st.IsSuccess() || len(s.feasible) > 0 {
			return st
		}
		s.statuses.Refused = s.statuses.Refused[:0] // it is looked at again among the others
	}
	nodes := all
	if names != nil {
		nodes = nil
		for _, name := range names {
			if n := s.cache.Node(name); n != nil {
				nodes = append(nodes, n)
			}
		}
		s.statuses.Absent = by.AbsentReason()
	}
	st = s.filterNodes(c, nodes, s.nodeIndex, d)
	s.nodeIndex = (s.nodeIndex + len(s.feasible) + s.statuses.Len()) % len(all)
	return st
}

// filterNodes runs the filters over the nodes from one on, until enough are feasible.
func (s *Scheduler) filterNodes(c *cycle, nodes []*framework.NodeInfo, from int, d *framework.Diagnosis) framework.Status {
	enough := numFeasibleNodes(c.fw.PercentageOfNodesToScore(), len(nodes))
	if !c.fw.HasScore() {
		enough = 1
	}
	filter := c.fw.Filter
	if s.queue.AnyNominated() {
		filter = c.fw.FilterWithNominated
	}
	var last framework.Status
	for i := range nodes {
		if len(s.feasible) >= enough {
			break
		}
		node := nodes[(from+i)%len(nodes)]
		st := filter(c.state, c.pod, node)
		switch {
		case st.IsSuccess():
			s.feasible = append(s.feasible, node)
			continue
		case !st.IsRejected():
			return framework.AsStatus(st.Err())
		}
		s.statuses.Add(node, st)
		if !st.Same(last) {
			d.AddPluginStatus(st)
			last = st
		}
	}
	return framework.Status{}
}

// numFeasibleNodes is how many feasible nodes are enough: all of a small cluster, half of a middling one,
// down to 5% of a huge one.
// Models pkg/scheduler numFeasibleNodesToFind.
func numFeasibleNodes(percentage, nodes int) int {
	if nodes < minFeasibleNodes {
		return nodes
	}
	if percentage == 0 {
		percentage = max(50-nodes/125, minFeasibleNodesPercentage)
	}
	return max(nodes*percentage/100, minFeasibleNodes)
}

// pick scores the feasible nodes and picks one with the best total.
func (s *Scheduler) pick(c *cycle, full bool) framework.Status {
	if len(s.feasible) == 1 {
		c.node, c.decision.Node, c.decision.Tied = s.feasible[0].Name, s.feasible[0].Name, 1
		return framework.Status{}
	}
	if st := c.fw.RunScore(c.state, c.pod, s.feasible, &s.scores); !st.IsSuccess() {
		return st
	}
	at, tied := s.best(s.scores.Total)
	c.node = s.feasible[at].Name
	c.decision.Node, c.decision.Tied = c.node, tied
	c.decision.setScores(s.feasible, &s.scores, at, full)
	return framework.Status{}
}

// best returns the position of a greatest total, each of the tied ones as likely as the next (reservoir
// sampling).
func (s *Scheduler) best(totals []int64) (at, tied int) {
	for i, t := range totals {
		switch {
		case i == 0 || t > totals[at]:
			at, tied = i, 1
		case t == totals[at]:
			if tied++; s.rand.IntN(tied) == 0 {
				at = i
			}
		}
	}
	return at, tied
}
