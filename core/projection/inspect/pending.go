package inspect

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/projection/wire"
)

// Pending returns, as a message of package wire, why the scheduler has not placed the pod: its summary, and
// per node the plugin that refused it. In a big cluster, and for old decisions, only the summary is kept.
func (in *Inspector) Pending(namespace, name string) []byte {
	r := &wire.Refusal{Pod: wire.Ref{Resource: "pods", Kind: "Pod", Namespace: namespace, Name: name}}
	obj, ok := in.Objects.Get(kinds.Key{Resource: "pods", Namespace: namespace, Name: name})
	pod, isPod := obj.(*corev1.Pod)
	if !ok || !isPod {
		return wire.NewEncoder().Refusal(r)
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			r.Message = c.Message
		}
	}
	d := in.Decisions.LastDecision(pod.UID)
	if d == nil {
		return wire.NewEncoder().Refusal(r)
	}
	r.At = d.At.UnixMilli()
	if r.Message == "" {
		r.Message = d.Message
	}
	for _, n := range d.Refused() {
		r.Nodes = append(r.Nodes, wire.NodeRefusal{Node: n.Node, Plugin: n.Plugin, Reason: strings.Join(n.Reasons, ", ")})
	}
	for _, n := range d.Scores() {
		r.Nodes = append(r.Nodes, wire.NodeRefusal{Node: n.Node})
	}
	return wire.NewEncoder().Refusal(r)
}
