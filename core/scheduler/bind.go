package scheduler

import (
	"strings"

	"terrarium/core/scheduler/framework"
	"terrarium/core/trace"
)

// claim counts the pod in on its node and asks the plugins that may still refuse.
// Models pkg/scheduler prepareForBindingCycle.
func (s *Scheduler) claim(c *cycle) framework.Status {
	assumed := *c.pod // the queue's own stays as it is
	if err := s.cache.Assume(&assumed, c.node); err != nil {
		return framework.AsStatus(err)
	}
	c.pod = &assumed
	s.queue.Unnominate(c.pod.UID)
	if st := c.fw.RunReserve(c.state, c.pod, c.node); !st.IsSuccess() {
		s.unclaim(c)
		return s.refusedOn(c, st)
	}
	waits, st := c.fw.RunPermit(c.state, c.pod, c.node)
	switch {
	case st.IsWait():
		s.wait(c, waits)
		return st
	case !st.IsSuccess():
		s.unclaim(c)
		return s.refusedOn(c, st)
	}
	return framework.Status{}
}

// unclaim undoes claim.
func (s *Scheduler) unclaim(c *cycle) {
	c.fw.RunUnreserve(c.state, c.pod, c.node)
	s.cache.Forget(c.pod.UID)
}

// refusedOn makes a refusal after the node was picked read like one of that node.
func (s *Scheduler) refusedOn(c *cycle, st framework.Status) framework.Status {
	if !st.IsRejected() {
		return st
	}
	fit := &framework.FitError{NumAllNodes: 1, Diagnosis: framework.Diagnosis{NodeStatuses: framework.NewNodeStatuses()}}
	fit.Diagnosis.NodeStatuses.Add(s.cache.Node(c.node), st)
	fit.Diagnosis.AddPluginStatus(st)
	return framework.NewStatus(st.Code(), "").WithError(fit)
}

// bind has the pod bound. A failure gives back what was claimed.
// Models pkg/scheduler bindingCycle and handleBindingCycleError.
func (s *Scheduler) bind(c *cycle) framework.Status {
	st := c.fw.RunPreBind(c.state, c.pod, c.node)
	if st.IsSuccess() {
		st = c.fw.RunBind(c.state, c.pod, c.node)
	}
	if st.IsSuccess() {
		pod := c.pod.Pod
		s.queue.Done(pod.UID)
		s.outside.events.Normal(pod, "Scheduled", strings.Join([]string{"Successfully assigned ", pod.Namespace, "/", pod.Name, " to ", c.node}, ""))
		c.fw.RunPostBind(c.state, c.pod, c.node)
		return st
	}
	s.giveBack(c, st)
	return st
}

// giveBack undoes a claim that was not bound and lets others have what it held. After a refusal that waits
// until the pod itself is back in the queue: what it held is not news to it.
func (s *Scheduler) giveBack(c *cycle, st framework.Status) {
	s.unclaim(c)
	c.release = func() {
		held := *c.pod.Pod
		held.Spec.NodeName = c.node
		cause := trace.Trigger{Note: "binding of " + c.decision.Pod.ID() + " failed"}
		s.queue.Move(assignedPod(framework.Delete), &held, nil, cause, func(p *framework.PodInfo) bool {
			return !st.IsRejected() || p.UID != c.pod.UID
		})
	}
	if !st.IsRejected() {
		c.release()
		c.release = nil
	}
}
