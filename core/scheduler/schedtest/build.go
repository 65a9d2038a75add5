// Package schedtest builds pods and nodes for tests of the scheduler: a line says what matters in the test.
package schedtest

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A PodBuilder builds a pod.
type PodBuilder struct{ pod *corev1.Pod }

// Pod begins a pod in namespace default with its name as UID.
func Pod(name string) PodBuilder {
	return PodBuilder{&corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)},
		Spec:       corev1.PodSpec{SchedulerName: corev1.DefaultSchedulerName},
	}}
}

// Obj returns the pod.
func (b PodBuilder) Obj() *corev1.Pod { return b.pod }

// Container adds a container with requests given as "cpu", "1", "memory", "1Gi", ...
func (b PodBuilder) Container(requests ...string) PodBuilder {
	return b.with(func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, container(p, requests)) })
}

// Init adds an init container.
func (b PodBuilder) Init(requests ...string) PodBuilder {
	return b.with(func(p *corev1.Pod) { p.Spec.InitContainers = append(p.Spec.InitContainers, container(p, requests)) })
}

// Sidecar adds a restartable init container.
func (b PodBuilder) Sidecar(requests ...string) PodBuilder {
	return b.with(func(p *corev1.Pod) {
		c, always := container(p, requests), corev1.ContainerRestartPolicyAlways
		c.RestartPolicy = &always
		p.Spec.InitContainers = append(p.Spec.InitContainers, c)
	})
}

func container(p *corev1.Pod, requests []string) corev1.Container {
	return corev1.Container{
		Name:      "c" + strconv.Itoa(len(p.Spec.Containers)+len(p.Spec.InitContainers)),
		Resources: corev1.ResourceRequirements{Requests: Resources(requests...)},
	}
}

// Image adds a container of the image.
func (b PodBuilder) Image(image string) PodBuilder {
	return b.with(func(p *corev1.Pod) {
		c := container(p, nil)
		c.Image = image
		p.Spec.Containers = append(p.Spec.Containers, c)
	})
}

// HostPort adds a container that takes a port of the host.
func (b PodBuilder) HostPort(ip string, protocol corev1.Protocol, port int32) PodBuilder {
	return b.with(func(p *corev1.Pod) {
		c := container(p, nil)
		c.Ports = []corev1.ContainerPort{{HostIP: ip, Protocol: protocol, HostPort: port}}
		p.Spec.Containers = append(p.Spec.Containers, c)
	})
}

// Node assigns the pod.
func (b PodBuilder) Node(name string) PodBuilder {
	return b.with(func(p *corev1.Pod) { p.Spec.NodeName = name })
}

// Nominated nominates the pod.
func (b PodBuilder) Nominated(node string) PodBuilder {
	return b.with(func(p *corev1.Pod) { p.Status.NominatedNodeName = node })
}

// Priority sets the priority.
func (b PodBuilder) Priority(v int32) PodBuilder {
	return b.with(func(p *corev1.Pod) { p.Spec.Priority = &v })
}

// Label adds a label.
func (b PodBuilder) Label(key, value string) PodBuilder {
	return b.with(func(p *corev1.Pod) { setLabel(&p.ObjectMeta, key, value) })
}

// Selector adds to spec.nodeSelector.
func (b PodBuilder) Selector(key, value string) PodBuilder {
	return b.with(func(p *corev1.Pod) {
		if p.Spec.NodeSelector == nil {
			p.Spec.NodeSelector = map[string]string{}
		}
		p.Spec.NodeSelector[key] = value
	})
}

// Tolerate adds a toleration; an empty value means Exists.
func (b PodBuilder) Tolerate(key, value string, effect corev1.TaintEffect) PodBuilder {
	return b.with(func(p *corev1.Pod) {
		t := corev1.Toleration{Key: key, Operator: corev1.TolerationOpEqual, Value: value, Effect: effect}
		if value == "" {
			t.Operator = corev1.TolerationOpExists
		}
		p.Spec.Tolerations = append(p.Spec.Tolerations, t)
	})
}

// Gate adds a scheduling gate.
func (b PodBuilder) Gate(name string) PodBuilder {
	return b.with(func(p *corev1.Pod) {
		p.Spec.SchedulingGates = append(p.Spec.SchedulingGates, corev1.PodSchedulingGate{Name: name})
	})
}

// With changes anything else.
func (b PodBuilder) With(change func(*corev1.Pod)) PodBuilder { return b.with(change) }

func (b PodBuilder) with(change func(*corev1.Pod)) PodBuilder {
	next := b.pod.DeepCopy()
	change(next)
	return PodBuilder{next}
}

// A NodeBuilder builds a node.
type NodeBuilder struct{ node *corev1.Node }

// Node begins a node with 4 CPU, 8Gi and 110 pods.
func Node(name string) NodeBuilder {
	return NodeBuilder{&corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)},
		Status:     corev1.NodeStatus{Allocatable: Resources("cpu", "4", "memory", "8Gi", "pods", "110")},
	}}
}

// Obj returns the node.
func (b NodeBuilder) Obj() *corev1.Node { return b.node }

// Can sets what the node can hold, given as "cpu", "1", ...
func (b NodeBuilder) Can(resources ...string) NodeBuilder {
	return b.With(func(n *corev1.Node) { n.Status.Allocatable = Resources(resources...) })
}

// Label adds a label.
func (b NodeBuilder) Label(key, value string) NodeBuilder {
	return b.With(func(n *corev1.Node) { setLabel(&n.ObjectMeta, key, value) })
}

// Taint adds a taint.
func (b NodeBuilder) Taint(key, value string, effect corev1.TaintEffect) NodeBuilder {
	return b.With(func(n *corev1.Node) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Value: value, Effect: effect})
	})
}

// Cordoned makes the node take no new pods.
func (b NodeBuilder) Cordoned() NodeBuilder {
	return b.With(func(n *corev1.Node) { n.Spec.Unschedulable = true })
}

// Image adds an image that the node has.
func (b NodeBuilder) Image(name string, size int64) NodeBuilder {
	return b.With(func(n *corev1.Node) {
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{Names: []string{name}, SizeBytes: size})
	})
}

// With changes anything else.
func (b NodeBuilder) With(change func(*corev1.Node)) NodeBuilder {
	next := b.node.DeepCopy()
	change(next)
	return NodeBuilder{next}
}

// Resources makes a list of "cpu", "1", "memory", "1Gi", ...
func Resources(pairs ...string) corev1.ResourceList {
	if len(pairs) == 0 {
		return nil
	}
	list := corev1.ResourceList{}
	for i := 0; i+1 < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

func setLabel(m *metav1.ObjectMeta, key, value string) {
	if m.Labels == nil {
		m.Labels = map[string]string{}
	}
	m.Labels[key] = value
}
