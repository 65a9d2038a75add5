package admission

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"terrarium/core/kinds"
)

// newPod returns the pod that a creates, or nil.
func newPod(a *Attributes) *corev1.Pod {
	if a.Verb != "create" {
		return nil
	}
	pod, _ := a.Object.(*corev1.Pod)
	return pod
}

// defaultTolerationSeconds lets a pod stay for 300 s on a node that is not ready or unreachable, unless
// the pod says otherwise.
//
// Models plugin/pkg/admission/defaulttolerationseconds admission.go.
func defaultTolerationSeconds(a *Attributes) {
	pod := newPod(a)
	if pod == nil {
		return
	}
	const seconds = int64(300)
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		if toleratesNoExecute(pod.Spec.Tolerations, key) {
			continue
		}
		s := seconds
		pod.Spec.Tolerations = append(pod.Spec.Tolerations[:len(pod.Spec.Tolerations):len(pod.Spec.Tolerations)], corev1.Toleration{
			Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &s,
		})
	}
}

func toleratesNoExecute(tolerations []corev1.Toleration, key string) bool {
	for _, t := range tolerations {
		if (t.Key == key || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "") {
			return true
		}
	}
	return false
}

// serviceAccount gives a pod its service account, and refuses one that does not exist.
//
// Models plugin/pkg/admission/serviceaccount admission.go.
// Differs: no token volume is mounted, since no token is issued yet.
func serviceAccount(cluster Cluster, a *Attributes) error {
	pod := newPod(a)
	if pod == nil {
		return nil
	}
	if _, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]; mirror {
		if pod.Spec.ServiceAccountName != "" {
			return a.forbid(errors.New("a mirror pod may not reference service accounts"))
		}
		return nil
	}
	if pod.Spec.ServiceAccountName == "" {
		pod.Spec.ServiceAccountName = "default"
	}
	name := pod.Spec.ServiceAccountName
	obj, ok := cluster.Lookup(kinds.Key{Resource: "serviceaccounts", Namespace: pod.Namespace, Name: name})
	if !ok {
		return a.forbid(fmt.Errorf("error looking up service account %s/%s: serviceaccount %q not found", pod.Namespace, name, name))
	}
	if sa := obj.(*corev1.ServiceAccount); len(pod.Spec.ImagePullSecrets) == 0 && len(sa.ImagePullSecrets) > 0 {
		pod.Spec.ImagePullSecrets = append([]corev1.LocalObjectReference(nil), sa.ImagePullSecrets...)
	}
	return nil
}

// The priorities that every cluster has.
const (
	systemClusterCritical = 2_000_000_000
	systemNodeCritical    = 2_000_001_000
)

// priority turns a pod's priorityClassName into its priority.
//
// Models plugin/pkg/admission/priority admission.go.
func priority(cluster Cluster, a *Attributes) error {
	pod := newPod(a)
	if pod == nil {
		return nil
	}
	if pod.Spec.PriorityClassName == "" {
		pod.Spec.PriorityClassName = defaultClass(cluster)
	}
	value, policy, err := priorityOf(cluster, a, pod)
	if err != nil {
		return err
	}
	if pod.Spec.Priority != nil && *pod.Spec.Priority != value {
		return a.forbid(fmt.Errorf("the integer value of priority (%d) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name", *pod.Spec.Priority, value))
	}
	pod.Spec.Priority = &value
	if pod.Spec.PreemptionPolicy == nil {
		pod.Spec.PreemptionPolicy = &policy
	}
	return nil
}

const priorityClasses = "priorityclasses.scheduling.k8s.io"

// defaultClass returns the name of the class for pods that name none, or "". Of several the one with the
// lowest value counts.
func defaultClass(cluster Cluster) string {
	var best *schedulingv1.PriorityClass
	for _, o := range cluster.All(priorityClasses) {
		if pc := o.(*schedulingv1.PriorityClass); pc.GlobalDefault && (best == nil || pc.Value < best.Value) {
			best = pc
		}
	}
	if best == nil {
		return ""
	}
	return best.Name
}

func priorityOf(cluster Cluster, a *Attributes, pod *corev1.Pod) (int32, corev1.PreemptionPolicy, error) {
	name := pod.Spec.PriorityClassName
	switch name {
	case "":
		return 0, corev1.PreemptLowerPriority, nil
	case "system-cluster-critical":
		return systemClusterCritical, corev1.PreemptLowerPriority, nil
	case "system-node-critical":
		return systemNodeCritical, corev1.PreemptLowerPriority, nil
	}
	obj, ok := cluster.Lookup(kinds.Key{Resource: priorityClasses, Name: name})
	if !ok {
		return 0, "", a.forbid(fmt.Errorf("no PriorityClass with name %v was found", name))
	}
	pc := obj.(*schedulingv1.PriorityClass)
	policy := corev1.PreemptLowerPriority
	if pc.PreemptionPolicy != nil {
		policy = *pc.PreemptionPolicy
	}
	return pc.Value, policy, nil
}
