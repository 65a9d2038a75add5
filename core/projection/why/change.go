package why

import (
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/scheduler"
	"terrarium/core/trace"
)

// changed says what an update did. It looks only at what people ask about, so that it is cheap enough for
// every span that is drawn; core/kinds/diff knows every field.
func (t *Teller) changed(w *trace.Write) string {
	text := ""
	switch after := w.After.(type) {
	case *corev1.Pod:
		text = podChange(w.Before.(*corev1.Pod), after)
	case *appsv1.Deployment:
		before := w.Before.(*appsv1.Deployment)
		text = scaled(before.Spec.Replicas, after.Spec.Replicas)
		if text == "" {
			text = reimaged(before.Spec.Template.Spec.Containers, after.Spec.Template.Spec.Containers)
		}
		if text == "" && before.Spec.Paused != after.Spec.Paused {
			text = map[bool]string{true: "paused", false: "resumed"}[after.Spec.Paused]
		}
	case *appsv1.ReplicaSet:
		text = scaled(w.Before.(*appsv1.ReplicaSet).Spec.Replicas, after.Spec.Replicas)
	case *corev1.Node:
		text = nodeChange(w.Before.(*corev1.Node), after)
	}
	name := t.name(w.Key)
	switch {
	case text != "":
		return "changed " + name + ": " + text
	case w.Subresource == "status":
		return "updated the status of " + name
	}
	return "changed " + name
}

func podChange(before, after *corev1.Pod) string {
	if before.Spec.NodeName == "" && after.Spec.NodeName != "" {
		return "bound to " + after.Spec.NodeName
	}
	if before.Status.Phase != after.Status.Phase {
		return "now " + string(after.Status.Phase)
	}
	if was, is := waiting(before), waiting(after); was != is && is != "" {
		return "waiting, " + is
	}
	if was, is := podReady(before), podReady(after); was != is {
		return map[bool]string{true: "ready", false: "not ready"}[is]
	}
	if was, is := restarts(before), restarts(after); was != is {
		return "restart " + strconv.Itoa(int(is))
	}
	return ""
}

func waiting(p *corev1.Pod) string {
	for i := range p.Status.ContainerStatuses {
		if w := p.Status.ContainerStatuses[i].State.Waiting; w != nil {
			return w.Reason
		}
	}
	return ""
}

func podReady(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func restarts(p *corev1.Pod) (n int32) {
	for i := range p.Status.ContainerStatuses {
		n += p.Status.ContainerStatuses[i].RestartCount
	}
	return n
}

func scaled(before, after *int32) string {
	if before == nil || after == nil || *before == *after {
		return ""
	}
	return "replicas " + strconv.Itoa(int(*before)) + " → " + strconv.Itoa(int(*after))
}

func reimaged(before, after []corev1.Container) string {
	for i := range after {
		for j := range before {
			if before[j].Name == after[i].Name && before[j].Image != after[i].Image {
				return "image " + before[j].Image + " → " + after[i].Image
			}
		}
	}
	return ""
}

func nodeChange(before, after *corev1.Node) string {
	if before.Spec.Unschedulable != after.Spec.Unschedulable {
		return map[bool]string{true: "cordoned", false: "uncordoned"}[after.Spec.Unschedulable]
	}
	if was, is := nodeReady(before), nodeReady(after); was != is {
		return "Ready is " + is
	}
	for _, t := range after.Spec.Taints {
		if !slices.ContainsFunc(before.Spec.Taints, func(b corev1.Taint) bool { return b.Key == t.Key && b.Effect == t.Effect }) {
			return "tainted " + t.Key + ":" + string(t.Effect)
		}
	}
	if len(before.Spec.Taints) > len(after.Spec.Taints) {
		return "a taint less"
	}
	return ""
}

func nodeReady(n *corev1.Node) string {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return string(c.Status)
		}
	}
	return "Unknown"
}

// decision says how a scheduling cycle ended, or nothing if that was not kept.
func (t *Teller) decision(s *trace.Span) string {
	d, _ := s.Decision.(*scheduler.Decision)
	if d == nil {
		return ""
	}
	pod := t.name(kinds.Key{Resource: "pods", Namespace: d.Pod.Namespace, Name: d.Pod.Name})
	switch d.Outcome {
	case scheduler.Scheduled:
		of := "the only node it fits on"
		if d.Feasible > 1 {
			of = "the best of " + strconv.Itoa(d.Feasible) + " nodes that it fits on"
			if d.Tied > 1 {
				of = "one of " + strconv.Itoa(d.Tied) + " equally good nodes"
			}
		}
		return "bound " + pod + " to " + d.Node + ", " + of
	case scheduler.Waiting:
		return "keeps " + pod + " waiting for " + d.Node
	case scheduler.Unschedulable:
		return "found no node for " + pod + ": " + d.Message
	}
	return "could not schedule " + pod + ": " + d.Message
}
