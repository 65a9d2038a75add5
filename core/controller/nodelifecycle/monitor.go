package nodelifecycle

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"terrarium/core/loop"
)

// excludeLabel keeps a node out of the judgement of its zone.
const excludeLabel = "node.kubernetes.io/exclude-disruption"

// errStale means that a node's lease was renewed and the informer has not shown it yet.
var errStale = errors.New("the node's lease is newer than the informer knows")

// pass looks at every node, and comes back after the period. Models monitorNodeHealth.
func (c *Controller) pass() {
	nodes := c.nodes.List("", nil)
	c.register(nodes)
	c.unregister(nodes)
	tally := make(map[string]*zoneTally)
	for _, node := range nodes {
		ready, ok := c.check(node)
		if _, excluded := node.Labels[excludeLabel]; !ok || excluded {
			continue
		}
		key := zoneKey(node)
		if tally[key] == nil {
			tally[key] = &zoneTally{}
		}
		tally[key].add(ready)
	}
	c.judgeZones(tally, nodes)
	c.monitor = c.deps.Loop.After(monitorPeriod, loop.Label{Component: Name, Action: "monitor node health"}, c.pass)
}

// register notes the nodes that are new.
func (c *Controller) register(nodes []*corev1.Node) {
	for _, node := range nodes {
		c.zoneOf(node)
		if c.known[node.Name] != nil {
			continue
		}
		c.known[node.Name] = node
		c.within(node.Name, "node registered", func() error {
			c.nodeEvent(node, "RegisteredNode", "Node "+node.Name+" event: Registered Node "+node.Name+" in Controller")
			return c.untaint(node)
		})
	}
}

// unregister forgets the nodes that are gone.
func (c *Controller) unregister(nodes []*corev1.Node) {
	if len(c.known) == len(nodes) {
		return
	}
	left := make(map[string]bool, len(nodes))
	for _, node := range nodes {
		left[node.Name] = true
	}
	for _, name := range sortedKeys(c.known) {
		if left[name] {
			continue
		}
		node := c.known[name]
		delete(c.known, name)
		delete(c.health, name)
		c.within(name, "node removed", func() error {
			c.nodeEvent(node, "RemovingNode", "Node "+name+" event: Removing Node "+name+" from Controller")
			return nil
		})
	}
}

func (c *Controller) nodeEvent(node *corev1.Node, reason, message string) {
	c.events.EventAbout(corev1.ObjectReference{Kind: "Node", APIVersion: "v1", Name: node.Name, UID: node.UID},
		corev1.EventTypeNormal, reason, message)
}

// check looks at one node and does what must be done. It returns the node's Ready condition as it is then;
// ok is false when that is uncertain.
func (c *Controller) check(node *corev1.Node) (ready *corev1.NodeCondition, ok bool) {
	lease, _ := c.leases.Get(corev1.NamespaceNodeLease, node.Name)
	h, silent := observe(c.health[node.Name], node, lease, c.deps.Loop.Now())
	c.health[node.Name] = &h
	before := h.ready
	failed := false
	if silent && needsSilence(node) {
		c.within(node.Name, "no sign of life", func() error {
			err := c.silence(&node, &h)
			if err != nil {
				failed = true
				return err
			}
			return c.react(node, before)
		})
		return readyCondition(node), !failed
	}
	if h.ready != nil && h.ready.Status == corev1.ConditionTrue {
		c.zoneOf(node).remove(node.Name)
	}
	if c.needsReaction(node) {
		c.within(node.Name, "node condition", func() error { return c.react(node, before) })
	}
	return readyCondition(node), true
}

// needsSilence reports whether a silent node's conditions do not say so yet.
func needsSilence(node *corev1.Node) bool {
	c := readyCondition(node)
	return c == nil || c.Status != corev1.ConditionUnknown
}

// silence writes that the node gives no sign of life, unless the live lease says otherwise.
func (c *Controller) silence(node **corev1.Node, h *health) error {
	known := ""
	if h.lease != nil {
		known = h.lease.ResourceVersion
	}
	live, err := c.leaseAPI.Get(corev1.NamespaceNodeLease, (*node).Name)
	switch {
	case err == nil && live.ResourceVersion != known:
		return errStale
	case err != nil && !apierrors.IsNotFound(err):
		return err
	}
	for try := 1; ; try++ {
		next := **node
		next.Status.Conditions = silentConditions(*node, c.now())
		updated, err := c.nodeAPI.UpdateStatus(&next)
		if err == nil {
			*node, h.ready = updated, readyCondition(updated)
			return nil
		}
		if !apierrors.IsConflict(err) || try == tries {
			return err
		}
		if *node, err = c.nodeAPI.Get("", (*node).Name); err != nil {
			return err
		}
	}
}

// needsReaction reports whether the taints do not fit the Ready condition, or pods are still to be marked.
func (c *Controller) needsReaction(node *corev1.Node) bool {
	ready := readyCondition(node)
	if ready == nil {
		return false
	}
	unreachable, notReady := hasTaint(node, unreachableTaint()), hasTaint(node, notReadyTaint())
	switch {
	case c.retry[node.Name]:
		return true
	case ready.Status == corev1.ConditionTrue:
		return unreachable || notReady
	case ready.Status == corev1.ConditionFalse:
		return !notReady && (unreachable || !c.zoneOf(node).waits(node.Name))
	}
	return !unreachable && (notReady || !c.zoneOf(node).waits(node.Name))
}

// react makes taints, events and pods follow the node's Ready condition; before is what that was when this
// pass began. Models processTaintBaseEviction and the rest of monitorNodeHealth.
func (c *Controller) react(node *corev1.Node, before *corev1.NodeCondition) error {
	ready := readyCondition(node)
	if ready == nil {
		return nil
	}
	err := c.taintFor(node, ready.Status)
	failing := ready.Status != corev1.ConditionTrue
	if failing && before != nil && before.Status == corev1.ConditionTrue {
		c.nodeEvent(node, "NodeNotReady", "Node "+node.Name+" status is now: NodeNotReady")
		c.retry[node.Name] = true
	}
	if c.retry[node.Name] && failing {
		if podErr := c.markPods(node.Name); podErr != nil {
			return errors.Join(err, podErr)
		}
	}
	delete(c.retry, node.Name)
	return err
}

func (c *Controller) markPods(node string) error {
	var errs []error
	for _, pod := range c.pods.ByIndex(byNode, node) {
		if err := c.markUnready(pod); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
