package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
const Name = "deployment-controller"

const (
	deployments = "deployments.apps"
	replicaSets = "replicasets.apps"
)

// maxRetries is how often a Deployment is tried again before the controller waits for its next change.
const maxRetries = 15

// A Controller rolls Deployments out.
type Controller struct {
	*controller.Controller
	deps   controller.Deps
	events *record.Recorder
	queue  *workqueue.Queue
	writes *expect.Writes
	same   map[types.UID]comparison // by the ReplicaSet's UID
	parsed map[kinds.Key]parsed     // selectors, by the Deployment

	deployments informer.Lister[*appsv1.Deployment]
	sets        informer.Lister[*appsv1.ReplicaSet]
	pods        informer.Lister[*corev1.Pod]

	deploymentAPI client.Resource[*appsv1.Deployment]
	setAPI        client.Resource[*appsv1.ReplicaSet]
}

// New returns the controller. It must be called before the informers start.
func New(deps controller.Deps) *Controller {
	api := deps.Client.ServiceAccount(Name)
	ds := informer.Shared[*appsv1.Deployment](deps.Informers, deployments)
	sets := informer.Shared[*appsv1.ReplicaSet](deps.Informers, replicaSets)
	pods := informer.Shared[*corev1.Pod](deps.Informers, "pods")
	c := &Controller{
		deps: deps, events: deps.Recorder(api, Name), queue: workqueue.New(deps.Loop, workqueue.Config{Name: Name}),
		same: make(map[types.UID]comparison), parsed: make(map[kinds.Key]parsed), deployments: ds.Lister(), sets: sets.Lister(), pods: pods.Lister(),
		deploymentAPI: api.Deployments(), setAPI: api.ReplicaSets(),
	}
	c.writes = expect.NewWrites(func(resource string) kinds.Revision {
		if resource == deployments {
			return ds.Revision()
		}
		return sets.Revision()
	})
	sets.AddIndex(owner.Index, func(rs *appsv1.ReplicaSet) []string { return []string{owner.IndexValue(rs)} })
	pods.AddIndex(owner.Index, func(p *corev1.Pod) []string { return []string{owner.IndexValue(p)} })
	ds.AddHandler(func(ev informer.Event[*appsv1.Deployment]) { c.queue.Add(ev.Key, ev.Trigger()) })
	sets.AddHandler(c.setChanged)
	pods.AddHandler(c.podChanged)

	c.Controller = controller.New(controller.Config{
		Name: Name, Loop: deps.Loop, Trace: deps.Trace, Queue: c.queue, Reconcile: c.reconcile, MaxRetries: maxRetries,
		Ready: func() bool { return ds.HasSynced() && sets.HasSynced() && pods.HasSynced() },
	})
	ds.OnSync(c.Kick)
	sets.OnSync(c.Kick)
	pods.OnSync(c.Kick)
	return c
}

// A comparison of a ReplicaSet's template with its Deployment's holds while the specs of both stay the same.
type comparison struct {
	deployment    types.UID
	generation    int64
	setGeneration int64
	equal         bool
}

// current reports whether the set has the Deployment's template. Status changes, which are most, leave the
// answer alone.
func (c *Controller) current(d *appsv1.Deployment, rs *appsv1.ReplicaSet) bool {
	was, ok := c.same[rs.UID]
	now := comparison{d.UID, d.Generation, rs.Generation, was.equal}
	if !ok || was != now {
		now.equal = equalTemplates(&rs.Spec.Template, &d.Spec.Template)
		c.same[rs.UID] = now
	}
	return now.equal
}

// A parsed selector holds for as long as the Deployment's states share it, as status updates do.
type parsed struct {
	of       *metav1.LabelSelector
	selector labels.Selector
}

func (c *Controller) selector(key kinds.Key, d *appsv1.Deployment) (labels.Selector, error) {
	if p := c.parsed[key]; p.of == d.Spec.Selector {
		return p.selector, nil
	}
	sel, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if err == nil {
		c.parsed[key] = parsed{d.Spec.Selector, sel}
	}
	return sel, err
}

// setChanged queues the Deployment that owns the set, the one that owned it before, and for an orphan those
// that may want it. Models addReplicaSet, updateReplicaSet, deleteReplicaSet.
func (c *Controller) setChanged(ev informer.Event[*appsv1.ReplicaSet]) {
	rs, ref := ev.New, metav1.GetControllerOfNoCopy(ev.New)
	if ev.Type == informer.Deleted {
		delete(c.same, rs.UID)
	}
	relabeled := ev.Type == informer.Added
	if ev.Type == informer.Updated {
		before := metav1.GetControllerOfNoCopy(ev.Old)
		if before != nil && (ref == nil || ref.UID != before.UID) {
			c.enqueue(c.owner(ev.Old.Namespace, before), ev.Trigger())
			relabeled = true
		}
		relabeled = relabeled || !labels.Equals(rs.Labels, ev.Old.Labels)
	}
	if ref != nil {
		c.enqueue(c.owner(rs.Namespace, ref), ev.Trigger())
		return
	}
	if relabeled && rs.DeletionTimestamp == nil {
		for _, d := range c.wanting(rs) {
			c.enqueue(d, ev.Trigger())
		}
	}
}

