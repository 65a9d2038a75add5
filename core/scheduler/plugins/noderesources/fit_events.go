package noderesources

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
)

// EventsToRegister asks again when a pod goes or shrinks, or a node comes or grows.
func (f *Fit) EventsToRegister() []framework.EventWithHint {
	event := func(r framework.EventResource, a framework.ActionType, h framework.HintFunc) framework.EventWithHint {
		return framework.EventWithHint{Event: framework.ClusterEvent{Resource: r, Action: a}, Hint: h}
	}
	return []framework.EventWithHint{
		event(framework.AssignedPod, framework.Delete, framework.On(afterPodDeletion)),
		event(framework.Node, framework.Add|framework.UpdateNodeAllocatable, framework.On(f.afterNodeChange)),
		event(framework.AssignedPod, framework.UpdatePodScaleDown, framework.On(afterPodScaleDown)),
		event(framework.TargetPod, framework.UpdatePodScaleDown,
			func(*corev1.Pod, kinds.Object, kinds.Object) framework.Hint { return framework.Queue }),
	}
}

func afterPodDeletion(_, deleted, _ *corev1.Pod) framework.Hint {
	return framework.Hint(deleted.Spec.NodeName != "" || deleted.Status.NominatedNodeName != "")
}

// afterPodScaleDown reports whether the other pod now asks for less of something that pod wants.
func afterPodScaleDown(pod, old, new *corev1.Pod) framework.Hint {
	if new.Spec.NodeName == "" {
		return framework.QueueSkip
	}
	want, before, after := framework.NewPodInfo(pod), framework.NewPodInfo(old), framework.NewPodInfo(new)
	shrunk := func(w, b, a int64) bool { return w != 0 && b > a }
	if shrunk(want.Requests.MilliCPU, before.Requests.MilliCPU, after.Requests.MilliCPU) ||
		shrunk(want.Requests.Memory, before.Requests.Memory, after.Requests.Memory) ||
		shrunk(want.Requests.EphemeralStorage, before.Requests.EphemeralStorage, after.Requests.EphemeralStorage) {
		return framework.Queue
	}
	for _, s := range want.Requests.Scalars {
		b, _ := before.Requests.Scalar(s.Name)
		a, _ := after.Requests.Scalar(s.Name)
		if shrunk(s.Value, b, a) {
			return framework.Queue
		}
	}
	return framework.QueueSkip
}

// afterNodeChange reports whether the pod may fit on the node now and what it wants there has grown.
func (f *Fit) afterNodeChange(pod *corev1.Pod, old, new *corev1.Node) framework.Hint {
	info := framework.NewPodInfo(pod)
	if !f.fitsEmpty(info, new) {
		return framework.QueueSkip
	}
	if old == nil {
		return framework.Queue
	}
	before, after := framework.NewResource(old.Status.Allocatable), framework.NewResource(new.Status.Allocatable)
	if after.Pods > before.Pods {
		return framework.Queue
	}
	want := &info.Requests
	grown := func(w, b, a int64) bool { return w > 0 && a > b }
	if grown(want.MilliCPU, before.MilliCPU, after.MilliCPU) || grown(want.Memory, before.Memory, after.Memory) ||
		grown(want.EphemeralStorage, before.EphemeralStorage, after.EphemeralStorage) {
		return framework.Queue
	}
	for _, s := range want.Scalars {
		b, _ := before.Scalar(s.Name)
		a, _ := after.Scalar(s.Name)
		if grown(s.Value, b, a) {
			return framework.Queue
		}
	}
	return framework.QueueSkip
}
