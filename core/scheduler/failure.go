package scheduler

import (
	"encoding/json"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/scheduler/framework"
)

// maxEventMessage is the longest message an event may have.
const maxEventMessage = 1024

// fail puts the pod back into the queue and tells people why: an event, and a condition in its status.
// Models pkg/scheduler handleSchedulingFailure.
func (s *Scheduler) fail(c *cycle, st framework.Status, nomination framework.Nomination) {
	if c.release != nil {
		defer c.release()
	}
	reason := corev1.PodReasonSchedulerError
	c.decision.Outcome = Failed
	if st.IsRejected() {
		reason, c.decision.Outcome = corev1.PodReasonUnschedulable, Unschedulable
	}
	message := st.Message()
	c.decision.Node, c.decision.Message = "", message

	var by, pending framework.Names
	var fit *framework.FitError
	if errors.As(st.Err(), &fit) {
		by, pending = fit.Diagnosis.Unschedulable, fit.Diagnosis.Pending
	}
	pod := c.queued.Pod
	latest, ok := s.outside.pod(pod.Namespace, pod.Name)
	switch {
	case !ok || latest.Spec.NodeName != "":
		s.queue.Done(pod.UID) // gone, or bound after all
	case latest.UID != pod.UID:
		s.queue.Done(pod.UID)
		return // the name has gone to another pod
	default:
		s.queue.AddUnschedulable(latest, by, pending)
		pod = latest
		s.queue.Nominate(c.queued.PodInfo, nomination)
	}
	s.outside.events.Warning(pod, "FailedScheduling", truncate(message))
	s.patchStatus(pod, &corev1.PodCondition{
		Type: corev1.PodScheduled, ObservedGeneration: pod.Generation, Status: corev1.ConditionFalse,
		Reason: reason, Message: message,
	}, nomination)
}

func truncate(message string) string {
	const more = " ..."
	if len(message) <= maxEventMessage {
		return message
	}
	return message[:maxEventMessage-len(more)] + more
}

// patchStatus writes a condition (if not nil) and a nomination to the pod, if that changes anything.
// Models pkg/scheduler updatePod.
func (s *Scheduler) patchStatus(pod *corev1.Pod, condition *corev1.PodCondition, nomination framework.Nomination) {
	status := map[string]any{}
	if condition != nil {
		if conditions, changed := withCondition(pod.Status.Conditions, *condition, metav1.Time{Time: s.loop.Now()}); changed {
			status["conditions"] = conditions
			status["$setElementOrder/conditions"] = elementOrder(pod.Status.Conditions, condition.Type)
		}
	}
	if nomination.Override && nomination.Node != pod.Status.NominatedNodeName {
		status["nominatedNodeName"] = nil
		if nomination.Node != "" {
			status["nominatedNodeName"] = nomination.Node
		}
	}
	if len(status) == 0 {
		return
	}
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		panic("BUG: scheduler: status patch: " + err.Error())
	}
	if err := s.outside.api.PatchStatus(pod.Namespace, pod.Name, patch); err != nil {
		s.trace.Step("status patch failed", err.Error())
	}
}

// withCondition returns the conditions to write, just the one, and whether it is news.
// Models pkg/api/v1/pod UpdatePodCondition.
func withCondition(have []corev1.PodCondition, c corev1.PodCondition, now metav1.Time) ([]corev1.PodCondition, bool) {
	c.LastTransitionTime = now
	i := slices.IndexFunc(have, func(h corev1.PodCondition) bool { return h.Type == c.Type })
	if i < 0 {
		return []corev1.PodCondition{c}, true
	}
	old := have[i]
	if old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
	}
	same := old.Status == c.Status && old.Reason == c.Reason && old.Message == c.Message
	return []corev1.PodCondition{c}, !same
}

func elementOrder(have []corev1.PodCondition, added corev1.PodConditionType) []map[string]any {
	var order []map[string]any
	found := false
	for i := range have {
		order = append(order, map[string]any{"type": have[i].Type})
		found = found || have[i].Type == added
	}
	if !found {
		order = append(order, map[string]any{"type": added})
	}
	return order
}
