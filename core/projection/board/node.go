package board

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	parts "terrarium/core/node"
	"terrarium/core/projection/wire"
)

// A node is a Node, or a name that pods give as their node.
type node struct {
	id     uint32
	exists bool
	pods   int       // that name it
	wire   wire.Node // Requested is kept up to date even while the node does not exist
}

// node returns the node of that name.
func (b *Board) node(name string) *node {
	n := b.nodes[name]
	if n == nil {
		n = &node{}
		n.id = b.number(n)
		n.wire.ID, n.wire.Name = n.id, name
		b.nodes[name] = n
	}
	return n
}

func (b *Board) syncNode(name string, obj kinds.Object) {
	n := b.node(name)
	api, _ := obj.(*corev1.Node)
	if api == nil {
		n.exists = false
		b.changed(nodeChange, n.id)
		b.forgetNode(n)
		return
	}
	w := project(api)
	w.ID, w.Requested = n.id, n.wire.Requested
	if n.exists && equalNodes(&w, &n.wire) {
		return // a heartbeat
	}
	n.exists, n.wire = true, w
	b.changed(nodeChange, n.id)
}

// forgetNode drops a node that neither exists nor has pods. It stays known by its number to those who have
// yet to hear that it is gone.
func (b *Board) forgetNode(n *node) {
	if !n.exists && n.pods == 0 {
		delete(b.nodes, n.wire.Name)
		delete(b.things, n.id)
	}
}

func project(api *corev1.Node) wire.Node {
	w := wire.Node{
		Name: api.Name, Roles: roles(api),
		Capacity: resources(api.Status.Capacity), Allocatable: resources(api.Status.Allocatable),
	}
	if api.Spec.Unschedulable {
		w.State |= wire.NodeCordoned
	}
	if api.Annotations[parts.PowerAnnotation] == "off" {
		w.State |= wire.NodePoweredOff
	}
	for i := range api.Status.Conditions {
		c := &api.Status.Conditions[i]
		good := corev1.ConditionFalse
		if c.Type == corev1.NodeReady {
			good = corev1.ConditionTrue
			switch c.Status {
			case corev1.ConditionTrue:
				w.State |= wire.NodeReady
			case corev1.ConditionUnknown:
				w.State |= wire.NodeUnknown
			}
		}
		if c.Status != good {
			w.Conditions = append(w.Conditions, wire.Condition{Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: c.Message})
		}
	}
	for i := range api.Spec.Taints {
		w.Taints = append(w.Taints, taint(&api.Spec.Taints[i]))
	}
	return w
}

func taint(t *corev1.Taint) string {
	s := t.Key
	if t.Value != "" {
		s += "=" + t.Value
	}
	return s + ":" + string(t.Effect)
}

const rolePrefix = "node-role.kubernetes.io/"

func roles(api *corev1.Node) string {
	var list []string
	for label := range api.Labels {
		if role, ok := strings.CutPrefix(label, rolePrefix); ok && role != "" {
			list = append(list, role)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ",")
}

func resources(list corev1.ResourceList) wire.Resources {
	return wire.Resources{MilliCPU: list.Cpu().MilliValue(), Memory: list.Memory().Value(), Pods: list.Pods().Value()}
}

func equalNodes(a, b *wire.Node) bool {
	return a.Name == b.Name && a.State == b.State && a.Roles == b.Roles && a.Capacity == b.Capacity &&
		a.Allocatable == b.Allocatable && slices.Equal(a.Conditions, b.Conditions) && slices.Equal(a.Taints, b.Taints)
}
