// Package nodeports keeps a pod off nodes where a host port that it wants is taken.
package nodeports

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
)

const (
	// Name is the plugin's name in profiles.
	Name = "NodePorts"
	// ErrReason says why a node is refused.
	ErrReason = "node(s) didn't have free ports for the requested pod ports"
)

// NodePorts is the plugin.
type NodePorts struct{ refused framework.Status }

var (
	_ framework.PreFilterPlugin   = (*NodePorts)(nil)
	_ framework.FilterPlugin      = (*NodePorts)(nil)
	_ framework.EnqueueExtensions = (*NodePorts)(nil)
)

// New returns the plugin.
func New() *NodePorts {
	return &NodePorts{framework.NewStatus(framework.Unschedulable, Name, ErrReason)}
}

// Name returns the plugin's name.
func (*NodePorts) Name() string { return Name }

// PreFilter skips a pod without host ports.
func (*NodePorts) PreFilter(_ *framework.CycleState, pod *framework.PodInfo, _ []*framework.NodeInfo) ([]string, framework.Status) {
	if len(pod.HostPorts) == 0 {
		return nil, framework.SkipStatus()
	}
	return nil, framework.Status{}
}

// Filter refuses a node where a wanted port is taken.
func (p *NodePorts) Filter(_ *framework.CycleState, pod *framework.PodInfo, node *framework.NodeInfo) framework.Status {
	if node.UsedPorts.Conflict(pod.HostPorts) {
		return p.refused
	}
	return framework.Status{}
}

// EventsToRegister asks again when a pod that held such a port goes, or a node comes.
func (*NodePorts) EventsToRegister() []framework.EventWithHint {
	return []framework.EventWithHint{
		{
			Event: framework.ClusterEvent{Resource: framework.AssignedPod, Action: framework.Delete},
			Hint:  framework.On(afterPodDeletion),
		},
		{Event: framework.ClusterEvent{Resource: framework.Node, Action: framework.Add}},
	}
}

func afterPodDeletion(pod, deleted, _ *corev1.Pod) framework.Hint {
	if deleted.Spec.NodeName == "" && deleted.Status.NominatedNodeName == "" {
		return framework.QueueSkip
	}
	held := framework.HostPorts(framework.PodHostPorts(deleted))
	return framework.Hint(held.Conflict(framework.PodHostPorts(pod)))
}
