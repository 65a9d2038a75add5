package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/client"
	"terrarium/core/client/record"
	"terrarium/core/controller"
	"terrarium/core/controller/expect"
	"terrarium/core/controller/owner"
	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/trace"
	"terrarium/core/workqueue"
)

// Name is what the controller calls itself in events, spans and requests.
const Name = "replicaset-controller"

const (
	replicaSets = "replicasets.apps"
	podResource = "pods"
)

// A Controller keeps the pods of ReplicaSets.
type Controller struct {
	*controller.Controller
	deps   controller.Deps
	events *record.Recorder
	queue  *workqueue.Queue
	counts expect.Counts
	writes *expect.Writes
	census map[types.UID]*census // by the ReplicaSet's UID; made when it is first reconciled

	sets informer.Lister[*appsv1.ReplicaSet]
	pods informer.Lister[*corev1.Pod]

	setAPI client.Resource[*appsv1.ReplicaSet]
	podAPI client.Resource[*corev1.Pod]
}

// New returns the controller. It must be called before the informers start.
func New(deps controller.Deps) *Controller {
	api := deps.Client.ServiceAccount(Name)
	sets := informer.Shared[*appsv1.ReplicaSet](deps.Informers, replicaSets)
	pods := informer.Shared[*corev1.Pod](deps.Informers, podResource)
	c := &Controller{
		deps: deps, events: deps.Recorder(api, Name), queue: workqueue.New(deps.Loop, workqueue.Config{Name: Name}), census: make(map[types.UID]*census),
		sets: sets.Lister(), pods: pods.Lister(), setAPI: api.ReplicaSets(), podAPI: api.Pods(),
	}
	c.writes = expect.NewWrites(func(resource string) kinds.Revision {
		if resource == podResource {
			return pods.Revision()
		}
		return sets.Revision()
	})
	sets.AddIndex(owner.Index, func(rs *appsv1.ReplicaSet) []string { return []string{owner.IndexValue(rs)} })
	pods.AddIndex(owner.Index, func(p *corev1.Pod) []string { return []string{owner.IndexValue(p)} })
	sets.AddHandler(c.setChanged)
	pods.AddHandler(c.podChanged)

	c.Controller = controller.New(controller.Config{
		Name: Name, Loop: deps.Loop, Trace: deps.Trace, Queue: c.queue, Reconcile: c.reconcile,
		Ready: func() bool { return sets.HasSynced() && pods.HasSynced() },
	})
	sets.OnSync(c.Kick)
	pods.OnSync(c.Kick)
	return c
}

// setChanged queues the set. Models addRS, updateRS, deleteRS.
func (c *Controller) setChanged(ev informer.Event[*appsv1.ReplicaSet]) {
	switch {
	case ev.Type == informer.Deleted:
		c.forget(ev.Key, ev.New.UID)
	case ev.Type == informer.Updated && ev.Old.UID != ev.New.UID:
		c.forget(ev.Key, ev.Old.UID)
	}
	c.queue.Add(ev.Key, ev.Trigger())
}

func (c *Controller) forget(key kinds.Key, uid types.UID) {
	c.counts.Forget(key)
	c.writes.Forget(key)
	delete(c.census, uid)
}

// podChanged counts the pod and queues the set that controls it, the one that did before, and for an orphan
// those that may want it. Models addPod, updatePod, deletePod.
func (c *Controller) podChanged(ev informer.Event[*corev1.Pod]) {
	pod, ref := ev.New, metav1.GetControllerOfNoCopy(ev.New)
	news := ev.Type == informer.Added
	if ev.Type == informer.Updated {
		if before := metav1.GetControllerOfNoCopy(ev.Old); before != nil && (ref == nil || ref.UID != before.UID) {
			news = true
			if rs := c.owner(pod.Namespace, before); rs != nil {
				c.recount(rs, func(n *census) bool { return n.drop(pod.UID) })
				c.enqueue(rs, ev.Trigger())
			}
		}
	}
	if ref == nil {
		if ev.Type == informer.Updated {
			news = news || !labels.Equals(pod.Labels, ev.Old.Labels)
		}
		if news && pod.DeletionTimestamp == nil {
			for _, rs := range c.wanting(pod) {
				c.enqueue(rs, ev.Trigger())
			}
		}
		return
	}
	rs := c.owner(pod.Namespace, ref)
	if rs == nil {
		return
	}
	if c.observe(rs, pod, ev.Type) || news {
		c.enqueue(rs, ev.Trigger())
	}
}

// observe keeps the expectations and the census of the pod's set up to date. It reports whether the set
// has reason to look.
func (c *Controller) observe(rs *appsv1.ReplicaSet, pod *corev1.Pod, t informer.Type) bool {
	key := keyOf(rs)
	if t == informer.Deleted {
		c.counts.Deleted(key, pod.UID)
		c.recount(rs, func(n *census) bool { return n.drop(pod.UID) })
		return true
	}
	if pod.DeletionTimestamp != nil {
		c.counts.Deleted(key, pod.UID)
	} else if t == informer.Added {
		c.counts.Created(key)
	}
	return c.recount(rs, func(n *census) bool { return n.count(pod) })
}

// recount updates the census of a set. Before there is one every change is news.
func (c *Controller) recount(rs *appsv1.ReplicaSet, f func(*census) bool) bool {
	n := c.census[rs.UID]
	return n == nil || f(n)
}

func keyOf(rs *appsv1.ReplicaSet) kinds.Key {
	return kinds.Key{Resource: replicaSets, Namespace: rs.Namespace, Name: rs.Name}
}

func (c *Controller) enqueue(rs *appsv1.ReplicaSet, why trace.Trigger) { c.queue.Add(keyOf(rs), why) }

// owner returns the ReplicaSet that ref names, or nil. Models resolveControllerRef.
func (c *Controller) owner(namespace string, ref *metav1.OwnerReference) *appsv1.ReplicaSet {
	if ref.Kind != kind.Kind {
		return nil
	}
	rs, ok := c.sets.Get(namespace, ref.Name)
	if !ok || rs.UID != ref.UID {
		return nil
	}
	return rs
}

// wanting returns the ReplicaSets whose selector matches an orphan. Models GetPodReplicaSets.
func (c *Controller) wanting(pod *corev1.Pod) []*appsv1.ReplicaSet {
	if len(pod.Labels) == 0 {
		return nil
	}
	var out []*appsv1.ReplicaSet
	for _, rs := range c.sets.List(pod.Namespace, nil) {
		sel, err := metav1.LabelSelectorAsSelector(rs.Spec.Selector)
		if err == nil && !sel.Empty() && sel.Matches(labels.Set(pod.Labels)) {
			out = append(out, rs)
		}
	}
	return out
}
