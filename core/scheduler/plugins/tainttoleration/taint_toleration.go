// Package tainttoleration keeps pods off nodes whose taints they do not tolerate, and prefers nodes with
// fewer PreferNoSchedule taints that they do not tolerate.
package tainttoleration

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
)

const (
	// Name is the plugin's name in profiles.
	Name = "TaintToleration"
	// ErrReason says why a node is refused.
	ErrReason = "node(s) had untolerated taint(s)"
)

// TaintToleration is the plugin.
type TaintToleration struct {
	refused framework.Status
	slot    framework.Slot[preferred]
}

// preferred are the pod's tolerations that may cover PreferNoSchedule taints.
type preferred []corev1.Toleration

// Clone returns p itself: pods on nodes do not change it.
func (p preferred) Clone() framework.StateData { return p }

var (
	_ framework.FilterPlugin      = (*TaintToleration)(nil)
	_ framework.PreScorePlugin    = (*TaintToleration)(nil)
	_ framework.ScorePlugin       = (*TaintToleration)(nil)
	_ framework.ScoreNormalizer   = (*TaintToleration)(nil)
	_ framework.EnqueueExtensions = (*TaintToleration)(nil)
)

// New returns the plugin.
func New(slots *framework.Slots) *TaintToleration {
	return &TaintToleration{
		refused: framework.NewStatus(framework.UnschedulableAndUnresolvable, Name, ErrReason),
		slot:    framework.NewSlot[preferred](slots),
	}
}

// Name returns the plugin's name.
func (*TaintToleration) Name() string { return Name }

// Filter refuses a node with a NoSchedule or NoExecute taint that the pod does not tolerate.
func (p *TaintToleration) Filter(_ *framework.CycleState, pod *framework.PodInfo, node *framework.NodeInfo) framework.Status {
	if Fits(pod.Pod, node.Taints) {
		return framework.Status{}
	}
	return p.refused
}

// Fits reports whether the pod tolerates all of a node's taints that keep pods off.
func Fits(pod *corev1.Pod, taints []corev1.Taint) bool {
	for i := range taints {
		t := &taints[i]
		if t.Effect != corev1.TaintEffectNoSchedule && t.Effect != corev1.TaintEffectNoExecute {
			continue
		}
		if !Tolerates(pod.Spec.Tolerations, t) {
			return false
		}
	}
	return true
}

// Tolerates reports whether any of the tolerations covers the taint. Comparison operators are off, as
// they are upstream by default.
func Tolerates(tolerations []corev1.Toleration, taint *corev1.Taint) bool {
	for i := range tolerations {
		if tolerations[i].ToleratesTaint(klog.Logger{}, taint, false) {
			return true
		}
	}
	return false
}

// PreScore picks the tolerations that matter.
func (p *TaintToleration) PreScore(state *framework.CycleState, pod *framework.PodInfo, _ []*framework.NodeInfo) framework.Status {
	var list preferred
	for _, t := range pod.Pod.Spec.Tolerations {
		if t.Effect == "" || t.Effect == corev1.TaintEffectPreferNoSchedule {
			list = append(list, t)
		}
	}
	if list != nil {
		p.slot.Set(state, list)
	}
	return framework.Status{}
}

// Score counts the PreferNoSchedule taints that the pod does not tolerate.
func (p *TaintToleration) Score(state *framework.CycleState, _ *framework.PodInfo, node *framework.NodeInfo) (int64, framework.Status) {
	if len(node.Taints) == 0 {
		return 0, framework.Status{}
	}
	tolerations, _ := p.slot.Get(state)
	return countIntolerable(node.Taints, tolerations), framework.Status{}
}

func countIntolerable(taints []corev1.Taint, tolerations []corev1.Toleration) int64 {
	var n int64
	for i := range taints {
		if taints[i].Effect == corev1.TaintEffectPreferNoSchedule && !Tolerates(tolerations, &taints[i]) {
			n++
		}
	}
	return n
}

// NormalizeScore gives 100 to the node with none and 0 to the one with most.
func (*TaintToleration) NormalizeScore(_ *framework.CycleState, _ *framework.PodInfo, _ []*framework.NodeInfo, scores []int64) framework.Status {
	framework.NormalizeByMax(scores, true)
	return framework.Status{}
}

// EventsToRegister asks again when a node's taints let the pod in, or the pod tolerates more.
func (*TaintToleration) EventsToRegister() []framework.EventWithHint {
	return []framework.EventWithHint{
		{
			Event: framework.ClusterEvent{Resource: framework.Node, Action: framework.Add | framework.UpdateNodeTaint},
			Hint:  framework.On(afterNodeChange),
		},
		{
			Event: framework.ClusterEvent{Resource: framework.TargetPod, Action: framework.UpdatePodToleration},
			Hint:  func(*corev1.Pod, kinds.Object, kinds.Object) framework.Hint { return framework.Queue },
		},
	}
}

func afterNodeChange(pod *corev1.Pod, old, new *corev1.Node) framework.Hint {
	return framework.Hint(Fits(pod, new.Spec.Taints) && (old == nil || !Fits(pod, old.Spec.Taints)))
}
