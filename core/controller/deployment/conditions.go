package deployment

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func condition(t appsv1.DeploymentConditionType, st corev1.ConditionStatus, reason, message string, now metav1.Time) appsv1.DeploymentCondition {
	return appsv1.DeploymentCondition{
		Type: t, Status: st, Reason: reason, Message: message, LastUpdateTime: now, LastTransitionTime: now,
	}
}

func getCondition(st appsv1.DeploymentStatus, t appsv1.DeploymentConditionType) *appsv1.DeploymentCondition {
	for i := range st.Conditions {
		if st.Conditions[i].Type == t {
			return &st.Conditions[i]
		}
	}
	return nil
}

// setCondition puts the condition last, unless the status has it already with the same status and reason.
// The slice it had is not changed: it may be the cached object's.
func setCondition(st *appsv1.DeploymentStatus, c appsv1.DeploymentCondition) {
	if has := getCondition(*st, c.Type); has != nil && has.Status == c.Status {
		if has.Reason == c.Reason {
			return
		}
		c.LastTransitionTime = has.LastTransitionTime
	}
	removeCondition(st, c.Type)
	st.Conditions = append(slices.Clip(st.Conditions), c)
}

func removeCondition(st *appsv1.DeploymentStatus, t appsv1.DeploymentConditionType) {
	if getCondition(*st, t) == nil {
		return
	}
	var keep []appsv1.DeploymentCondition
	for _, c := range st.Conditions {
		if c.Type != t {
			keep = append(keep, c)
		}
	}
	st.Conditions = keep
}

// checkPaused notes in the conditions that progress stops or goes on counting, so that a Deployment which
// was paused for long does not time out when it is resumed. Models checkPausedConditions.
func checkPaused(d *appsv1.Deployment, now metav1.Time) {
	if !limited(d) {
		return
	}
	c := getCondition(d.Status, appsv1.DeploymentProgressing)
	if c != nil && c.Reason == reasonTimedOut {
		return
	}
	switch noted := c != nil && c.Reason == reasonPaused; {
	case d.Spec.Paused && !noted:
		setCondition(&d.Status, condition(appsv1.DeploymentProgressing, corev1.ConditionUnknown, reasonPaused, "Deployment is paused", now))
	case !d.Spec.Paused && noted:
		setCondition(&d.Status, condition(appsv1.DeploymentProgressing, corev1.ConditionUnknown, reasonResumed, "Deployment is resumed", now))
	}
}
