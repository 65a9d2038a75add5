package framework

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
)

// An ActionType is a set of ways in which an object changed.
type ActionType uint32

const (
	Add ActionType = 1 << iota
	Delete

	UpdateNodeAllocatable
	UpdateNodeLabel
	UpdateNodeTaint // taints or spec.unschedulable
	UpdateNodeCondition
	UpdateNodeAnnotation
	UpdateNodeDeclaredFeature
	UpdateNodePreemptionPolicy

	UpdatePodLabel
	UpdatePodScaleDown // some request became smaller
	UpdatePodScaleUp
	UpdatePodToleration
	UpdatePodSchedulingGatesEliminated
	UpdatePodGeneratedResourceClaim

	All ActionType = 1<<iota - 1

	// Update is any of the updates above, and what is sent for an update that is none of them.
	Update = All &^ (Add | Delete)
)

// String returns the action's name, or "" for a set without one.
func (a ActionType) String() string {
	switch a {
	case Add:
		return "Add"
	case Delete:
		return "Delete"
	case UpdateNodeAllocatable:
		return "UpdateNodeAllocatable"
	case UpdateNodeLabel:
		return "UpdateNodeLabel"
	case UpdateNodeTaint:
		return "UpdateNodeTaint"
	case UpdateNodeCondition:
		return "UpdateNodeCondition"
	case UpdateNodeAnnotation:
		return "UpdateNodeAnnotation"
	case UpdateNodeDeclaredFeature:
		return "UpdateNodeDeclaredFeature"
	case UpdateNodePreemptionPolicy:
		return "UpdateNodePreemptionPolicy"
	case UpdatePodLabel:
		return "UpdatePodLabel"
	case UpdatePodScaleDown:
		return "UpdatePodScaleDown"
	case UpdatePodScaleUp:
		return "UpdatePodScaleUp"
	case UpdatePodToleration:
		return "UpdatePodToleration"
	case UpdatePodSchedulingGatesEliminated:
		return "UpdatePodSchedulingGatesEliminated"
	case UpdatePodGeneratedResourceClaim:
		return "UpdatePodGeneratedResourceClaim"
	case All:
		return "All"
	case Update:
		return "Update"
	}
	return ""
}

// An EventResource is the kind of object an event is about.
type EventResource string

const (
	Pod                   EventResource = "Pod"            // any of the next three
	AssignedPod           EventResource = "AssignedPod"    // a pod on a node
	UnscheduledPod        EventResource = "UnscheduledPod" // another pod without a node
	TargetPod             EventResource = "TargetPod"      // the waiting pod itself
	Node                  EventResource = "Node"
	PersistentVolume      EventResource = "PersistentVolume"
	PersistentVolumeClaim EventResource = "PersistentVolumeClaim"
	CSINode               EventResource = "storage.k8s.io/CSINode"
	CSIDriver             EventResource = "storage.k8s.io/CSIDriver"
	CSIStorageCapacity    EventResource = "storage.k8s.io/CSIStorageCapacity"
	StorageClass          EventResource = "storage.k8s.io/StorageClass"
	VolumeAttachment      EventResource = "storage.k8s.io/VolumeAttachment"
	WildCard              EventResource = "*"
)

// A ClusterEvent is a change in the cluster that may let a waiting pod be scheduled.
type ClusterEvent struct {
	Resource EventResource
	Action   ActionType
	label    string // instead of resource and action
}

// EventUnschedulableTimeout moves pods that waited too long.
func EventUnschedulableTimeout() ClusterEvent {
	return ClusterEvent{WildCard, All, "UnschedulableTimeout"}
}

// EventForceActivate moves one pod because a plugin says so.
func EventForceActivate() ClusterEvent { return ClusterEvent{WildCard, All, "ForceActivate"} }

// Label names the event for people: "NodeAdd", "AssignedPodDelete".
func (e ClusterEvent) Label() string {
	if e.label != "" {
		return e.label
	}
	return string(e.Resource) + e.Action.String()
}

// IsWildCard reports whether the event concerns every waiting pod.
func (e ClusterEvent) IsWildCard() bool { return e.Resource == WildCard && e.Action == All }

// Matches reports whether a registration for e covers the event in: the same resource and an action at
// least as general.
func (e ClusterEvent) Matches(in ClusterEvent) bool {
	if e.IsWildCard() {
		return true
	}
	return e.Resource.covers(in.Resource) && e.Action&in.Action != 0 && in.Action <= e.Action
}

func (r EventResource) covers(in EventResource) bool {
	switch r {
	case WildCard, in:
		return true
	case Pod:
		return in == AssignedPod || in == UnscheduledPod || in == TargetPod
	}
	return false
}

// A Hint says whether an event may let a pod be scheduled that the plugin refused.
type Hint bool

const (
	QueueSkip Hint = false
	Queue     Hint = true
)

// A HintFunc decides on one event for one pod. old is nil for an addition, new for a deletion.
type HintFunc func(pod *corev1.Pod, old, new kinds.Object) Hint

// On makes a HintFunc of one that takes objects of one type.
func On[T kinds.Object](f func(pod *corev1.Pod, old, new T) Hint) HintFunc {
	return func(pod *corev1.Pod, old, new kinds.Object) Hint {
		o, okOld := old.(T)
		n, okNew := new.(T)
		if (old != nil && !okOld) || (new != nil && !okNew) {
			return Queue // not what the plugin registered for: rather try once too often
		}
		return f(pod, o, n)
	}
}

// An EventWithHint is an event that a plugin registers for. Without a hint the event always queues the
// pod.
type EventWithHint struct {
	Event ClusterEvent
	Hint  HintFunc
}
