package nodelifecycle

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// conditionTaints says which condition in which state puts which taint on a node.
var conditionTaints = [...]struct {
	condition corev1.NodeConditionType
	status    corev1.ConditionStatus
	key       string
}{
	{corev1.NodeReady, corev1.ConditionFalse, corev1.TaintNodeNotReady},
	{corev1.NodeReady, corev1.ConditionUnknown, corev1.TaintNodeUnreachable},
	{corev1.NodeMemoryPressure, corev1.ConditionTrue, corev1.TaintNodeMemoryPressure},
	{corev1.NodeDiskPressure, corev1.ConditionTrue, corev1.TaintNodeDiskPressure},
	{corev1.NodeNetworkUnavailable, corev1.ConditionTrue, corev1.TaintNodeNetworkUnavailable},
	{corev1.NodePIDPressure, corev1.ConditionTrue, corev1.TaintNodePIDPressure},
}

func notReadyTaint() corev1.Taint {
	return corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}
}

func unreachableTaint() corev1.Taint {
	return corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}
}

// schedulingTaints returns the NoSchedule taints that the node's conditions and spec call for and it lacks,
// and those it has without reason. Models doNoScheduleTaintingPass.
func schedulingTaints(node *corev1.Node) (add, remove []corev1.Taint) {
	var want []string
	for _, c := range node.Status.Conditions {
		for _, t := range conditionTaints {
			if t.condition == c.Type && t.status == c.Status {
				want = append(want, t.key)
			}
		}
	}
	if node.Spec.Unschedulable {
		want = append(want, corev1.TaintNodeUnschedulable)
	}
	for _, key := range want {
		if t := (corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule}); !hasTaint(node, t) {
			add = append(add, t)
		}
	}
	for _, t := range node.Spec.Taints {
		if t.Effect == corev1.TaintEffectNoSchedule && managed(t.Key) && !slices.Contains(want, t.Key) {
			remove = append(remove, t)
		}
	}
	return add, remove
}

// managed reports whether NoSchedule taints of that key are the controller's.
func managed(key string) bool {
	if key == corev1.TaintNodeUnschedulable {
		return true
	}
	for _, t := range conditionTaints {
		if t.key == key {
			return true
		}
	}
	return false
}

func hasTaint(node *corev1.Node, t corev1.Taint) bool {
	return slices.ContainsFunc(node.Spec.Taints, func(x corev1.Taint) bool { return x.MatchTaint(&t) })
}

// editTaints returns the node with taints added, as of now, and removed; changed is false when it has them
// so already.
func editTaints(node *corev1.Node, add, remove []corev1.Taint, now metav1.Time) (next *corev1.Node, changed bool) {
	list := slices.Clone(node.Spec.Taints)
	for _, t := range add {
		if !hasTaint(node, t) {
			t.TimeAdded = &now
			list, changed = append(list, t), true
		}
	}
	for _, t := range remove {
		n := len(list)
		list = slices.DeleteFunc(list, func(x corev1.Taint) bool { return x.MatchTaint(&t) })
		changed = changed || len(list) != n
	}
	if !changed {
		return node, false
	}
	copied := *node
	copied.Spec.Taints = list
	if len(list) == 0 {
		copied.Spec.Taints = nil
	}
	return &copied, true
}

// betaLabels are old names of labels that are kept equal to the new ones.
var betaLabels = [...]struct{ stable, beta string }{
	{corev1.LabelOSStable, "beta.kubernetes.io/os"},
	{corev1.LabelArchStable, "beta.kubernetes.io/arch"},
}

// missingLabels returns the labels to set. Models reconcileNodeLabels.
func missingLabels(node *corev1.Node) map[string]string {
	var out map[string]string
	for _, l := range betaLabels {
		if v, ok := node.Labels[l.stable]; ok {
			if has, ok := node.Labels[l.beta]; !ok || has != v {
				if out == nil {
					out = make(map[string]string, 2)
				}
				out[l.beta] = v
			}
		}
	}
	return out
}
