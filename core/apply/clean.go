package apply

import (
	"encoding/json"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"terrarium/core/kinds"
	"terrarium/core/node/kubelet"
)

// clean takes away what an object has from the cluster that it was in, so that another one takes it as new.
// doc is the JSON of obj.
func clean(doc map[string]any, obj kinds.Object) {
	size := nodeSize(doc)
	strip(doc)
	m := meta(doc)
	delete(m, "ownerReferences") // by UID, and the next cluster has others
	drop(m, "annotations", revisionAnnotation, "kubernetes.io/service-account.uid")
	spec, _ := doc["spec"].(map[string]any)
	switch o := obj.(type) {
	case *corev1.Namespace:
		delete(doc, "spec") // its finalizers
		drop(m, "labels", corev1.LabelMetadataName)
	case *corev1.Node:
		cleanNode(doc, o)
		if equality.Semantic.DeepEqual(o.Status.Capacity, o.Status.Allocatable) {
			delete(size, "allocatable") // it follows from the capacity
		}
		if len(size) > 0 {
			doc["status"] = size
		}
	case *corev1.Pod:
		delete(spec, "priority") // of the class, whose value may be another there
		delete(spec, "ephemeralContainers")
		if appliedNode(o) == "" {
			delete(spec, "nodeName")
		}
	case *corev1.PersistentVolume:
		drop(spec, "claimRef", "uid", "resourceVersion")
	}
}

// drop deletes keys of a map within m, and the map once it is empty.
func drop(m map[string]any, field string, keys ...string) {
	inner, ok := m[field].(map[string]any)
	if !ok {
		return
	}
	for _, k := range keys {
		delete(inner, k)
	}
	if len(inner) == 0 {
		delete(m, field)
	}
}

// nodeSize is what is said of a machine's size in the status of a node.
func nodeSize(doc map[string]any) map[string]any {
	status, _ := doc["status"].(map[string]any)
	out := maps.Clone(status)
	maps.DeleteFunc(out, func(field string, _ any) bool { return field != "capacity" && field != "allocatable" })
	return out
}

// cleanNode leaves of a node what makes the same machine.
func cleanNode(doc map[string]any, n *corev1.Node) {
	m := meta(doc)
	for _, own := range kubelet.Labels(n.Name) {
		if n.Labels[own[0]] == own[1] {
			drop(m, "labels", own[0])
		}
	}
	var taints []any
	spec, _ := doc["spec"].(map[string]any)
	list, _ := spec["taints"].([]any)
	for i, t := range n.Spec.Taints {
		if !conditionTaints[t.Key] {
			taint, _ := list[i].(map[string]any)
			delete(taint, "timeAdded")
			taints = append(taints, taint)
		}
	}
	delete(spec, "taints")
	if len(taints) > 0 {
		spec["taints"] = taints
	}
	drop(doc, "spec", "podCIDR", "podCIDRs")
}

// conditionTaints are those that the node lifecycle controller keeps by a node's conditions.
var conditionTaints = map[string]bool{
	corev1.TaintNodeNotReady: true, corev1.TaintNodeUnreachable: true, corev1.TaintNodeUnschedulable: true,
	corev1.TaintNodeMemoryPressure: true, corev1.TaintNodeDiskPressure: true, corev1.TaintNodePIDPressure: true,
	corev1.TaintNodeNetworkUnavailable: true,
}

// appliedNode is the node that the person who applied a pod chose for it.
func appliedNode(pod *corev1.Pod) string {
	var applied corev1.Pod
	if json.Unmarshal([]byte(pod.Annotations[corev1.LastAppliedConfigAnnotation]), &applied) != nil {
		return ""
	}
	return applied.Spec.NodeName
}
