package queue

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/scheduler/framework"
)

// A Nominator knows which waiting pods are nominated to which node: preemption made, or is making, room
// for them there, so others must leave that room alone.
type Nominator struct {
	byNode map[string][]*framework.PodInfo
	nodeOf map[types.UID]string
}

func newNominator() *Nominator {
	return &Nominator{byNode: make(map[string][]*framework.PodInfo), nodeOf: make(map[types.UID]string)}
}

// AnyNominated reports whether any pod is nominated to any node.
func (n *Nominator) AnyNominated() bool { return len(n.nodeOf) > 0 }

// Nominated returns the pods nominated to the node. Callers must not change the slice.
func (n *Nominator) Nominated(node string) []*framework.PodInfo {
	if len(n.nodeOf) == 0 {
		return nil
	}
	return n.byNode[node]
}

// Nominate notes what a nomination says of a pod; one that overrides nothing leaves what the pod's status
// says. A pod that is bound already is not nominated.
func (n *Nominator) Nominate(pod *framework.PodInfo, by framework.Nomination) {
	n.Unnominate(pod.UID)
	node := pod.Pod.Status.NominatedNodeName
	if by.Override {
		node = by.Node
	}
	if node == "" || pod.Pod.Spec.NodeName != "" {
		return
	}
	n.nodeOf[pod.UID] = node
	n.byNode[node] = append(n.byNode[node], pod)
}

// Unnominate forgets a pod.
func (n *Nominator) Unnominate(uid types.UID) {
	node, ok := n.nodeOf[uid]
	if !ok {
		return
	}
	delete(n.nodeOf, uid)
	left := slices.DeleteFunc(n.byNode[node], func(p *framework.PodInfo) bool { return p.UID == uid })
	if len(left) == 0 {
		delete(n.byNode, node)
		return
	}
	n.byNode[node] = left
}

// renominate takes in a newer state of a pod. One that says nothing of a nomination before or after keeps
// the one noted here: the write that says it may be on its way.
func (n *Nominator) renominate(old *corev1.Pod, pod *framework.PodInfo) {
	var keep framework.Nomination
	if old.Status.NominatedNodeName == "" && pod.Pod.Status.NominatedNodeName == "" {
		if node, ok := n.nodeOf[pod.UID]; ok {
			keep = framework.Nomination{Override: true, Node: node}
		}
	}
	n.Nominate(pod, keep)
}
