// Package nodename keeps a pod that names its node off all others.
package nodename

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
)

const (
	// Name is the plugin's name in profiles.
	Name = "NodeName"
	// ErrReason says why a node is refused.
	ErrReason = "node(s) didn't match the requested node name"
)

// NodeName is the plugin.
type NodeName struct{ refused framework.Status }

var (
	_ framework.PreFilterPlugin   = (*NodeName)(nil)
	_ framework.FilterPlugin      = (*NodeName)(nil)
	_ framework.EnqueueExtensions = (*NodeName)(nil)
)

// New returns the plugin.
func New() *NodeName {
	return &NodeName{framework.NewStatus(framework.UnschedulableAndUnresolvable, Name, ErrReason)}
}

// Name returns the plugin's name.
func (*NodeName) Name() string { return Name }

// PreFilter narrows the nodes down to the named one, if there is one.
// Differs: without one upstream still looks at every node.
func (*NodeName) PreFilter(_ *framework.CycleState, pod *framework.PodInfo, _ []*framework.NodeInfo) ([]string, framework.Status) {
	if name := pod.Pod.Spec.NodeName; name != "" {
		return []string{name}, framework.Status{}
	}
	return nil, framework.SkipStatus()
}

// Filter refuses every node but the named one.
func (p *NodeName) Filter(_ *framework.CycleState, pod *framework.PodInfo, node *framework.NodeInfo) framework.Status {
	if Fits(pod.Pod, node.Name) {
		return framework.Status{}
	}
	return p.refused
}

// Fits reports whether the pod may be on the node of that name.
func Fits(pod *corev1.Pod, node string) bool {
	return pod.Spec.NodeName == "" || pod.Spec.NodeName == node
}

// EventsToRegister asks again when a node comes.
func (*NodeName) EventsToRegister() []framework.EventWithHint {
	return []framework.EventWithHint{{Event: framework.ClusterEvent{Resource: framework.Node, Action: framework.Add}}}
}
