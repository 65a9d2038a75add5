package deployment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

func TestRevisions(t *testing.T) {
	list := []*appsv1.ReplicaSet{
		withRevision(aSet("a", 1, 0, 0), "3"), withRevision(aSet("b", 1, 0, 0), "7"),
		withRevision(aSet("c", 1, 0, 0), "rubbish"), aSet("d", 1, 0, 0), withRevision(aSet("e", 1, 0, 0), "5"),
	}
	if got := maxRevision(list); got != 7 {
		t.Errorf("maxRevision: got %d, want 7", got)
	}
	if got := lastRevision(list); got != 5 {
		t.Errorf("lastRevision: got %d, want 5", got)
	}
	if got := lastRevision(list[:1]); got != 0 {
		t.Errorf("lastRevision of one: got %d, want 0", got)
	}
}

func TestNoted(t *testing.T) {
	d := aDeployment(1, "1", "0")
	d.Annotations = map[string]string{
		"kubernetes.io/change-cause": "edit", corev1.LastAppliedConfigAnnotation: "{}", revisionAnnotation: "9",
	}
	cause := map[string]string{"kubernetes.io/change-cause": "edit"}
	with := func(more ...string) map[string]string {
		m := map[string]string{"kubernetes.io/change-cause": "edit"}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	tests := []struct {
		name    string
		has     map[string]string
		next    int64
		want    map[string]string
		changed bool
	}{
		{"a new set", nil, 1, with(revisionAnnotation, "1"), true},
		{"right as it is", with(revisionAnnotation, "4"), 4, with(revisionAnnotation, "4"), false},
		{"never lowered", with(revisionAnnotation, "4"), 2, with(revisionAnnotation, "4"), false},
		{"rolled back to: the old one is remembered", with(revisionAnnotation, "1"), 3,
			with(revisionAnnotation, "3", historyAnnotation, "1"), true},
		{"and again", with(revisionAnnotation, "3", historyAnnotation, "1"), 5,
			with(revisionAnnotation, "5", historyAnnotation, "1,3"), true},
		{"unreadable", with(revisionAnnotation, "x"), 3, with(revisionAnnotation, "x"), false},
		{"no revision yet", cause, 2, with(revisionAnnotation, "2"), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, changed := noted(d, tt.has, tt.next)
			if changed != tt.changed {
				t.Errorf("changed: got %v, want %v", changed, tt.changed)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("annotations (-want +got):\n%s", diff)
			}
		})
	}
	if len(cause) != 1 {
		t.Error("the map given was changed")
	}
}

func TestRemembered(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("10,", 666), ",") // 1997 characters
	got := remembered(long, "2345")
	if len(got) > historyLimit || !strings.HasSuffix(got, "10,2345") || !strings.HasPrefix(got, "10,") {
		t.Errorf("got %d characters, %s...%s", len(got), got[:6], got[len(got)-10:])
	}
}

func TestRollbackTo(t *testing.T) {
	d := aDeployment(1, "1", "0")
	if _, ok := rollbackTo(d); ok {
		t.Error("no annotation asks for no rollback")
	}
	d.Annotations = map[string]string{appsv1.DeprecatedRollbackTo: "3"}
	if rev, ok := rollbackTo(d); !ok || rev != 3 {
		t.Errorf("got %d, %v", rev, ok)
	}
}
