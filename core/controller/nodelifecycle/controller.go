package nodelifecycle

import (
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/client"
	"terrarium/core/client/record"
	"terrarium/core/controller"
	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/trace"
	"terrarium/core/workqueue"
)

const (
	nodeResource = "nodes"
	podResource  = "pods"
	byNode       = "node" // index of pods
)

// A Controller watches over nodes. Its keys are nodes, whose NoSchedule taints and labels are to be put
// right, and pods that were put on a node that is not ready.
type Controller struct {
	*controller.Controller
	deps   controller.Deps
	events *record.Recorder
	queue  *workqueue.Queue

	nodes  informer.Lister[*corev1.Node]
	pods   informer.Lister[*corev1.Pod]
	leases informer.Lister[*coordinationv1.Lease]

	nodeAPI  client.Resource[*corev1.Node]
	podAPI   client.Resource[*corev1.Pod]
	leaseAPI client.Resource[*coordinationv1.Lease]

	known   map[string]*corev1.Node // by name: nodes that were registered
	health  map[string]*health
	retry   map[string]bool // nodes whose pods are still to be marked as not ready
	zones   map[string]*zone
	monitor *loop.Timer
}

// New returns the controller. It must be called before the informers start.
func New(deps controller.Deps) *Controller {
	api := deps.Client.ServiceAccount(account)
	nodes := informer.Shared[*corev1.Node](deps.Informers, nodeResource)
	pods := informer.Shared[*corev1.Pod](deps.Informers, podResource)
	leases := informer.Shared[*coordinationv1.Lease](deps.Informers, "leases.coordination.k8s.io")
	c := &Controller{
		deps: deps, events: deps.Recorder(api, eventSource), queue: workqueue.New(deps.Loop, workqueue.Config{Name: Name}),
		nodes: nodes.Lister(), pods: pods.Lister(), leases: leases.Lister(),
		nodeAPI: api.Nodes(), podAPI: api.Pods(), leaseAPI: api.Leases(),
		known: make(map[string]*corev1.Node), health: make(map[string]*health), retry: make(map[string]bool), zones: make(map[string]*zone),
	}
	pods.AddIndex(byNode, func(p *corev1.Pod) []string {
		if p.Spec.NodeName == "" {
			return nil
		}
		return []string{p.Spec.NodeName}
	})
	nodes.AddHandler(c.nodeChanged)
	pods.AddHandler(c.podChanged)
	synced := func() bool { return nodes.HasSynced() && pods.HasSynced() && leases.HasSynced() }
	c.Controller = controller.New(controller.Config{
		Name: Name, Workers: workers, Loop: deps.Loop, Trace: deps.Trace, Queue: c.queue, Reconcile: c.reconcile, Ready: synced,
	})
	start := func() {
		if synced() {
			c.Kick()
			c.pass()
		}
	}
	nodes.OnSync(start)
	pods.OnSync(start)
	leases.OnSync(start)
	return c
}

// nodeChanged queues a node whose taints or labels do not fit its conditions.
func (c *Controller) nodeChanged(ev informer.Event[*corev1.Node]) {
	if ev.Type == informer.Deleted {
		delete(c.retry, ev.Key.Name)
		return
	}
	if add, remove := schedulingTaints(ev.New); len(add)+len(remove) > 0 || missingLabels(ev.New) != nil {
		c.queue.Add(ev.Key, ev.Trigger())
	}
}

// podChanged queues a pod that was assigned to a node which is not ready.
func (c *Controller) podChanged(ev informer.Event[*corev1.Pod]) {
	name := ev.New.Spec.NodeName
	if name == "" || ev.Type == informer.Deleted || ev.Type == informer.Updated && ev.Old.Spec.NodeName == name {
		return
	}
	if h := c.health[name]; h != nil && h.ready != nil && h.ready.Status != corev1.ConditionTrue {
		c.queue.Add(ev.Key, ev.Trigger())
	}
}

func (c *Controller) reconcile(key kinds.Key) error {
	if key.Resource == podResource {
		pod, ok := c.pods.Get(key.Namespace, key.Name)
		if h := c.health[podNode(pod)]; !ok || h == nil || h.ready == nil || h.ready.Status == corev1.ConditionTrue {
			return nil
		}
		return c.markUnready(pod)
	}
	node, ok := c.nodes.Get("", key.Name)
	if !ok {
		return nil
	}
	return c.edit(node, func(n *corev1.Node) (*corev1.Node, bool) {
		add, remove := schedulingTaints(n)
		next, changed := editTaints(n, add, remove, c.now())
		if labels := missingLabels(n); labels != nil {
			copied := *next
			copied.Labels = merged(n.Labels, labels)
			next, changed = &copied, true
		}
		return next, changed
	})
}

func podNode(pod *corev1.Pod) string {
	if pod == nil {
		return ""
	}
	return pod.Spec.NodeName
}

// edit writes what change makes of the live node, where it makes anything of the one that is known: a kubelet
// that joins writes as often as this controller does. Models AddOrUpdateTaintOnNode, which reads first as well.
func (c *Controller) edit(node *corev1.Node, change func(*corev1.Node) (*corev1.Node, bool)) error {
	if _, changed := change(node); !changed {
		return nil
	}
	for try := 1; ; try++ {
		live, err := c.nodeAPI.Get("", node.Name)
		if err != nil {
			return err
		}
		next, changed := change(live)
		if !changed {
			return nil
		}
		if _, err = c.nodeAPI.Update(next); !apierrors.IsConflict(err) || try == tries {
			return err
		}
	}
}

// markUnready says of a pod on a failed node that it is not ready, so that no traffic goes to it.
func (c *Controller) markUnready(pod *corev1.Pod) error {
	next, ok := unready(pod, c.now())
	if !ok {
		return nil
	}
	if _, err := c.podAPI.UpdateStatus(next); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	c.events.Warning(pod, "NodeNotReady", "Node is not ready")
	return nil
}

func (c *Controller) now() metav1.Time {
	return metav1.Time{Time: c.deps.Loop.Now().Truncate(time.Second)}
}

// within opens a span for something done about a node outside of a reconcile.
func (c *Controller) within(node, note string, do func() error) {
	key := kinds.Key{Resource: nodeResource, Name: node}
	span := c.deps.Trace.Begin(Name, trace.Reconcile, key, []trace.Trigger{{Note: note}})
	err := do()
	c.deps.Trace.End(span, err)
}

func merged(a, b map[string]string) map[string]string {
	out := make(map[string]string, len(a)+len(b))
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		out[k] = v
	}
	return out
}
