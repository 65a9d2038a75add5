package inspect

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"terrarium/core/kinds"
	"terrarium/core/projection/board"
	"terrarium/core/projection/wire"
)

// A summary collects what is worth knowing of an object at a glance.
type summary struct{ *wire.Inspect }

func (w summary) fact(name, value string) { w.link(name, value, "") }

// link adds a fact that names another object.
func (w summary) link(name, value, open string) {
	if value != "" {
		w.Summary = append(w.Summary, wire.Fact{Name: name, Value: value, Open: open})
	}
}

func (w summary) condition(kind, status, reason, message string) {
	w.Conditions = append(w.Conditions, wire.Condition{Type: kind, Status: status, Reason: reason, Message: message})
}

// describe adds what is worth knowing of the object, by kind.
func describe(w summary, obj kinds.Object) {
	switch o := obj.(type) {
	case *corev1.Pod:
		describePod(w, o)
	case *appsv1.Deployment:
		describeDeployment(w, o)
	case *appsv1.ReplicaSet:
		w.Scalable, w.Replicas, w.Ready = true, int64(ptr.Deref(o.Spec.Replicas, 1)), int64(o.Status.ReadyReplicas)
		w.fact("Image", images(o.Spec.Template.Spec.Containers))
		w.fact("Revision", o.Annotations[revisionAnnotation])
	case *corev1.Node:
		describeNode(w, o)
	}
}

const revisionAnnotation = "deployment.kubernetes.io/revision"

func describePod(w summary, o *corev1.Pod) {
	phase, restarts := board.Phase(o)
	w.fact("Status", phase)
	w.link("Node", o.Spec.NodeName, "nodes/"+o.Spec.NodeName)
	w.fact("IP", o.Status.PodIP)
	w.fact("Image", images(o.Spec.Containers))
	w.fact("Restarts", strconv.Itoa(int(restarts)))
	w.fact("QoS", string(o.Status.QOSClass))
	for i := range o.Status.Conditions {
		c := &o.Status.Conditions[i]
		w.condition(string(c.Type), string(c.Status), c.Reason, c.Message)
	}
}

func describeDeployment(w summary, o *appsv1.Deployment) {
	w.Scalable, w.Replicas, w.Ready = true, int64(ptr.Deref(o.Spec.Replicas, 1)), int64(o.Status.ReadyReplicas)
	w.Undoable = w.sets() > 1
	w.fact("Image", images(o.Spec.Template.Spec.Containers))
	w.fact("Strategy", string(o.Spec.Strategy.Type))
	w.fact("Updated", strconv.Itoa(int(o.Status.UpdatedReplicas))+" of "+strconv.FormatInt(w.Replicas, 10))
	w.fact("Revision", o.Annotations[revisionAnnotation])
	for i := range o.Status.Conditions {
		c := &o.Status.Conditions[i]
		w.condition(string(c.Type), string(c.Status), c.Reason, c.Message)
	}
}

// sets counts the ReplicaSets of a Deployment: with two there is a revision to go back to.
func (w summary) sets() (n int) {
	for _, b := range w.Down {
		if b.Depth == 1 && b.Resource == "replicasets.apps" {
			n++
		}
	}
	return n
}

func describeNode(w summary, o *corev1.Node) {
	w.fact("CPU", o.Status.Allocatable.Cpu().String())
	w.fact("Memory", o.Status.Allocatable.Memory().String())
	w.fact("Pods", strconv.Itoa(len(w.Down))+" of "+o.Status.Allocatable.Pods().String())
	w.fact("Pod CIDR", o.Spec.PodCIDR)
	taints := ""
	for i := range o.Spec.Taints {
		if i > 0 {
			taints += ", "
		}
		taints += o.Spec.Taints[i].Key + ":" + string(o.Spec.Taints[i].Effect)
	}
	w.fact("Taints", taints)
	for i := range o.Status.Conditions {
		c := &o.Status.Conditions[i]
		w.condition(string(c.Type), string(c.Status), c.Reason, c.Message)
	}
}

func images(list []corev1.Container) string {
	s := ""
	for i := range list {
		if i > 0 {
			s += ", "
		}
		s += list[i].Image
	}
	return s
}
