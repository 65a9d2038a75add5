package replicaset

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func aSet(n, minReady int32) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: "web-1", Namespace: "default", UID: "rs", Generation: 1},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &n, MinReadySeconds: minReady, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web", "tier": "front"}}},
		},
	}
}

func label(k, v string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Labels = map[string]string{"app": "web", k: v}
	}
}

func deleted(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: epoch} }

func TestCountPods(t *testing.T) {
	list := []*corev1.Pod{
		aPod("a", label("tier", "front"), ready(10*time.Second)),
		aPod("b", ready(5*time.Second)),
		aPod("c", label("tier", "back")),
	}
	for _, tt := range []struct {
		minReady int32
		want     numbers
	}{
		{0, numbers{active: 3, ready: 2, available: 2, labeled: 1}},
		{10, numbers{active: 3, ready: 2, available: 1, labeled: 1}},
		{11, numbers{active: 3, ready: 2, available: 0, labeled: 1}},
	} {
		if got := countPods(aSet(3, tt.minReady), list, epoch); got != tt.want {
			t.Errorf("minReadySeconds %d: got %+v, want %+v", tt.minReady, got, tt.want)
		}
	}
	if got := nextAvailable(aSet(3, 11), list, epoch); got != time.Second {
		t.Errorf("the first becomes available in %v, want 1s", got)
	}
	if got := nextAvailable(aSet(3, 11), list[2:], epoch); got != 11*time.Second {
		t.Errorf("none becomes available: look again in %v, want 11s", got)
	}
}

// The census must agree with a count from scratch whatever happens to pods, in whatever order it hears of it.
func TestCensus(t *testing.T) {
	rs := aSet(3, 0)
	c, err := newCensus(rs, []*corev1.Pod{aPod("a"), aPod("b", ready(0), label("tier", "front"))})
	if err != nil {
		t.Fatal(err)
	}
	type want struct{ active, ready, labeled, ending, stray int32 }
	step := func(name string, changed, wantChanged bool, w want) {
		t.Helper()
		if got := (want{c.active, c.ready, c.labeled, c.ending, c.stray}); got != w {
			t.Errorf("%s: got %+v, want %+v", name, got, w)
		}
		if changed != wantChanged {
			t.Errorf("%s: changed %v, want %v", name, changed, wantChanged)
		}
	}
	step("made", true, true, want{2, 1, 1, 0, 0})
	step("told again", c.count(aPod("a")), false, want{2, 1, 1, 0, 0})
	step("assigned, nothing changes", c.count(aPod("a", on("n"))), false, want{2, 1, 1, 0, 0})
	step("ready", c.count(aPod("a", ready(0))), true, want{2, 2, 1, 0, 0})
	step("deleted", c.count(aPod("b", ready(0), deleted)), true, want{1, 1, 0, 1, 0})
	step("gone", c.drop("b"), true, want{1, 1, 0, 0, 0})
	step("gone twice", c.drop("b"), false, want{1, 1, 0, 0, 0})
	step("relabeled away", c.count(aPod("a", ready(0), func(p *corev1.Pod) { p.Labels = nil })), true, want{0, 0, 0, 0, 1})
	step("failed", c.count(aPod("c", phase(corev1.PodFailed))), true, want{0, 0, 0, 0, 1})
}

func TestNextStatus(t *testing.T) {
	boom := errors.New("exceeded quota")
	now := metav1.Time{Time: epoch}
	failure := appsv1.ReplicaSetCondition{
		Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: "exceeded quota", LastTransitionTime: now,
	}
	rs := aSet(3, 0)
	st := nextStatus(rs, numbers{active: 1, ready: 1, available: 1, labeled: 1, ending: 2}, boom, now)
	want := appsv1.ReplicaSetStatus{
		Replicas: 1, FullyLabeledReplicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, TerminatingReplicas: new(int32(2)),
		Conditions: []appsv1.ReplicaSetCondition{failure},
	}
	if diff := cmp.Diff(want, st); diff != "" {
		t.Errorf("failed to create (-want +got):\n%s", diff)
	}
	rs.Status = st
	if st = nextStatus(rs, numbers{active: 4}, errors.New("other"), now); st.Conditions[0] != failure {
		t.Errorf("a failure that is noted stays as it is: got %+v", st.Conditions)
	}
	if st = nextStatus(rs, numbers{active: 3}, nil, now); st.Conditions != nil || len(rs.Status.Conditions) != 1 {
		t.Errorf("no failure: got %+v", st.Conditions)
	}
	rs.Status = appsv1.ReplicaSetStatus{}
	if st = nextStatus(rs, numbers{active: 4}, boom, now); st.Conditions[0].Reason != "FailedDelete" {
		t.Errorf("too many: got %+v", st.Conditions)
	}
	if upToDate(rs, st) {
		t.Error("a status with another number of replicas is not up to date")
	}
}

func TestInBatches(t *testing.T) {
	tests := []struct {
		name        string
		n, failAt   int
		wantOK      int
		wantCalls   int
		wantBatches []int
	}{
		{"none", 0, 0, 0, 0, nil},
		{"all well", 10, 0, 10, 10, []int{1, 2, 4, 3}},
		{"the first fails", 10, 1, 0, 1, []int{1}},
		{"a later batch is finished", 10, 5, 6, 7, []int{1, 2, 4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls, batches := 0, []int(nil)
			together := func(f func()) {
				before := calls
				f()
				batches = append(batches, calls-before)
			}
			ok, err := inBatches(tt.n, 1, together, func() error {
				if calls++; calls == tt.failAt {
					return errors.New("no")
				}
				return nil
			})
			if ok != tt.wantOK || calls != tt.wantCalls || (err != nil) != (tt.failAt > 0) {
				t.Errorf("got %d of %d calls, error %v; want %d of %d", ok, calls, err, tt.wantOK, tt.wantCalls)
			}
			if diff := cmp.Diff(tt.wantBatches, batches); diff != "" {
				t.Errorf("batches (-want +got):\n%s", diff)
			}
		})
	}
}
