package board

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
	corekinds "terrarium/core/kinds/core"
	"terrarium/core/projection/wire"
)

// A pod is a pod's tile.
type pod struct {
	id    uint32
	uid   types.UID
	wire  wire.Pod
	owner *owner // nil: nobody controls it
	node  *node  // nil: none yet
	asks  wire.Resources
	holds bool // asks is part of the node's Requested
}

func (b *Board) syncPod(name types.NamespacedName, obj kinds.Object) {
	p := b.pods[name]
	api, _ := obj.(*corev1.Pod)
	if p != nil && (api == nil || api.UID != p.uid) {
		b.dropPod(name, p)
		p = nil
	}
	if api == nil {
		return
	}
	if p == nil {
		b.addPod(name, api)
		return
	}
	if o := b.ownerOf(api); o != p.owner {
		b.setOwner(p, o)
		b.changed(podChange, p.id)
	}
	if m := b.move(p, api); m != p.wire.Move {
		p.wire.Move = m
		b.changed(podMove, p.id)
	}
	b.hold(p, api)
}

func (b *Board) addPod(name types.NamespacedName, api *corev1.Pod) {
	p := &pod{uid: api.UID, asks: asks(api)}
	p.id = b.number(p)
	p.wire = wire.Pod{ID: p.id, UID: string(api.UID), Namespace: api.Namespace, Name: api.Name}
	b.pods[name] = p
	b.setOwner(p, b.ownerOf(api))
	p.wire.Move = b.move(p, api)
	b.hold(p, api)
	b.changed(podChange, p.id)
}

func (b *Board) dropPod(name types.NamespacedName, p *pod) {
	delete(b.pods, name)
	delete(b.things, p.id)
	b.release(p)
	if p.node != nil {
		p.node.pods--
		b.forgetNode(p.node)
	}
	b.setOwner(p, nil)
	b.changed(podGone, p.id)
}

// asks returns what a pod asks of its node.
func asks(api *corev1.Pod) wire.Resources {
	r := resources(corekinds.PodRequests(api))
	r.Pods = 1
	return r
}

// move returns the part of a pod that changes.
func (b *Board) move(p *pod, api *corev1.Pod) wire.Move {
	m := wire.Move{Pod: p.id, Ready: isReady(api), Message: refusal(api)}
	if api.Spec.NodeName != "" {
		if p.node == nil { // once and for all: a pod does not change its node
			p.node = b.node(api.Spec.NodeName)
			p.node.pods++
		}
		m.Node = p.node.id
	}
	phase, restarts := Phase(api)
	m.Phase, m.Restarts = phase, uint32(restarts)
	return m
}

// hold counts what the pod asks for to its node, from when it is placed until it has ended.
func (b *Board) hold(p *pod, api *corev1.Pod) {
	ended := api.Status.Phase == corev1.PodSucceeded || api.Status.Phase == corev1.PodFailed
	switch {
	case p.node != nil && !ended && !p.holds:
		p.holds = true
		b.use(p.node, p.asks, 1)
	case ended:
		b.release(p)
	}
}

func (b *Board) release(p *pod) {
	if p.holds {
		p.holds = false
		b.use(p.node, p.asks, -1)
	}
}

func (b *Board) use(n *node, asks wire.Resources, sign int64) {
	r := &n.wire.Requested
	r.MilliCPU += sign * asks.MilliCPU
	r.Memory += sign * asks.Memory
	r.Pods += sign * asks.Pods
	b.changed(useChange, n.id)
}

// controllerOf returns the reference to the object that controls obj, or nil.
func controllerOf(obj kinds.Object) *metav1.OwnerReference { return metav1.GetControllerOfNoCopy(obj) }
