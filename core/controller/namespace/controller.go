// Package namespace is the namespace controller: it empties a namespace that is being deleted, pods first,
// and then lets it go.
//
// It promises: upstream's order, conditions and messages (Kubernetes 1.37, pkg/controller/namespace). The
// namespace is finalized only when no object of any kind is left in it.
package namespace

import (
	"errors"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"terrarium/core/client"
	"terrarium/core/controller"
	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/workqueue"
)

// Name is what the controller calls itself in spans and requests.
const Name = "namespace-controller"

const (
	// settle is how long the controller waits, so that objects just created are seen by all.
	settle  = 5 * time.Second
	workers = 10
	// maxDelay bounds the wait between two tries.
	maxDelay = 60 * time.Second
)

// A Controller empties and finalizes namespaces.
type Controller struct {
	*controller.Controller
	deps       controller.Deps
	queue      *workqueue.Queue
	namespaces informer.Lister[*corev1.Namespace]
	client     *client.Client
	api        client.Resource[*corev1.Namespace]
	content    []*kinds.Kind // the namespaced kinds whose objects can be deleted, pods first
}

// New returns the controller. It must be called before the informers start.
func New(deps controller.Deps) *Controller {
	api := deps.Client.ServiceAccount(Name)
	namespaces := informer.Shared[*corev1.Namespace](deps.Informers, "namespaces")
	c := &Controller{
		deps: deps, queue: workqueue.New(deps.Loop, workqueue.Config{Name: Name, MaxDelay: maxDelay}),
		namespaces: namespaces.Lister(), client: api, api: api.Namespaces(), content: contentKinds(api.Kinds()),
	}
	namespaces.AddHandler(func(ev informer.Event[*corev1.Namespace]) {
		if ev.Type != informer.Deleted && ev.New.DeletionTimestamp != nil {
			c.queue.AddAfter(ev.Key, settle, "namespace deletion")
		}
	})
	c.Controller = controller.New(controller.Config{
		Name: Name, Workers: workers, Loop: deps.Loop, Trace: deps.Trace, Queue: c.queue, Reconcile: c.reconcile,
		Ready: namespaces.HasSynced,
	})
	namespaces.OnSync(c.Kick)
	return c
}

// contentKinds returns the preferred version of each namespaced kind that can be deleted, pods first.
func contentKinds(reg *kinds.Registry) []*kinds.Kind {
	var out []*kinds.Kind
	for _, k := range reg.List() {
		deletable := k.Verbs == nil || slices.Contains(k.Verbs, "delete")
		if !k.Namespaced || k.NewList == nil || !deletable || reg.ByStorageResource(k.StorageResource()) != k {
			continue
		}
		if k.StorageResource() == podResource {
			out = slices.Insert(out, 0, k)
		} else {
			out = append(out, k)
		}
	}
	return out
}

// reconcile does what can be done at once and comes back while something remains. Models syncNamespace and
// NamespacedResourcesDeleter Delete.
func (c *Controller) reconcile(key kinds.Key) error {
	if _, ok := c.namespaces.Get("", key.Name); !ok {
		return nil
	}
	ns, err := c.api.Get("", key.Name)
	if err == nil && ns.DeletionTimestamp == nil {
		return nil
	}
	if err == nil {
		ns, err = c.markTerminating(ns)
	}
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return err
	case len(ns.Spec.Finalizers) == 0:
		return nil
	}
	found := c.empty(ns)
	if found.changesConditions(ns) {
		if ns, err = c.api.UpdateStatus(found.withConditions(ns)); err != nil {
			return err
		}
	}
	if err := errors.Join(found.errs...); err != nil {
		return err
	}
	if found.estimate > 0 {
		wait := found.estimate/2 + 1
		c.queue.AddAfter(key, time.Duration(wait)*time.Second, "content remains, about "+strconv.FormatInt(found.estimate, 10)+"s")
		return nil
	}
	return c.finalize(ns)
}

// markTerminating makes the phase say what the deletion timestamp does.
func (c *Controller) markTerminating(ns *corev1.Namespace) (*corev1.Namespace, error) {
	if ns.Status.Phase == corev1.NamespaceTerminating {
		return ns, nil
	}
	next := *ns
	next.Status.Phase = corev1.NamespaceTerminating
	return c.api.UpdateStatus(&next)
}

// finalize takes the controller's finalizer off; without one the namespace is gone.
func (c *Controller) finalize(ns *corev1.Namespace) error {
	next := *ns
	next.Spec.Finalizers = slices.DeleteFunc(slices.Clone(ns.Spec.Finalizers), func(f corev1.FinalizerName) bool {
		return f == corev1.FinalizerKubernetes
	})
	_, err := c.api.UpdateSubresource(&next, "finalize")
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
