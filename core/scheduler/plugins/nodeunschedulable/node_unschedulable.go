// Package nodeunschedulable keeps pods off cordoned nodes.
package nodeunschedulable

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/plugins/tainttoleration"
)

const (
	// Name is the plugin's name in profiles.
	Name = "NodeUnschedulable"
	// ErrReason says why a node is refused.
	ErrReason = "node(s) were unschedulable"
)

// NodeUnschedulable is the plugin.
type NodeUnschedulable struct{ refused framework.Status }

var (
	_ framework.FilterPlugin      = (*NodeUnschedulable)(nil)
	_ framework.EnqueueExtensions = (*NodeUnschedulable)(nil)
)

// New returns the plugin.
func New() *NodeUnschedulable {
	return &NodeUnschedulable{framework.NewStatus(framework.UnschedulableAndUnresolvable, Name, ErrReason)}
}

// Name returns the plugin's name.
func (*NodeUnschedulable) Name() string { return Name }

// Filter refuses a cordoned node to a pod that does not tolerate it.
func (p *NodeUnschedulable) Filter(_ *framework.CycleState, pod *framework.PodInfo, node *framework.NodeInfo) framework.Status {
	if Fits(pod.Pod, node.Unschedulable) {
		return framework.Status{}
	}
	return p.refused
}

// Fits reports whether a node takes new pods, or this one in any case.
func Fits(pod *corev1.Pod, unschedulable bool) bool {
	return !unschedulable || toleratesUnschedulable(pod)
}

func toleratesUnschedulable(pod *corev1.Pod) bool {
	taint := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	return tainttoleration.Tolerates(pod.Spec.Tolerations, &taint)
}

// EventsToRegister asks again when a node can take pods, or the pod tolerates more.
func (*NodeUnschedulable) EventsToRegister() []framework.EventWithHint {
	return []framework.EventWithHint{
		{
			Event: framework.ClusterEvent{Resource: framework.Node, Action: framework.Add | framework.UpdateNodeTaint},
			Hint:  framework.On(afterNodeChange),
		},
		{
			Event: framework.ClusterEvent{Resource: framework.TargetPod, Action: framework.UpdatePodToleration},
			Hint:  framework.On(afterTolerationChange),
		},
	}
}

func afterNodeChange(_ *corev1.Pod, old, new *corev1.Node) framework.Hint {
	return framework.Hint(!new.Spec.Unschedulable && (old == nil || old.Spec.Unschedulable))
}

func afterTolerationChange(_, _, new *corev1.Pod) framework.Hint {
	return framework.Hint(toleratesUnschedulable(new))
}
