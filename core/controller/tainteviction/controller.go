package tainteviction

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
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
	byNode       = "node" // index of pods
	workers      = 8
)

// A Controller evicts pods. Its keys are nodes, whose pods are to be looked at, and pods.
type Controller struct {
	*controller.Controller
	deps   controller.Deps
	events *record.Recorder
	queue  *workqueue.Queue

	nodes informer.Lister[*corev1.Node]
	pods  informer.Lister[*corev1.Pod]
	api   client.Resource[*corev1.Pod]

	evictions map[kinds.Key]*eviction // by pod
}

// An eviction is decided, and waits for its time.
type eviction struct {
	due   time.Time
	timer *loop.Timer
}

// New returns the controller. It must be called before the informers start.
func New(deps controller.Deps) *Controller {
	api := deps.Client.ServiceAccount(account)
	nodes := informer.Shared[*corev1.Node](deps.Informers, nodeResource)
	pods := informer.Shared[*corev1.Pod](deps.Informers, "pods")
	c := &Controller{
		deps: deps, events: deps.Recorder(api, Name), queue: workqueue.New(deps.Loop, workqueue.Config{Name: Name}),
		nodes: nodes.Lister(), pods: pods.Lister(), api: api.Pods(), evictions: make(map[kinds.Key]*eviction),
	}
	pods.AddIndex(byNode, func(p *corev1.Pod) []string {
		if p.Spec.NodeName == "" {
			return nil
		}
		return []string{p.Spec.NodeName}
	})
	nodes.AddHandler(c.nodeChanged)
	pods.AddHandler(c.podChanged)
	c.Controller = controller.New(controller.Config{
		Name: Name, Workers: workers, Loop: deps.Loop, Trace: deps.Trace, Queue: c.queue, Reconcile: c.reconcile,
		Ready: func() bool { return nodes.HasSynced() && pods.HasSynced() },
	})
	nodes.OnSync(c.Kick)
	pods.OnSync(c.Kick)
	return c
}

// nodeChanged queues a node whose NoExecute taints changed.
func (c *Controller) nodeChanged(ev informer.Event[*corev1.Node]) {
	var before []corev1.Taint
	switch ev.Type {
	case informer.Deleted:
		return
	case informer.Updated:
		before = noExecute(ev.Old.Spec.Taints)
	}
	if !equality.Semantic.DeepEqual(before, noExecute(ev.New.Spec.Taints)) {
		c.queue.Add(ev.Key, ev.Trigger())
	}
}

// podChanged queues a pod that came to a tainted node, tolerates other things than before, or is gone.
func (c *Controller) podChanged(ev informer.Event[*corev1.Pod]) {
	if ev.Type == informer.Deleted {
		if c.evictions[ev.Key] != nil {
			c.queue.Add(ev.Key, ev.Trigger())
		}
		return
	}
	pod := ev.New
	if pod.Spec.NodeName == "" || ev.Type == informer.Updated && ev.Old.Spec.NodeName == pod.Spec.NodeName &&
		equalTolerations(ev.Old.Spec.Tolerations, pod.Spec.Tolerations) {
		return
	}
	if c.evictions[ev.Key] != nil || len(c.taintsOf(pod.Spec.NodeName)) > 0 {
		c.queue.Add(ev.Key, ev.Trigger())
	}
}

func equalTolerations(a, b []corev1.Toleration) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || equality.Semantic.DeepEqual(a, b))
}

func (c *Controller) taintsOf(node string) []corev1.Taint {
	n, ok := c.nodes.Get("", node)
	if !ok {
		return nil
	}
	return noExecute(n.Spec.Taints)
}

// reconcile looks at a pod, or at all pods of a node.
func (c *Controller) reconcile(key kinds.Key) error {
	if key.Resource != nodeResource {
		pod, ok := c.pods.Get(key.Namespace, key.Name)
		if !ok {
			c.cancel(key)
			return nil
		}
		return c.lookAt(key, pod, c.taintsOf(pod.Spec.NodeName))
	}
	taints := c.taintsOf(key.Name)
	for _, pod := range c.pods.ByIndex(byNode, key.Name) {
		podKey := kinds.Key{Resource: "pods", Namespace: pod.Namespace, Name: pod.Name}
		if err := c.lookAt(podKey, pod, taints); err != nil {
			c.queue.AddRateLimited(podKey)
		}
	}
	return nil
}

// lookAt evicts the pod, decides when it will be, or takes such a decision back.
// Models processPodOnNode.
func (c *Controller) lookAt(key kinds.Key, pod *corev1.Pod, taints []corev1.Taint) error {
	now := c.deps.Loop.Now()
	wait, forever := patience(taints, pod.Spec.Tolerations)
	decided := c.evictions[key]
	switch {
	case forever:
		c.cancel(key)
		return nil
	case decided != nil && !decided.due.After(now):
		return c.evict(key)
	case wait == 0:
		c.cancel(key)
		return c.evict(key)
	case decided == nil:
		c.schedule(key, wait)
	}
	return nil
}

func (c *Controller) schedule(key kinds.Key, wait time.Duration) {
	e := &eviction{due: c.deps.Loop.Now().Add(wait)}
	e.timer = c.deps.Loop.At(e.due, loop.Label{Component: Name, Action: "toleration ends", Object: key.ID()}, func() {
		c.queue.Add(key, trace.Trigger{Note: "toleration ended"})
	})
	c.evictions[key] = e
}

// cancel takes back a decision, if there is one.
func (c *Controller) cancel(key kinds.Key) {
	e := c.evictions[key]
	if e == nil {
		return
	}
	delete(c.evictions, key)
	e.timer.Stop()
	c.event(key, "Cancelling deletion of Pod "+key.ID())
}

// evict says in the pod's conditions why it goes, and deletes it. Models deletePodHandler.
func (c *Controller) evict(key kinds.Key) error {
	c.event(key, "Marking for deletion Pod "+key.ID())
	pod, err := c.api.Get(key.Namespace, key.Name)
	if err == nil {
		err = c.markDisrupted(pod)
	}
	if err == nil {
		err = c.api.Delete(key.Namespace, key.Name, metav1.DeleteOptions{})
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	if e := c.evictions[key]; e != nil {
		e.timer.Stop()
		delete(c.evictions, key)
	}
	return nil
}

func (c *Controller) markDisrupted(pod *corev1.Pod) error {
	condition := corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, ObservedGeneration: pod.Generation,
		Reason: "DeletionByTaintManager", Message: "Taint manager: deleting due to NoExecute taint",
		LastTransitionTime: metav1.Time{Time: c.deps.Loop.Now().Truncate(time.Second)},
	}
	next := *pod
	next.Status.Conditions = slices.Clone(pod.Status.Conditions)
	i := slices.IndexFunc(next.Status.Conditions, func(x corev1.PodCondition) bool { return x.Type == condition.Type })
	switch {
	case i < 0:
		next.Status.Conditions = append(next.Status.Conditions, condition)
	case next.Status.Conditions[i].Status == condition.Status && next.Status.Conditions[i].Reason == condition.Reason:
		return nil
	default:
		next.Status.Conditions[i] = condition
	}
	_, err := c.api.UpdateStatus(&next)
	return err
}

func (c *Controller) event(key kinds.Key, message string) {
	c.events.EventAbout(corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: key.Namespace, Name: key.Name},
		corev1.EventTypeNormal, eventReason, message)
}
