package core

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

func TestSetPodCondition(t *testing.T) {
	first, later := metav1.Unix(100, 0), metav1.Unix(200, 0)
	var status corev1.PodStatus
	if !SetPodCondition(&status, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, Reason: "Starting"}, first) {
		t.Error("a new condition changed nothing")
	}
	shared := status.Conditions
	steps := []struct {
		name      string
		condition corev1.PodCondition
		changed   bool
		time      metav1.Time
	}{
		{"the same", corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, Reason: "Starting"}, false, first},
		{"another reason", corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, Reason: "Slow"}, true, first},
		{"another status", corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue}, true, later},
	}
	for _, s := range steps {
		if got := SetPodCondition(&status, s.condition, later); got != s.changed {
			t.Errorf("%s: changed is %v, want %v", s.name, got, s.changed)
		}
		if c := PodCondition(&status, corev1.PodReady); !c.LastTransitionTime.Equal(&s.time) {
			t.Errorf("%s: the transition is at %v, want %v", s.name, c.LastTransitionTime, s.time)
		}
	}
	if shared[0].Reason != "Starting" {
		t.Error("the list that others may hold was changed")
	}
}

func TestIsPodAvailable(t *testing.T) {
	now := time.Unix(1000, 0)
	pod := func(status corev1.ConditionStatus, since int64) *corev1.Pod {
		c := corev1.PodCondition{Type: corev1.PodReady, Status: status}
		if since > 0 {
			c.LastTransitionTime = metav1.Unix(since, 0)
		}
		return &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{c}}}
	}
	for _, c := range []struct {
		name     string
		pod      *corev1.Pod
		minReady int32
		want     bool
	}{
		{"no condition", &corev1.Pod{}, 0, false},
		{"not ready", pod(corev1.ConditionFalse, 1), 0, false},
		{"ready at once is enough", pod(corev1.ConditionTrue, 1000), 0, true},
		{"ready for long enough", pod(corev1.ConditionTrue, 990), 10, true},
		{"ready for too short", pod(corev1.ConditionTrue, 991), 10, false},
		{"ready, nobody knows since when", pod(corev1.ConditionTrue, 0), 10, false},
	} {
		if got := IsPodAvailable(c.pod, c.minReady, now); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestIsPodActive(t *testing.T) {
	for _, c := range []struct {
		name string
		pod  corev1.Pod
		want bool
	}{
		{"pending", corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodPending}}, true},
		{"running", corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodRunning}}, true},
		{"succeeded", corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodSucceeded}}, false},
		{"failed", corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodFailed}}, false},
		{"being deleted", corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: ptr.To(metav1.Unix(1, 0))}}, false},
	} {
		if got := IsPodActive(&c.pod); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestIsNodeReady(t *testing.T) {
	node := &corev1.Node{}
	if IsNodeReady(node) {
		t.Error("a node without conditions is ready")
	}
	node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionTrue}, {Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	if !IsNodeReady(node) {
		t.Error("a ready node is not")
	}
}
