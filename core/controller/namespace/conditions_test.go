package namespace

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestConditions(t *testing.T) {
	first := metav1.Time{Time: time.Unix(100, 0)}
	later := metav1.Time{Time: time.Unix(200, 0)}
	r := &remains{
		objects: map[string]int{"pods.": 2, "deployments.apps": 1}, finalizers: map[string]int{"b/c": 1, "a/b": 2},
		errs: []error{errors.New("second"), errors.New("first")}, now: first,
	}
	ns := &corev1.Namespace{}
	got, changed := r.conditions(ns)
	type brief struct{ Type, Status, Reason, Message string }
	short := func(list []corev1.NamespaceCondition) (out []brief) {
		for _, c := range list {
			out = append(out, brief{string(c.Type), string(c.Status), c.Reason, c.Message})
		}
		return out
	}
	want := []brief{
		{"NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"},
		{"NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions", "All legacy kube types successfully parsed"},
		{"NamespaceDeletionContentFailure", "True", "ContentDeletionFailed", "Failed to delete all resource types, 2 remaining: first, second"},
		{"NamespaceContentRemaining", "True", "SomeResourcesRemain", "Some resources are remaining: deployments.apps has 1 resource instances, pods. has 2 resource instances"},
		{"NamespaceFinalizersRemaining", "True", "SomeFinalizersRemain", "Some content in the namespace has finalizers remaining: a/b in 2 resource instances, b/c in 1 resource instances"},
	}
	if diff := cmp.Diff(want, short(got)); diff != "" || !changed {
		t.Errorf("changed %v (-want +got):\n%s", changed, diff)
	}

	ns.Status.Conditions = got
	if _, changed := r.conditions(ns); changed {
		t.Error("the same again is no change")
	}
	clean := &remains{now: later}
	got, changed = clean.conditions(ns)
	if !changed || got[3].Reason != "ContentRemoved" || got[3].LastTransitionTime != later || got[0].LastTransitionTime != first {
		t.Errorf("when all is gone: changed %v, %+v", changed, got)
	}
	if ns.Status.Conditions[3].Reason != "SomeResourcesRemain" {
		t.Error("the cached namespace was changed")
	}

	waiting := &remains{objects: map[string]int{"pods.": 2}, podsOnly: true, now: first}
	if got, _ := waiting.conditions(&corev1.Namespace{}); got[3].Status != corev1.ConditionFalse {
		t.Errorf("while only pods were tried nothing is said of the rest: %+v", got[3])
	}
}
