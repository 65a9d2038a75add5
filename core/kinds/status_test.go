package kinds_test

import (
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds/all"
)

func TestStatusIsGuarded(t *testing.T) {
	for _, k := range all.Registry().List() {
		s := k.Strategy
		if k.HasStatus && (s.PrepareForCreate == nil || s.PrepareForUpdate == nil || s.PrepareForStatusUpdate == nil) {
			t.Errorf("status of %v is not guarded", k.GVK)
			continue
		}
		if k.HasStatus {
			s.PrepareForCreate(k.New())
			s.PrepareForUpdate(k.New(), k.New())
			s.PrepareForStatusUpdate(k.New(), k.New())
		}
	}
	job := func(schedule string, active int32, label string) *batchv1.Job {
		return &batchv1.Job{
			ObjectMeta: metav1.ObjectMeta{Name: "j", ResourceVersion: label, Labels: map[string]string{"l": label}},
			Spec:       batchv1.JobSpec{ManagedBy: &schedule},
			Status:     batchv1.JobStatus{Active: active},
		}
	}
	s := all.Registry().ByName("jobs").Strategy
	created := job("a", 1, "x")
	s.PrepareForCreate(created)
	updated := job("b", 2, "y")
	s.PrepareForUpdate(updated, job("a", 1, "x"))
	status := job("b", 2, "y")
	s.PrepareForStatusUpdate(status, job("a", 1, "x"))
	wantStatus := job("a", 2, "x")
	wantStatus.ResourceVersion = "y"
	for name, pair := range map[string][2]*batchv1.Job{
		"create": {created, job("a", 0, "x")},
		"update": {updated, job("b", 1, "y")},
		"status": {status, wantStatus},
	} {
		if !equality.Semantic.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: got %+v, want %+v", name, pair[0], pair[1])
		}
	}
}
