package framework

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/labels"
)

// PodChanges says what an update of a pod changed that scheduling cares about: one event each, or a plain
// Update when there is nothing special. target says that the updated pod is the waiting one itself.
// Models pkg/scheduler/framework PodSchedulingPropertiesChange.
func PodChanges(old, new *corev1.Pod, target bool) []ClusterEvent {
	resource := UnscheduledPod
	switch {
	case new.Spec.NodeName != "":
		resource = AssignedPod
	case target:
		resource = TargetPod
	}
	var events []ClusterEvent
	note := func(changed bool, a ActionType) {
		if changed {
			events = append(events, ClusterEvent{Resource: resource, Action: a})
		}
	}
	note(!labels.Equals(old.Labels, new.Labels), UpdatePodLabel)
	if !sameRequests(old, new) {
		o, n := podRequests(old), podRequests(new)
		note(someLess(&o, &n), UpdatePodScaleDown)
		note(someLess(&n, &o), UpdatePodScaleUp)
	}
	note(len(old.Spec.SchedulingGates) != 0 && len(new.Spec.SchedulingGates) == 0, UpdatePodSchedulingGatesEliminated)
	note(len(old.Spec.Tolerations) != len(new.Spec.Tolerations), UpdatePodToleration)
	if len(events) == 0 {
		note(true, Update)
	}
	return events
}

// someLess reports whether b asks for less of something than a.
func someLess(a, b *Resource) bool {
	if b.MilliCPU < a.MilliCPU || b.Memory < a.Memory || b.EphemeralStorage < a.EphemeralStorage {
		return true
	}
	for _, s := range a.Scalars {
		if have, ok := b.Scalar(s.Name); !ok || have < s.Value {
			return true
		}
	}
	return false
}

// NodeChanges says what an update of a node changed that scheduling cares about.
// Models pkg/scheduler/framework NodeSchedulingPropertiesChange.
func NodeChanges(old, new *corev1.Node) []ClusterEvent {
	var events []ClusterEvent
	note := func(changed bool, a ActionType) {
		if changed {
			events = append(events, ClusterEvent{Resource: Node, Action: a})
		}
	}
	note(old.Spec.Unschedulable && !new.Spec.Unschedulable, UpdateNodeTaint)
	note(!equality.Semantic.DeepEqual(old.Status.Allocatable, new.Status.Allocatable), UpdateNodeAllocatable)
	note(!labels.Equals(old.Labels, new.Labels), UpdateNodeLabel)
	note(!equality.Semantic.DeepEqual(old.Spec.Taints, new.Spec.Taints), UpdateNodeTaint)
	note(!sameConditions(old.Status.Conditions, new.Status.Conditions), UpdateNodeCondition)
	note(!labels.Equals(old.Annotations, new.Annotations), UpdateNodeAnnotation)
	note(!equality.Semantic.DeepEqual(old.Spec.PodPreemptionPolicy, new.Spec.PodPreemptionPolicy), UpdateNodePreemptionPolicy)
	note(!slices.Equal(old.Status.DeclaredFeatures, new.Status.DeclaredFeatures), UpdateNodeDeclaredFeature)
	return events
}

// sameConditions compares types and statuses only.
func sameConditions(a, b []corev1.NodeCondition) bool {
	status := func(list []corev1.NodeCondition, t corev1.NodeConditionType) (s corev1.ConditionStatus, ok bool) {
		for i := range list {
			if list[i].Type == t {
				s, ok = list[i].Status, true // the last of a type counts
			}
		}
		return s, ok
	}
	within := func(a, b []corev1.NodeCondition) bool {
		for i := range a {
			sa, _ := status(a, a[i].Type)
			if sb, ok := status(b, a[i].Type); !ok || sa != sb {
				return false
			}
		}
		return true
	}
	return within(a, b) && within(b, a)
}
