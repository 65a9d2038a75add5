package core

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// What a pod needs of a node follows from the life of its containers: the regular ones run at once, beside
// the sidecars; init containers run one by one before, each beside the sidecars that started before it.
//
//	need = max over init container i (sidecars before i + i), and sidecars + regular containers

// PodRequests returns what a pod asks of a node: of its containers or, where it says, of the pod as a whole,
// and its overhead.
//
// Models k8s.io/component-helpers/resource PodRequests.
func PodRequests(pod *corev1.Pod) corev1.ResourceList {
	list := containersTotal(&pod.Spec, requestsOf)
	applyPodLevel(list, podLevelRequests(&pod.Spec))
	addResources(list, pod.Spec.Overhead)
	return list
}

// PodLimits returns the limits of a pod as a whole: what its containers, or the pod itself, have limits for.
//
// Models k8s.io/component-helpers/resource PodLimits.
func PodLimits(pod *corev1.Pod) corev1.ResourceList {
	list := containersTotal(&pod.Spec, limitsOf)
	if r := pod.Spec.Resources; r != nil {
		applyPodLevel(list, r.Limits)
	}
	// any order: each round sets its own key
	for name, q := range pod.Spec.Overhead {
		if limit, ok := list[name]; ok && !limit.IsZero() {
			limit.Add(q)
			list[name] = limit
		}
	}
	return list
}

func requestsOf(c *corev1.Container) corev1.ResourceList { return c.Resources.Requests }
func limitsOf(c *corev1.Container) corev1.ResourceList   { return c.Resources.Limits }

func podLevelRequests(spec *corev1.PodSpec) corev1.ResourceList {
	if spec.Resources == nil {
		return nil
	}
	return spec.Resources.Requests
}

func applyPodLevel(list, podLevel corev1.ResourceList) {
	for name, q := range podLevel {
		if isPodLevelResource(name) {
			list[name] = q.DeepCopy()
		}
	}
}

// containersTotal adds up what the containers of a pod need at the worst moment of its life.
func containersTotal(spec *corev1.PodSpec, of func(*corev1.Container) corev1.ResourceList) corev1.ResourceList {
	total := corev1.ResourceList{}
	for i := range spec.Containers {
		addResources(total, of(&spec.Containers[i]))
	}
	sidecars, worst := corev1.ResourceList{}, corev1.ResourceList{}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		if isSidecar(c) {
			addResources(total, of(c))
			addResources(sidecars, of(c))
			maxResources(worst, sidecars)
			continue
		}
		moment := corev1.ResourceList{}
		addResources(moment, of(c))
		addResources(moment, sidecars)
		maxResources(worst, moment)
	}
	maxResources(total, worst)
	return total
}

func addResources(list, more corev1.ResourceList) {
	// any order: each round sets its own key
	for name, q := range more {
		sum := list[name]
		sum.Add(q)
		list[name] = sum
	}
}

func maxResources(list, other corev1.ResourceList) {
	for name, q := range other {
		if have, ok := list[name]; !ok || q.Cmp(have) > 0 {
			list[name] = q.DeepCopy()
		}
	}
}

// Amounts are the requests of a pod or the resources of a node in plain numbers.
type Amounts struct {
	MilliCPU         int64
	Memory           int64 // bytes
	EphemeralStorage int64 // bytes
	// Scalars are the others (huge pages in bytes, extended resources in pieces); nil when there are none.
	Scalars map[corev1.ResourceName]int64
}

// RequestAmounts is PodRequests in plain numbers. It allocates only for resources beyond CPU, memory and
// ephemeral storage, which makes it fit for the scheduler's inner loop.
//
// Differs: rounds each container's request up to whole units, upstream their sum.
func RequestAmounts(pod *corev1.Pod) Amounts {
	a := ContainerAmounts(&pod.Spec, func(c *corev1.Container) Amounts { return AmountsOf(c.Resources.Requests) })
	a.PodLevel(&pod.Spec)
	return a
}

// ContainerAmounts adds up what the containers of a pod need at the worst moment of its life, when each needs
// what of says.
func ContainerAmounts(spec *corev1.PodSpec, of func(*corev1.Container) Amounts) Amounts {
	var total, sidecars, worst Amounts
	for i := range spec.Containers {
		a := of(&spec.Containers[i])
		total.sum(&a)
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		moment := of(c)
		if isSidecar(c) {
			total.sum(&moment)
			sidecars.sum(&moment)
			worst.Max(&sidecars)
			continue
		}
		moment.sum(&sidecars)
		worst.Max(&moment)
	}
	total.Max(&worst)
	return total
}

// PodLevel puts the pod's requests as a whole in place of its containers', where it has them, and adds its
// overhead.
func (a *Amounts) PodLevel(spec *corev1.PodSpec) {
	// any order: each round sets its own key
	for name, q := range podLevelRequests(spec) {
		if isPodLevelResource(name) {
			a.set(name, amount(name, q))
		}
	}
	a.add(spec.Overhead)
}

// AmountsOf returns a resource list, such as a node's allocatable, in plain numbers.
func AmountsOf(list corev1.ResourceList) Amounts {
	var a Amounts
	a.add(list)
	return a
}

func (a *Amounts) add(list corev1.ResourceList) {
	// any order: each round sets its own key
	for name, q := range list {
		a.set(name, a.Of(name)+amount(name, q))
	}
}

func (a *Amounts) sum(b *Amounts) {
	a.MilliCPU += b.MilliCPU
	a.Memory += b.Memory
	a.EphemeralStorage += b.EphemeralStorage
	// any order: each round sets its own key
	for name, n := range b.Scalars {
		a.set(name, a.Scalars[name]+n)
	}
}

// Max raises each amount to that of b.
func (a *Amounts) Max(b *Amounts) {
	a.MilliCPU = max(a.MilliCPU, b.MilliCPU)
	a.Memory = max(a.Memory, b.Memory)
	a.EphemeralStorage = max(a.EphemeralStorage, b.EphemeralStorage)
	// any order: each round sets its own key
	for name, n := range b.Scalars {
		if have, ok := a.Scalars[name]; !ok || n > have {
			a.set(name, n)
		}
	}
}

// Of returns the amount of one resource: CPU in thousandths, others in whole units.
func (a *Amounts) Of(name corev1.ResourceName) int64 {
	switch name {
	case corev1.ResourceCPU:
		return a.MilliCPU
	case corev1.ResourceMemory:
		return a.Memory
	case corev1.ResourceEphemeralStorage:
		return a.EphemeralStorage
	}
	return a.Scalars[name]
}

func (a *Amounts) set(name corev1.ResourceName, n int64) {
	switch name {
	case corev1.ResourceCPU:
		a.MilliCPU = n
	case corev1.ResourceMemory:
		a.Memory = n
	case corev1.ResourceEphemeralStorage:
		a.EphemeralStorage = n
	default:
		if a.Scalars == nil {
			a.Scalars = map[corev1.ResourceName]int64{}
		}
		a.Scalars[name] = n
	}
}

func amount(name corev1.ResourceName, q resource.Quantity) int64 {
	if name == corev1.ResourceCPU {
		return q.MilliValue()
	}
	return q.Value()
}
