// Package podgc is the pod garbage collector: it deletes pods that no kubelet will ever finish, and the
// oldest of those that ended when there are too many.
//
// Models pkg/controller/podgc (Kubernetes 1.37).
package podgc

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/client"
	"terrarium/core/controller"
	"terrarium/core/controller/pods"
	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/trace"
)

// Name is what the collector calls itself in spans; account is who it is to the API.
const (
	Name    = "pod-garbage-collector-controller"
	account = "pod-garbage-collector"
)

const (
	period = 20 * time.Second
	// quarantine is how long a node may be missing before its pods are given up.
	quarantine = 40 * time.Second
	// ended is how many pods that have ended are kept.
	ended = 12500
)

// A Controller collects pods.
type Controller struct {
	deps  controller.Deps
	pods  informer.Lister[*corev1.Pod]
	nodes informer.Lister[*corev1.Node]

	podAPI  client.Resource[*corev1.Pod]
	nodeAPI client.Resource[*corev1.Node]

	missing map[string]time.Time // nodes that pods name and that are not there, and since when
}

// New returns the collector. It must be called before the informers start.
func New(deps controller.Deps) *Controller {
	api := deps.Client.ServiceAccount(account)
	podInformer := informer.Shared[*corev1.Pod](deps.Informers, "pods")
	nodeInformer := informer.Shared[*corev1.Node](deps.Informers, "nodes")
	c := &Controller{
		deps: deps, pods: podInformer.Lister(), nodes: nodeInformer.Lister(),
		podAPI: api.Pods(), nodeAPI: api.Nodes(), missing: make(map[string]time.Time),
	}
	start := func() {
		if podInformer.HasSynced() && nodeInformer.HasSynced() {
			c.pass()
		}
	}
	podInformer.OnSync(start)
	nodeInformer.OnSync(start)
	return c
}

// pass looks at all pods, and comes back after the period.
func (c *Controller) pass() {
	list := c.pods.Select(c.suspect)
	for _, pod := range surplus(list, ended) {
		c.collect(pod, "too many pods have ended", nil)
	}
	lost := c.lostNodes(list)
	for _, pod := range list {
		switch {
		case pod.DeletionTimestamp != nil && pod.Spec.NodeName == "":
			c.collect(pod, "deleted before it was scheduled", nil)
		case pod.DeletionTimestamp != nil && c.outOfService(pod.Spec.NodeName):
			c.collect(pod, "deleted on a node out of service", nil)
		case lost[pod.Spec.NodeName]:
			c.collect(pod, "its node no longer exists", &corev1.PodCondition{
				Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "DeletionByPodGC",
				Message: "PodGC: node no longer exists", ObservedGeneration: pod.Generation, LastTransitionTime: c.now(),
			})
		}
	}
	c.deps.Loop.After(period, loop.Label{Component: Name, Action: "look for pods to collect"}, c.pass)
}

// suspect reports whether a pass has to look at the pod more closely: most pods run on nodes that are there.
func (c *Controller) suspect(p *corev1.Pod) bool {
	if p.DeletionTimestamp != nil || pods.Terminal(p) {
		return true
	}
	_, ok := c.nodes.Get("", p.Spec.NodeName)
	return !ok && p.Spec.NodeName != ""
}

func (c *Controller) now() metav1.Time {
	return metav1.Time{Time: c.deps.Loop.Now().Truncate(time.Second)}
}

// surplus returns the pods beyond the threshold of those that ended: evicted ones first, then the oldest.
func surplus(all []*corev1.Pod, threshold int) []*corev1.Pod {
	var list []*corev1.Pod
	for _, p := range all {
		if pods.Terminal(p) {
			list = append(list, p)
		}
	}
	if len(list) <= threshold {
		return nil
	}
	slices.SortFunc(list, func(a, b *corev1.Pod) int {
		if ea, eb := evicted(a), evicted(b); ea != eb {
			if ea {
				return -1
			}
			return 1
		}
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name))
	})
	return list[:len(list)-threshold]
}

func evicted(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodFailed && p.Status.Reason == "Evicted"
}

// lostNodes returns the nodes that have been missing for longer than the quarantine and are not in the API
// either.
func (c *Controller) lostNodes(all []*corev1.Pod) map[string]bool {
	lost, still := make(map[string]bool), make(map[string]time.Time)
	for _, p := range all {
		name := p.Spec.NodeName
		if name == "" || !still[name].IsZero() {
			continue
		}
		if _, ok := c.nodes.Get("", name); ok {
			continue
		}
		since, known := c.missing[name]
		if !known {
			since = c.deps.Loop.Now()
		}
		still[name] = since
		if c.deps.Loop.Now().Sub(since) >= quarantine {
			_, err := c.nodeAPI.Get("", name)
			lost[name] = apierrors.IsNotFound(err)
		}
	}
	c.missing = still
	return lost
}

// outOfService reports whether someone has said of a node that is not ready that it will not come back.
func (c *Controller) outOfService(name string) bool {
	node, ok := c.nodes.Get("", name)
	if !ok || !slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeOutOfService }) {
		return false
	}
	return !slices.ContainsFunc(node.Status.Conditions, func(x corev1.NodeCondition) bool {
		return x.Type == corev1.NodeReady && x.Status == corev1.ConditionTrue
	})
}

// collect marks the pod as failed, which no kubelet does any more, and deletes it at once. What fails is
// tried again in the next pass.
func (c *Controller) collect(pod *corev1.Pod, why string, condition *corev1.PodCondition) {
	key := kinds.Key{Resource: "pods", Namespace: pod.Namespace, Name: pod.Name}
	span := c.deps.Trace.Begin(Name, trace.Reconcile, key, []trace.Trigger{{Note: why}})
	err := c.fail(pod, condition)
	if err == nil {
		err = c.podAPI.Delete(pod.Namespace, pod.Name, *metav1.NewDeleteOptions(0))
	}
	if apierrors.IsNotFound(err) {
		err = nil
	}
	c.deps.Trace.End(span, err)
}

func (c *Controller) fail(pod *corev1.Pod, condition *corev1.PodCondition) error {
	if pods.Terminal(pod) {
		return nil
	}
	next := *pod
	next.Status.Phase = corev1.PodFailed
	next.Status.ObservedGeneration = pod.Generation
	if condition != nil {
		next.Status.Conditions = slices.DeleteFunc(slices.Clone(pod.Status.Conditions), func(x corev1.PodCondition) bool {
			return x.Type == condition.Type
		})
		next.Status.Conditions = append(next.Status.Conditions, *condition)
	}
	_, err := c.podAPI.UpdateStatus(&next)
	return err
}
