// Package garbagecollector deletes objects whose owners are gone, deletes the dependents of an owner that
// is deleted in the foreground before the owner itself, and lets the dependents of one live that is deleted
// with "orphan".
//
// It promises: upstream's decisions (Kubernetes 1.37, pkg/controller/garbagecollector). Nothing is deleted
// on the word of a cache: whether an owner is absent, and whether the object is still the same, is asked of
// the API first.
package garbagecollector

import (
	"errors"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/client"
	"terrarium/core/client/record"
	"terrarium/core/controller"
	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/trace"
	"terrarium/core/workqueue"
)

// Name is what the collector calls itself in events and spans; account is who it is to the API.
const (
	Name    = "garbage-collector-controller"
	account = "generic-garbage-collector"
)

const workers = 20

// A Controller collects garbage. A key stands for every node of that name that is to be looked at.
type Controller struct {
	*controller.Controller
	deps   controller.Deps
	events *record.Recorder
	queue  *workqueue.Queue
	api    *client.Client
	graph  *graph

	looks   map[kinds.Key]*nodeSet // nodes to look at
	orphans map[kinds.Key]*nodeSet // owners whose dependents are to be let go
	trigger trace.Trigger          // of the change that the graph takes in
}

// New returns the collector. It must be called when every other informer is made, and before they start: it
// follows all kinds.
func New(deps controller.Deps) *Controller {
	api := deps.Client.ServiceAccount(account)
	c := &Controller{
		deps: deps, events: deps.Recorder(api, Name), queue: workqueue.New(deps.Loop, workqueue.Config{Name: Name}), api: api,
		graph: newGraph(), looks: make(map[kinds.Key]*nodeSet), orphans: make(map[kinds.Key]*nodeSet),
	}
	c.graph.look = func(n *node) { c.enqueue(c.looks, n) }
	c.graph.orphan = func(n *node) { c.enqueue(c.orphans, n) }
	c.graph.misplaced = c.reportMisplaced
	for _, k := range followed(c.api.Kinds()) {
		c.follow(k)
	}
	c.Controller = controller.New(controller.Config{
		Name: Name, Workers: workers, Loop: deps.Loop, Trace: deps.Trace, Queue: c.queue, Reconcile: c.reconcile,
		Ready: deps.Informers.HasSynced,
	})
	deps.Informers.OnSync(c.Kick)
	return c
}

// followed returns the kinds that can own or be owned: all that can be listed, watched and deleted, but
// events.
func followed(reg *kinds.Registry) []*kinds.Kind {
	var out []*kinds.Kind
	for _, k := range reg.List() {
		can := func(verb string) bool { return k.Verbs == nil || slices.Contains(k.Verbs, verb) }
		if k.NewList == nil || k.Resource == "events" || !can("list") || !can("watch") || !can("delete") {
			continue
		}
		if reg.ByStorageResource(k.StorageResource()) == k {
			out = append(out, k)
		}
	}
	return out
}

func (c *Controller) follow(k *kinds.Kind) {
	apiVersion := k.GVK.GroupVersion().String()
	informer.Observe(c.deps.Informers, k.StorageResource(), func(ev informer.Event[kinds.Object]) {
		id := identity{apiVersion, k.GVK.Kind, ev.Key.Namespace, ev.Key.Name, ev.New.GetUID()}
		c.trigger = ev.Trigger()
		switch {
		case ev.Type == informer.Deleted:
			c.graph.gone(id, false)
		case ev.Old == nil:
			c.graph.seen(id, ev.New, nil)
		default:
			if uid := ev.Old.GetUID(); uid != id.UID {
				before := id
				before.UID = uid
				c.graph.gone(before, false)
				c.graph.seen(id, ev.New, nil)
				break
			}
			c.graph.seen(id, ev.New, ev.Old)
		}
		c.trigger = trace.Trigger{}
	})
}

// enqueue files the node under its key.
func (c *Controller) enqueue(in map[kinds.Key]*nodeSet, n *node) {
	key := c.keyOf(n.id)
	if in[key] == nil {
		in[key] = &nodeSet{}
	}
	in[key].add(n)
	c.queue.Add(key, c.trigger)
}

func (c *Controller) keyOf(id identity) kinds.Key {
	if k := c.kindOf(id.APIVersion, id.Kind); k != nil {
		return k.Key(id.Namespace, id.Name)
	}
	return kinds.Key{Resource: strings.ToLower(id.Kind), Namespace: id.Namespace, Name: id.Name}
}

// reportMisplaced tells people that an object refers to an owner in another namespace.
func (c *Controller) reportMisplaced(n *node, owner types.UID) {
	i := slices.IndexFunc(n.owners, func(r metav1.OwnerReference) bool { return r.UID == owner })
	if i < 0 {
		return
	}
	c.events.EventAbout(corev1.ObjectReference{
		APIVersion: n.id.APIVersion, Kind: n.id.Kind, Namespace: n.id.Namespace, Name: n.id.Name, UID: n.id.UID,
	}, corev1.EventTypeWarning, "OwnerRefInvalidNamespace",
		"ownerRef "+identityOf(n.owners[i], n.id.Namespace).String()+` does not exist in namespace "`+n.id.Namespace+`"`)
}

// reconcile does what is to be done about the nodes filed under the key; those that fail stay there.
func (c *Controller) reconcile(key kinds.Key) error {
	c.trigger = trace.Trigger{Key: key, Note: "an owner or dependent was looked at", Span: c.deps.Trace.Current().ID}
	defer func() { c.trigger = trace.Trigger{} }()
	return errors.Join(
		each(c.orphans, key, c.letDependentsGo),
		each(c.looks, key, c.lookAt),
	)
}

func each(in map[kinds.Key]*nodeSet, key kinds.Key, do func(*node) error) error {
	set := in[key]
	if set == nil {
		return nil
	}
	delete(in, key)
	var errs []error
	for _, n := range set.list {
		if err := do(n); err != nil {
			errs = append(errs, err)
			if in[key] == nil {
				in[key] = &nodeSet{}
			}
			in[key].add(n)
		}
	}
	return errors.Join(errs...)
}
