package inspect

import (
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/projection/board"
	"terrarium/core/projection/wire"
)

const (
	maxDown = 300 // branches shown
	maxUp   = 8   // a chain that goes round must end
)

// family finds the object's owners and what it owns, and notes in s what a later commit must touch to be
// news.
func (in *Inspector) family(s *Subscription, w *wire.Inspect, obj kinds.Object) {
	s.family = map[types.UID]bool{obj.GetUID(): true}
	s.about = map[string]bool{id(obj): true}
	at := obj
	for range maxUp {
		owner, kind := in.ownerOf(at)
		if owner == nil {
			break
		}
		w.Up = append(w.Up, refTo(kind, owner))
		s.family[owner.GetUID()] = true
		at = owner
	}
	w.Down = in.below(s, obj)
}

func id(obj kinds.Object) string {
	if obj.GetNamespace() == "" {
		return obj.GetName()
	}
	return obj.GetNamespace() + "/" + obj.GetName()
}

// ownerOf returns the object that controls obj, else the first that owns it, else nil.
func (in *Inspector) ownerOf(obj kinds.Object) (kinds.Object, *kinds.Kind) {
	refs := obj.GetOwnerReferences()
	at := max(0, slices.IndexFunc(refs, func(r metav1.OwnerReference) bool { return ptr.Deref(r.Controller, false) }))
	if at >= len(refs) {
		return nil, nil
	}
	kind := in.Kinds.ByGVK(schema.FromAPIVersionAndKind(refs[at].APIVersion, refs[at].Kind))
	if kind == nil {
		return nil, nil
	}
	owner, ok := in.Objects.Get(kind.Key(obj.GetNamespace(), refs[at].Name))
	if !ok || owner.GetUID() != refs[at].UID {
		return nil, nil
	}
	return owner, kind
}

func refTo(kind *kinds.Kind, obj kinds.Object) wire.Ref {
	return wire.Ref{Resource: kind.StorageResource(), Kind: kind.GVK.Kind, Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

// owned are the kinds that controllers make for an owner, parents before children.
func owned() []string {
	return []string{"deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "controllerrevisions.apps",
		"jobs.batch", "pods", "replicationcontrollers", "persistentvolumeclaims", "endpointslices.discovery.k8s.io", "leases.coordination.k8s.io"}
}

// below returns what the object owns, depth first; for a node also the pods on it.
func (in *Inspector) below(s *Subscription, obj kinds.Object) []wire.Branch {
	if obj.GetNamespace() == "" {
		return in.onNode(s, obj)
	}
	children := make(map[types.UID][]wire.Branch)
	uids := make(map[wire.Ref]types.UID)
	for _, resource := range owned() {
		k := in.Kinds.ByStorageResource(resource)
		if k == nil {
			continue
		}
		list, _ := in.Objects.List(resource, obj.GetNamespace())
		for _, o := range list {
			for _, r := range o.GetOwnerReferences() {
				b := wire.Branch{Ref: refTo(k, o), Status: status(o)}
				children[r.UID] = append(children[r.UID], b)
				uids[b.Ref] = o.GetUID()
			}
		}
	}
	var out []wire.Branch
	var walk func(of types.UID, depth uint32)
	walk = func(of types.UID, depth uint32) {
		for _, b := range children[of] {
			if len(out) == maxDown || depth > maxUp {
				return
			}
			b.Depth = depth
			out = append(out, b)
			s.family[uids[b.Ref]] = true
			s.about[b.Namespace+"/"+b.Name] = true
			walk(uids[b.Ref], depth+1)
		}
	}
	walk(obj.GetUID(), 1)
	return out
}

// onNode returns the pods on a node.
func (in *Inspector) onNode(s *Subscription, obj kinds.Object) []wire.Branch {
	if _, ok := obj.(*corev1.Node); !ok {
		return nil
	}
	list, _ := in.Objects.List("pods", "")
	var out []wire.Branch
	for _, o := range list {
		p, ok := o.(*corev1.Pod)
		if !ok || p.Spec.NodeName != obj.GetName() {
			continue
		}
		s.family[p.UID] = true
		if len(out) < maxDown {
			out = append(out, wire.Branch{Ref: wire.Ref{Resource: "pods", Kind: "Pod", Namespace: p.Namespace, Name: p.Name}, Depth: 1, Status: status(p)})
		}
	}
	return out
}

// status says in two words how an object is doing.
func status(obj kinds.Object) string {
	switch o := obj.(type) {
	case *corev1.Pod:
		phase, _ := board.Phase(o)
		return phase
	case *appsv1.ReplicaSet:
		return ready(o.Status.ReadyReplicas, o.Spec.Replicas)
	case *appsv1.Deployment:
		return ready(o.Status.ReadyReplicas, o.Spec.Replicas)
	case *appsv1.StatefulSet:
		return ready(o.Status.ReadyReplicas, o.Spec.Replicas)
	}
	return ""
}

func ready(n int32, wanted *int32) string {
	return strconv.Itoa(int(n)) + "/" + strconv.Itoa(int(ptr.Deref(wanted, 1))) + " ready"
}
