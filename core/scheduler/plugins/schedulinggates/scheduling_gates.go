// Package schedulinggates keeps a pod out of the active queue while it has scheduling gates.
package schedulinggates

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
)

// Name is the plugin's name in profiles.
const Name = "SchedulingGates"

// SchedulingGates is the plugin.
type SchedulingGates struct{}

var (
	_ framework.PreEnqueuePlugin  = SchedulingGates{}
	_ framework.EnqueueExtensions = SchedulingGates{}
)

// Name returns the plugin's name.
func (SchedulingGates) Name() string { return Name }

// PreEnqueue refuses a pod that has gates.
func (SchedulingGates) PreEnqueue(pod *corev1.Pod) framework.Status {
	if len(pod.Spec.SchedulingGates) == 0 {
		return framework.Status{}
	}
	gates := make([]string, len(pod.Spec.SchedulingGates))
	for i, g := range pod.Spec.SchedulingGates {
		gates[i] = g.Name
	}
	return framework.NewStatus(framework.UnschedulableAndUnresolvable, Name,
		"waiting for scheduling gates: ["+strings.Join(gates, " ")+"]")
}

// EventsToRegister lets the pod in when its last gate goes.
func (SchedulingGates) EventsToRegister() []framework.EventWithHint {
	return []framework.EventWithHint{{
		Event: framework.ClusterEvent{Resource: framework.TargetPod, Action: framework.UpdatePodSchedulingGatesEliminated},
		Hint:  func(*corev1.Pod, kinds.Object, kinds.Object) framework.Hint { return framework.Queue },
	}}
}
