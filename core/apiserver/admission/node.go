package admission

import (
	corev1 "k8s.io/api/core/v1"
)

// taintNodesByCondition taints a new node as not ready, so that nothing is scheduled there before its
// kubelet has reported.
//
// Models plugin/pkg/admission/nodetaint admission.go.
func taintNodesByCondition(a *Attributes) {
	node, ok := a.Object.(*corev1.Node)
	if !ok || a.Verb != "create" {
		return
	}
	taint := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}
	for i := range node.Spec.Taints {
		if node.Spec.Taints[i].MatchTaint(&taint) {
			return
		}
	}
	node.Spec.Taints = append(node.Spec.Taints[:len(node.Spec.Taints):len(node.Spec.Taints)], taint)
}
