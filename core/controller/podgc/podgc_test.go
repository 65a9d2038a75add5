package podgc

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestSurplus(t *testing.T) {
	pod := func(name string, made int64, phase corev1.PodPhase, reason string) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.Time{Time: time.Unix(made, 0)}},
			Status:     corev1.PodStatus{Phase: phase, Reason: reason},
		}
	}
	all := []*corev1.Pod{
		pod("old", 1, corev1.PodSucceeded, ""), pod("running", 0, corev1.PodRunning, ""), pod("new", 9, corev1.PodFailed, ""),
		pod("evicted", 8, corev1.PodFailed, "Evicted"), pod("middle", 5, corev1.PodFailed, ""),
	}
	for threshold, want := range map[int][]string{4: nil, 3: {"evicted"}, 1: {"evicted", "old", "middle"}} {
		var got []string
		for _, p := range surplus(all, threshold) {
			got = append(got, p.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("threshold %d (-want +got):\n%s", threshold, diff)
		}
	}
}
