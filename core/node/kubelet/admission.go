package kubelet

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	corekinds "terrarium/core/kinds/core"
)

// amounts are resources of a node or a pod in the order in which admission looks at them.
type amounts [4]int64

const (
	podCount = iota
	milliCPU
	memory
	ephemeral
)

func resourceNames() [4]corev1.ResourceName {
	return [4]corev1.ResourceName{corev1.ResourcePods, corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
}

func amountsOf(list corev1.ResourceList) amounts {
	return amounts{
		podCount: list.Pods().Value(), milliCPU: list.Cpu().MilliValue(),
		memory: list.Memory().Value(), ephemeral: list.StorageEphemeral().Value(),
	}
}

func (a amounts) plus(b amounts, sign int64) amounts {
	for i := range a {
		a[i] += sign * b[i]
	}
	return a
}

// SetAllocatable tells the kubelet how much of its machine pods may use.
func (k *Kubelet) SetAllocatable(list corev1.ResourceList) { k.allocatable = amountsOf(list) }

// admit takes the pod in or rejects it, for the first resource that there is not enough of.
//
// Models pkg/kubelet/lifecycle predicate.go. Differs: only resources are looked at, not node selectors and
// taints: the scheduler and the taint eviction controller do.
func (w *worker) admit() {
	k := w.kubelet
	w.needs = amountsOf(corekinds.PodRequests(w.pod))
	w.needs[podCount] = 1
	if w.pod.Status.StartTime == nil && w.pod.DeletionTimestamp == nil {
		for i, name := range resourceNames() {
			if w.needs[i] > 0 && k.used[i]+w.needs[i] > k.allocatable[i] {
				w.reject(name, w.needs[i], k.used[i], k.allocatable[i])
				w.needs = amounts{}
				return
			}
		}
	}
	k.used = k.used.plus(w.needs, 1)
}

func (w *worker) reject(name corev1.ResourceName, requested, used, capacity int64) {
	n := func(i int64) string { return strconv.FormatInt(i, 10) }
	message := "Node didn't have enough resource: " + string(name) + ", requested: " + n(requested) + ", used: " + n(used) + ", capacity: " + n(capacity)
	reason := "OutOf" + string(name)
	w.kubelet.recorder.Warning(w.pod, reason, message)
	w.failed = &failure{reason: reason, message: "Pod was rejected: " + message, rejected: true}
}

// release gives back what the pod has of the machine: it is over.
func (w *worker) release() {
	k := w.kubelet
	k.used = k.used.plus(w.needs, -1)
	w.needs = amounts{}
	if w.ip != "" && !w.pod.Spec.HostNetwork && !w.released {
		k.ips.free(w.ip)
	}
	w.released = true
}
