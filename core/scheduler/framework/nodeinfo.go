package framework

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// NodeInfo is a node with the sum of the pods on it.
type NodeInfo struct {
	Name string
	node *corev1.Node // nil while pods name a node that is not (or no longer) there

	Pods        []*PodInfo // in no particular order
	Requested   Resource
	NonZero     Resource // CPU and memory with defaults for containers without requests
	Allocatable Resource
	UsedPorts   HostPorts

	// Of the node's spec, here because filters read them for every node.
	Taints        []corev1.Taint
	Unschedulable bool

	// Slot is a small number that no other present node has; bit sets of nodes use it.
	Slot int
	// Index is the node's place in the list of nodes, as long as that list lasts.
	Index int
}

// NewNodeInfo returns a NodeInfo of the node (which may be nil) with the pods.
func NewNodeInfo(node *corev1.Node, pods ...*corev1.Pod) *NodeInfo {
	n := &NodeInfo{}
	if node != nil {
		n.SetNode(node)
	}
	for _, p := range pods {
		n.AddPod(NewPodInfo(p))
	}
	return n
}

// Node returns the node, or nil.
func (n *NodeInfo) Node() *corev1.Node { return n.node }

// SetNode sets or replaces the node, keeping the pods.
func (n *NodeInfo) SetNode(node *corev1.Node) {
	n.Name, n.node = node.Name, node
	n.Taints, n.Unschedulable = node.Spec.Taints, node.Spec.Unschedulable
	n.Allocatable = NewResource(node.Status.Allocatable)
}

// RemoveNode forgets the node but not its pods.
func (n *NodeInfo) RemoveNode() {
	n.node, n.Allocatable, n.Taints, n.Unschedulable = nil, Resource{}, nil, false
}

// AddPod counts a pod in.
func (n *NodeInfo) AddPod(p *PodInfo) {
	n.Pods = append(n.Pods, p)
	n.count(p, 1)
	n.UsedPorts.add(p.HostPorts)
}

// RemovePod takes a pod off. It reports whether the pod was there.
func (n *NodeInfo) RemovePod(p *PodInfo) bool {
	i := slices.Index(n.Pods, p)
	if i < 0 {
		return false
	}
	last := len(n.Pods) - 1
	n.Pods[i], n.Pods[last] = n.Pods[last], nil
	n.Pods = n.Pods[:last]
	n.count(p, -1)
	n.UsedPorts.remove(p.HostPorts)
	return true
}

func (n *NodeInfo) count(p *PodInfo, sign int64) {
	n.Requested.add(&p.Requests, sign)
	n.NonZero.MilliCPU += sign * p.NonZeroCPU
	n.NonZero.Memory += sign * p.NonZeroMemory
}

// Clone returns a copy to try things on.
func (n *NodeInfo) Clone() *NodeInfo {
	c := *n
	c.Pods = slices.Clone(n.Pods)
	c.UsedPorts = slices.Clone(n.UsedPorts)
	return &c
}

// An ImageState is an image that some node has.
type ImageState struct {
	Size  int64
	Nodes int      // how many nodes have it
	slots []uint64 // which, one bit for each NodeInfo.Slot
}

// On reports whether the node has the image.
func (s *ImageState) On(n *NodeInfo) bool {
	w := n.Slot / 64
	return w < len(s.slots) && s.slots[w]&(1<<(n.Slot%64)) != 0
}

// Add notes that the node has the image.
func (s *ImageState) Add(n *NodeInfo) {
	if s.On(n) {
		return
	}
	for len(s.slots) <= n.Slot/64 {
		s.slots = append(s.slots, 0)
	}
	s.slots[n.Slot/64] |= 1 << (n.Slot % 64)
	s.Nodes++
}

// Remove notes that the node no longer has the image.
func (s *ImageState) Remove(n *NodeInfo) {
	if s.On(n) {
		s.slots[n.Slot/64] &^= 1 << (n.Slot % 64)
		s.Nodes--
	}
}
