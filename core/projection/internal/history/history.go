// Package history makes traces for tests of the projections: what a cluster would have recorded.
package history

import (
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/trace"
)

// A History is a trace in the making, with the objects that it wrote.
type History struct {
	Trace   *trace.Recorder
	Objects map[kinds.Key]kinds.Object

	now time.Time
	rev kinds.Revision
}

// New returns an empty history that begins at midnight and keeps that many spans.
func New(keep int) *History {
	h := &History{Objects: make(map[kinds.Key]kinds.Object), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.Trace = trace.NewRecorder(h, trace.Config{Keep: keep})
	return h
}

// Now is the virtual time.
func (h *History) Now() time.Time { return h.now }

// Get returns the newest state of an object.
func (h *History) Get(key kinds.Key) (kinds.Object, bool) {
	o, ok := h.Objects[key]
	return o, ok
}

// Pass lets time pass.
func (h *History) Pass(d time.Duration) { h.now = h.now.Add(d) }

// Span records one span that fn fills; every write in it takes 2 ms.
func (h *History) Span(component string, kind trace.Kind, key kinds.Key, triggers []trace.Trigger, fn func(s *trace.Span)) *trace.Span {
	s := h.Trace.Begin(component, kind, key, triggers)
	fn(s)
	h.Trace.End(s, nil)
	h.Pass(time.Millisecond)
	return s
}

// Write records a write of the open span and returns the trigger that it is to others. after nil deletes.
func (h *History) Write(verb string, key kinds.Key, after kinds.Object) trace.Trigger {
	before := h.Objects[key]
	h.rev++
	kind := "MODIFIED"
	switch {
	case after == nil:
		kind = "DELETED"
		delete(h.Objects, key)
	default:
		if before == nil {
			kind = "ADDED"
		}
		after.SetName(key.Name)
		after.SetNamespace(key.Namespace)
		after.SetResourceVersion(strconv.Itoa(int(h.rev)))
		h.Objects[key] = after
	}
	h.Trace.Write(trace.Write{Verb: verb, Key: key, Revision: h.rev, Before: before, After: after})
	h.Trace.Spend(2 * time.Millisecond)
	return trace.Trigger{Key: key, Revision: h.rev, Type: kind, Span: h.Trace.Current().ID}
}

// Keys of the rollout.
func Deployment(name string) kinds.Key {
	return kinds.Key{Resource: "deployments.apps", Namespace: "default", Name: name}
}
func ReplicaSet(name string) kinds.Key {
	return kinds.Key{Resource: "replicasets.apps", Namespace: "default", Name: name}
}
func Pod(name string) kinds.Key { return kinds.Key{Resource: "pods", Namespace: "default", Name: name} }

// Rollout records how a Deployment becomes running pods.
func (h *History) Rollout(name string, replicas int) {
	var applied, made trace.Trigger
	h.Span("admin", trace.Request, Deployment(name), nil, func(*trace.Span) {
		applied = h.Write("create", Deployment(name), &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Replicas: ptr.To(int32(replicas))}})
	})
	rs := name + "-5d9c"
	h.Span("deployment-controller", trace.Reconcile, Deployment(name), []trace.Trigger{applied}, func(*trace.Span) {
		made = h.Write("create", ReplicaSet(rs), &appsv1.ReplicaSet{
			ObjectMeta: owned("Deployment", name), Spec: appsv1.ReplicaSetSpec{Replicas: ptr.To(int32(replicas))},
		})
	})
	var pods []trace.Trigger
	h.Span("replicaset-controller", trace.Reconcile, ReplicaSet(rs), []trace.Trigger{made}, func(*trace.Span) {
		for i := range replicas {
			pods = append(pods, h.Write("create", Pod(rs+"-"+strconv.Itoa(i)), &corev1.Pod{
				ObjectMeta: owned("ReplicaSet", rs), Status: corev1.PodStatus{Phase: corev1.PodPending},
			}))
		}
	})
	for i, created := range pods {
		var bound trace.Trigger
		node := "node-" + strconv.Itoa(1+i%3)
		pod := h.Objects[created.Key].(*corev1.Pod)
		h.Span("default-scheduler", trace.Schedule, created.Key, []trace.Trigger{created}, func(*trace.Span) {
			next := *pod
			next.Spec.NodeName = node
			bound = h.Write("bind", created.Key, &next)
			pod = &next
		})
		h.Span("kubelet", trace.Sync, created.Key, []trace.Trigger{bound}, func(s *trace.Span) { s.Node = node })
		h.Pass(time.Second)
		h.Span("kubelet", trace.Sync, created.Key, []trace.Trigger{{Note: "image pulled"}}, func(s *trace.Span) {
			s.Node = node
			next := *pod
			next.Status.Phase = corev1.PodRunning
			h.Write("patch", created.Key, &next)
		})
		h.Heartbeat(node)
	}
}

// Heartbeat records a renewal of a node's lease.
func (h *History) Heartbeat(node string) {
	lease := kinds.Key{Resource: "leases.coordination.k8s.io", Namespace: "kube-node-lease", Name: node}
	h.Span("kubelet", trace.Sync, kinds.Key{Resource: "nodes", Name: node}, []trace.Trigger{{Note: "lease"}}, func(s *trace.Span) {
		s.Node = node
		h.Write("update", lease, &coordinationv1.Lease{})
	})
}

func owned(kind, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{
		APIVersion: "apps/v1", Kind: kind, Name: name, Controller: ptr.To(true),
	}}}
}
