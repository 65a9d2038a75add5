package deployment

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func progress(reason string, st corev1.ConditionStatus, update time.Duration) appsv1.DeploymentCondition {
	return condition(appsv1.DeploymentProgressing, st, reason, "", at(update))
}

func TestStatus(t *testing.T) {
	d := aDeployment(5, "2", "1")
	d.Generation = 4
	two := int32(2)
	old, fresh := aSet("old", 1, 3, 3), aSet("new", 2, 4, 1)
	old.Status.TerminatingReplicas = &two
	got := status(d, sets{fresh: fresh, old: []*appsv1.ReplicaSet{old}}, epoch)
	want := appsv1.DeploymentStatus{
		ObservedGeneration: 4, Replicas: 7, UpdatedReplicas: 4, ReadyReplicas: 4, AvailableReplicas: 4, UnavailableReplicas: 3,
		TerminatingReplicas: &two,
		Conditions: []appsv1.DeploymentCondition{condition(appsv1.DeploymentAvailable, corev1.ConditionTrue,
			"MinimumReplicasAvailable", "Deployment has minimum availability.", epoch)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	fresh.Status.AvailableReplicas = 0
	got = status(d, sets{fresh: fresh, old: []*appsv1.ReplicaSet{old}}, epoch)
	if c := got.Conditions[0]; c.Status != corev1.ConditionFalse || c.Reason != "MinimumReplicasUnavailable" {
		t.Errorf("3 of 5 available, 4 needed: got %+v", c)
	}
	old.Status.TerminatingReplicas, old.Status.ObservedGeneration = nil, 1
	if got := status(d, sets{old: []*appsv1.ReplicaSet{old}}, epoch).TerminatingReplicas; got != nil {
		t.Errorf("a synced set does not tell its terminating replicas: got a sum of %d", *got)
	}
}

func TestRolloutStatus(t *testing.T) {
	full := appsv1.DeploymentStatus{Replicas: 3, UpdatedReplicas: 3, ReadyReplicas: 3, AvailableReplicas: 3}
	tests := []struct {
		name        string
		size, avail int32
		was         appsv1.DeploymentStatus
		cond        *appsv1.DeploymentCondition
		now         time.Duration
		reason      string
		status      corev1.ConditionStatus
		updated     time.Duration
	}{
		{"begins", 3, 0, appsv1.DeploymentStatus{}, nil, 0, "ReplicaSetUpdated", corev1.ConditionTrue, 0},
		{"goes on: the time moves though the reason stays", 3, 1, appsv1.DeploymentStatus{Replicas: 3, UpdatedReplicas: 3},
			new(progress(reasonUpdated, corev1.ConditionTrue, 0)), time.Minute, "ReplicaSetUpdated", corev1.ConditionTrue, time.Minute},
		{"stands still", 3, 0, appsv1.DeploymentStatus{Replicas: 3, UpdatedReplicas: 3},
			new(progress(reasonUpdated, corev1.ConditionTrue, 0)), 10 * time.Minute, "ReplicaSetUpdated", corev1.ConditionTrue, 0},
		{"times out", 3, 0, appsv1.DeploymentStatus{Replicas: 3, UpdatedReplicas: 3},
			new(progress(reasonUpdated, corev1.ConditionTrue, 0)), 10*time.Minute + 1, "ProgressDeadlineExceeded", corev1.ConditionFalse, 10 * time.Minute},
		{"timed out and then moves", 3, 2, appsv1.DeploymentStatus{Replicas: 3, UpdatedReplicas: 3},
			new(progress(reasonTimedOut, corev1.ConditionFalse, 0)), time.Hour, "ReplicaSetUpdated", corev1.ConditionTrue, time.Hour},
		{"completes", 3, 3, appsv1.DeploymentStatus{Replicas: 3, UpdatedReplicas: 3},
			new(progress(reasonUpdated, corev1.ConditionTrue, 0)), time.Minute, "NewReplicaSetAvailable", corev1.ConditionTrue, time.Minute},
		{"stays complete, even if pods fail", 3, 1, full,
			new(progress(reasonComplete, corev1.ConditionTrue, 0)), time.Hour, "NewReplicaSetAvailable", corev1.ConditionTrue, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := aDeployment(3, "1", "0")
			d.Status = tt.was
			if tt.cond != nil {
				d.Status.Conditions = []appsv1.DeploymentCondition{*tt.cond}
			}
			st := rolloutStatus(d, sets{fresh: aSet("new", 1, tt.size, tt.avail)}, at(tt.now))
			c := getCondition(st, appsv1.DeploymentProgressing)
			if c == nil || c.Reason != tt.reason || c.Status != tt.status {
				t.Fatalf("Progressing: got %+v, want %s, %s", c, tt.reason, tt.status)
			}
			if want := at(tt.updated).Truncate(time.Second); !c.LastUpdateTime.Truncate(time.Second).Equal(want) {
				t.Errorf("updated at %v, want %v", c.LastUpdateTime, want)
			}
		})
	}
}

func TestRolloutStatusWithoutDeadline(t *testing.T) {
	d := aDeployment(3, "1", "0")
	d.Spec.ProgressDeadlineSeconds = nil
	d.Status.Conditions = []appsv1.DeploymentCondition{progress(reasonUpdated, corev1.ConditionTrue, 0)}
	if c := getCondition(rolloutStatus(d, sets{fresh: aSet("new", 1, 3, 0)}, epoch), appsv1.DeploymentProgressing); c != nil {
		t.Errorf("got %+v, want no Progressing", c)
	}
	if len(d.Status.Conditions) != 1 {
		t.Error("the cached conditions were changed")
	}
}

func TestFailure(t *testing.T) {
	d := aDeployment(3, "1", "0")
	rs := aSet("new", 1, 3, 0)
	rs.Status.Conditions = []appsv1.ReplicaSetCondition{{
		Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: "quota", LastTransitionTime: epoch,
	}}
	c := getCondition(rolloutStatus(d, sets{fresh: rs}, at(time.Hour)), appsv1.DeploymentReplicaFailure)
	want := condition(appsv1.DeploymentReplicaFailure, corev1.ConditionTrue, "FailedCreate", "quota", epoch)
	if diff := cmp.Diff(&want, c); diff != "" {
		t.Errorf("ReplicaFailure (-want +got):\n%s", diff)
	}
}

func TestNextCheck(t *testing.T) {
	d := aDeployment(3, "1", "0")
	d.Status.Conditions = []appsv1.DeploymentCondition{progress(reasonUpdated, corev1.ConditionTrue, 0)}
	if wait, ok := nextCheck(d, epoch.Add(3*time.Minute)); !ok || wait != 7*time.Minute+time.Second {
		t.Errorf("after 3 of 10 minutes: got %v, %v", wait, ok)
	}
	d.Status.Conditions[0].Reason = reasonTimedOut
	if _, ok := nextCheck(d, epoch.Time); ok {
		t.Error("there is nothing to wait for after the time-out")
	}
}

func TestCheckPaused(t *testing.T) {
	d := aDeployment(3, "1", "0")
	d.Spec.Paused = true
	checkPaused(d, epoch)
	if c := getCondition(d.Status, appsv1.DeploymentProgressing); c == nil || c.Reason != "DeploymentPaused" || c.Status != corev1.ConditionUnknown || c.Message != "Deployment is paused" {
		t.Errorf("paused: got %+v", c)
	}
	d.Spec.Paused = false
	checkPaused(d, at(time.Hour))
	if c := getCondition(d.Status, appsv1.DeploymentProgressing); c.Reason != "DeploymentResumed" || c.Message != "Deployment is resumed" || !c.LastUpdateTime.Equal(new(at(time.Hour))) {
		t.Errorf("resumed: got %+v", c)
	}
	d.Spec.Paused = true
	d.Status.Conditions = []appsv1.DeploymentCondition{progress(reasonTimedOut, corev1.ConditionFalse, 0)}
	checkPaused(d, epoch)
	if c := getCondition(d.Status, appsv1.DeploymentProgressing); c.Reason != reasonTimedOut {
		t.Errorf("a time-out must stay visible: got %+v", c)
	}
}