// podChanged queues a Recreate Deployment when one of its pods is gone: the last one makes room for the
// next template. Models deletePod.
func (c *Controller) podChanged(ev informer.Event[*corev1.Pod]) {
	if ev.Type != informer.Deleted {
		return
	}
	ref := metav1.GetControllerOfNoCopy(ev.New)
	if ref == nil || ref.Kind != "ReplicaSet" {
		return
	}
	rs, ok := c.sets.Get(ev.New.Namespace, ref.Name)
	if !ok || rs.UID != ref.UID {
		return
	}
	d := c.owner(rs.Namespace, metav1.GetControllerOfNoCopy(rs))
	if d != nil && d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		c.enqueue(d, ev.Trigger())
	}
}

func (c *Controller) enqueue(d *appsv1.Deployment, why trace.Trigger) {
	if d != nil {
		c.queue.Add(kinds.Key{Resource: deployments, Namespace: d.Namespace, Name: d.Name}, why)
	}
}

// owner returns the Deployment that ref names, or nil. Models resolveControllerRef.
func (c *Controller) owner(namespace string, ref *metav1.OwnerReference) *appsv1.Deployment {
	if ref == nil || ref.Kind != kind.Kind {
		return nil
	}
	d, ok := c.deployments.Get(namespace, ref.Name)
	if !ok || d.UID != ref.UID {
		return nil
	}
	return d
}

// wanting returns the Deployments whose selector matches an orphan. Models GetDeploymentsForReplicaSet.
func (c *Controller) wanting(rs *appsv1.ReplicaSet) []*appsv1.Deployment {
	var out []*appsv1.Deployment
	for _, d := range c.deployments.List(rs.Namespace, nil) {
		sel, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
		if err == nil && !sel.Empty() && sel.Matches(labels.Set(rs.Labels)) {
			out = append(out, d)
		}
	}
	return out
}

// reconcile brings one Deployment a step further. Models syncDeployment.
func (c *Controller) reconcile(key kinds.Key) error {
	d, ok := c.deployments.Get(key.Namespace, key.Name)
	if !ok {
		c.writes.Forget(key)
		delete(c.parsed, key)
		return nil
	}
	if c.writes.Behind(key) {
		return nil
	}
	now := metav1.Time{Time: c.deps.Loop.Now().Truncate(1e9)}
	copied := *d
	r := &rollout{Controller: c, key: key, was: d, d: &copied, now: now}
	if s := d.Spec.Selector; len(s.MatchLabels) == 0 && len(s.MatchExpressions) == 0 {
		c.events.Event(d, corev1.EventTypeWarning, eventSelectingAll,
			"This deployment is selecting all pods. A non-empty selector is required.")
		st := d.Status
		st.ObservedGeneration = d.Generation
		return r.finish(st)
	}
	list, err := c.claim(key, d)
	if err != nil {
		return err
	}
	c.deps.Trace.Read(trace.Read{Verb: "list", Key: kinds.Key{Resource: replicaSets, Namespace: key.Namespace}, Count: len(list)})
	r.sets = sortOut(list, func(rs *appsv1.ReplicaSet) bool { return c.current(d, rs) })
	if err := r.run(); err != nil && !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		return err
	}
	return nil
}

// claim returns the ReplicaSets that the Deployment owns, after adopting and releasing.
func (c *Controller) claim(key kinds.Key, d *appsv1.Deployment) ([]*appsv1.ReplicaSet, error) {
	sel, err := c.selector(key, d)
	if err != nil {
		return nil, err
	}
	list := c.sets.ByIndex(owner.Index, owner.Owned(d.Namespace, d.UID))
	list = append(list, c.sets.ByIndex(owner.Index, owner.Orphans(d.Namespace))...)
	claim := owner.Claim[*appsv1.ReplicaSet]{
		Owner: d, Kind: kind, Selector: sel,
		Live: func() (metav1.Object, error) { return c.deploymentAPI.Get(d.Namespace, d.Name) },
		Patch: func(rs *appsv1.ReplicaSet, patch []byte) error {
			_, err := c.setAPI.Patch(rs.Namespace, rs.Name, types.StrategicMergePatchType, patch, "")
			return err
		},
	}
	return claim.Run(list)
}
