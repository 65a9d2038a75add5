package nodelifecycle

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/loop"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// zoneOf returns the node's zone, made when it is the first node there.
func (c *Controller) zoneOf(node *corev1.Node) *zone {
	key := zoneKey(node)
	if c.zones[key] == nil {
		c.zones[key] = newZone(c.deps.Loop.Now())
	}
	return c.zones[key]
}

// taintFor makes the node's NoExecute taint follow its Ready condition. A taint that only has to become the
// other one does so at once; a new one waits for its zone's turn.
func (c *Controller) taintFor(node *corev1.Node, ready corev1.ConditionStatus) error {
	var add, opposite corev1.Taint
	switch ready {
	case corev1.ConditionTrue:
		return c.untaint(node)
	case corev1.ConditionFalse:
		add, opposite = notReadyTaint(), unreachableTaint()
	default:
		add, opposite = unreachableTaint(), notReadyTaint()
	}
	if hasTaint(node, opposite) {
		return c.swap(node, add, opposite)
	}
	if hasTaint(node, add) {
		return nil
	}
	z := c.zoneOf(node)
	z.add(node.Name)
	if z.timer == nil {
		c.arm(z)
	}
	return nil
}

func (c *Controller) swap(node *corev1.Node, add, remove corev1.Taint) error {
	return c.edit(node, func(n *corev1.Node) (*corev1.Node, bool) {
		return editTaints(n, []corev1.Taint{add}, []corev1.Taint{remove}, c.now())
	})
}

// untaint takes both NoExecute taints off a node that is ready. Models markNodeAsReachable.
func (c *Controller) untaint(node *corev1.Node) error {
	c.zoneOf(node).remove(node.Name)
	return c.edit(node, func(n *corev1.Node) (*corev1.Node, bool) {
		return editTaints(n, nil, []corev1.Taint{unreachableTaint(), notReadyTaint()}, c.now())
	})
}

// arm sets the timer for the first node that waits in the zone.
func (c *Controller) arm(z *zone) {
	z.timer.Stop()
	z.timer = nil
	if len(z.queue) == 0 {
		return
	}
	wait, ok := z.limit.wait(c.deps.Loop.Now())
	if !ok {
		return // until the zone's rate changes
	}
	// Rounded up to a whole period, which is how often upstream looks.
	wait = max(taintPeriod, (wait + taintPeriod - 1).Truncate(taintPeriod))
	label := loop.Label{Component: Name, Action: "taint NoExecute", Object: z.queue[0]}
	z.timer = c.deps.Loop.After(wait, label, func() { c.taintNext(z) })
}

// taintNext taints the node whose turn it is, as its Ready condition is now. One that fails waits for its
// next turn. Models doNoExecuteTaintingPass.
func (c *Controller) taintNext(z *zone) {
	z.timer = nil
	defer func() { c.arm(z) }()
	if len(z.queue) == 0 || !z.limit.take(c.deps.Loop.Now()) {
		return
	}
	name := z.queue[0]
	node, ok := c.nodes.Get("", name)
	if !ok {
		z.remove(name)
		return
	}
	ready := readyCondition(node)
	if ready == nil {
		return
	}
	if ready.Status == corev1.ConditionTrue {
		z.remove(name)
		return
	}
	add, opposite := unreachableTaint(), notReadyTaint()
	if ready.Status == corev1.ConditionFalse {
		add, opposite = opposite, add
	}
	c.within(name, "the zone's turn to taint", func() error {
		err := c.swap(node, add, opposite)
		if err == nil {
			z.remove(name)
		}
		return err
	})
}

// A zoneTally counts a zone's nodes.
type zoneTally struct{ ready, notReady int }

func (t *zoneTally) add(c *corev1.NodeCondition) {
	if c != nil && c.Status == corev1.ConditionTrue {
		t.ready++
	} else {
		t.notReady++
	}
}

// judgeZones sets how fast nodes are tainted. When no node of any zone is ready the fault is taken to be
// here rather than there: nothing is evicted. Models handleDisruption.
func (c *Controller) judgeZones(tally map[string]*zoneTally, nodes []*corev1.Node) {
	allFull, wereFull := true, true
	next := make(map[string]zoneState, len(tally))
	for _, key := range sortedKeys(tally) {
		next[key] = stateOf(tally[key].ready, tally[key].notReady)
		allFull = allFull && next[key] == zoneFull
	}
	var live []string
	for _, key := range sortedKeys(c.zones) {
		if tally[key] == nil {
			c.zones[key].state = zoneInitial
			continue
		}
		live = append(live, key)
		wereFull = wereFull && c.zones[key].state == zoneFull
	}
	if allFull && wereFull {
		return
	}
	switch {
	case allFull:
		c.stopEvictions(live, nodes)
		return
	case wereFull:
		for _, node := range nodes {
			if h := c.health[node.Name]; h != nil {
				h.probed = c.deps.Loop.Now()
			}
		}
	}
	for _, key := range live {
		z := c.zones[key]
		if z.state != next[key] || wereFull {
			z.state = next[key]
			c.setRate(z, rateOf(z.state, tally[key].ready+tally[key].notReady))
		}
	}
}

// stopEvictions takes the NoExecute taints off all nodes and lets none be added.
func (c *Controller) stopEvictions(zones []string, nodes []*corev1.Node) {
	for _, node := range nodes {
		if hasTaint(node, unreachableTaint()) || hasTaint(node, notReadyTaint()) {
			c.within(node.Name, "all nodes failed", func() error { return c.untaint(node) })
		} else {
			c.zoneOf(node).remove(node.Name)
		}
	}
	for _, key := range zones {
		c.zones[key].state = zoneFull
		c.setRate(c.zones[key], 0)
	}
}

func (c *Controller) setRate(z *zone, rate float64) {
	z.limit.setRate(rate, c.deps.Loop.Now())
	c.arm(z)
}
