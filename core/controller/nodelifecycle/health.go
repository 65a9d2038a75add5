package nodelifecycle

import (
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// health is what the controller remembers of a node between two looks. Its times are the controller's own,
// whatever the node's clock says.
type health struct {
	probed time.Time             // the last sign of life
	ready  *corev1.NodeCondition // as last seen; nil: the node never posted a status
	lease  *coordinationv1.Lease // as last seen to be renewed
}

func readyCondition(node *corev1.Node) *corev1.NodeCondition {
	return nodeCondition(node.Status.Conditions, corev1.NodeReady)
}

func nodeCondition(list []corev1.NodeCondition, t corev1.NodeConditionType) *corev1.NodeCondition {
	for i := range list {
		if list[i].Type == t {
			return &list[i]
		}
	}
	return nil
}

// observe takes in the node and its lease, and returns whether it has been silent for too long. was is nil
// for a node not seen before. Models the first half of tryUpdateNodeHealth.
func observe(was *health, node *corev1.Node, lease *coordinationv1.Lease, now time.Time) (h health, silent bool) {
	ready, grace := readyCondition(node), graceKnown
	if ready == nil {
		grace = graceNew
	}
	switch {
	case was == nil && ready == nil:
		h.probed = node.CreationTimestamp.Time
	case was == nil:
		h.probed = now
	default:
		h = *was
		if (was.ready == nil) != (ready == nil) || ready != nil && was.ready.LastHeartbeatTime != ready.LastHeartbeatTime {
			h.probed = now
		}
	}
	h.ready = ready
	if lease != nil && renewed(h.lease, lease) {
		h.lease, h.probed = lease, now
	}
	return h, now.After(h.probed.Add(grace))
}

// renewed reports whether the lease has been renewed since was.
func renewed(was, lease *coordinationv1.Lease) bool {
	return was == nil || was.Spec.RenewTime.Before(lease.Spec.RenewTime)
}

// silentConditions returns the conditions of a node that gives no sign of life.
// Models the second half of tryUpdateNodeHealth.
func silentConditions(node *corev1.Node, now metav1.Time) []corev1.NodeCondition {
	list := slices.Clone(node.Status.Conditions)
	for _, t := range [...]corev1.NodeConditionType{
		corev1.NodeReady, corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure,
	} {
		c := nodeCondition(list, t)
		switch {
		case c == nil:
			list = append(list, corev1.NodeCondition{
				Type: t, Status: corev1.ConditionUnknown, Reason: "NodeStatusNeverUpdated", Message: "Kubelet never posted node status.",
				LastHeartbeatTime: node.CreationTimestamp, LastTransitionTime: now,
			})
		case c.Status != corev1.ConditionUnknown:
			c.Status, c.Reason, c.Message = corev1.ConditionUnknown, "NodeStatusUnknown", "Kubelet stopped posting node status."
			c.LastTransitionTime = now
		}
	}
	return list
}

// unready returns the pod with its Ready condition false; ok is false when it is so already, or has none.
// Models pkg/controller/util/node MarkPodsNotReady.
func unready(pod *corev1.Pod, now metav1.Time) (next *corev1.Pod, ok bool) {
	i := slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodReady })
	if i < 0 || pod.Status.Conditions[i].Status == corev1.ConditionFalse {
		return pod, false
	}
	copied := *pod
	copied.Status.Conditions = slices.Clone(pod.Status.Conditions)
	c := &copied.Status.Conditions[i]
	c.Status, c.LastTransitionTime = corev1.ConditionFalse, now
	return &copied, true
}
