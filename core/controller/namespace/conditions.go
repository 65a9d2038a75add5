package namespace

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// fine is what each condition says when there is nothing to report, in the order they are written.
// Models pkg/controller/namespace/deletion status_condition_utils.go.
var fine = [...]struct {
	condition       corev1.NamespaceConditionType
	reason, message string
}{
	{corev1.NamespaceDeletionDiscoveryFailure, "ResourcesDiscovered", "All resources successfully discovered"},
	{corev1.NamespaceDeletionGVParsingFailure, "ParsedGroupVersions", "All legacy kube types successfully parsed"},
	{corev1.NamespaceDeletionContentFailure, "ContentDeleted", "All content successfully deleted, may be waiting on finalization"},
	{corev1.NamespaceContentRemaining, "ContentRemoved", "All content successfully removed"},
	{corev1.NamespaceFinalizersRemaining, "ContentHasNoFinalizers", "All content-preserving finalizers finished"},
}

// troubles are the conditions that have something to report.
func (r *remains) troubles() []corev1.NamespaceCondition {
	var out []corev1.NamespaceCondition
	add := func(t corev1.NamespaceConditionType, reason, message string) {
		out = append(out, corev1.NamespaceCondition{
			Type: t, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastTransitionTime: r.now,
		})
	}
	if len(r.objects) > 0 && !r.podsOnly {
		add(corev1.NamespaceContentRemaining, "SomeResourcesRemain", "Some resources are remaining: "+
			strings.Join(sortedCounts(r.objects, func(name string, n int) string {
				return fmt.Sprintf("%s has %d resource instances", name, n)
			}), ", "))
	}
	if len(r.finalizers) > 0 && !r.podsOnly {
		add(corev1.NamespaceFinalizersRemaining, "SomeFinalizersRemain", "Some content in the namespace has finalizers remaining: "+
			strings.Join(sortedCounts(r.finalizers, func(name string, n int) string {
				return fmt.Sprintf("%s in %d resource instances", name, n)
			}), ", "))
	}
	if len(r.errs) > 0 {
		texts := make([]string, len(r.errs))
		for i, err := range r.errs {
			texts[i] = err.Error()
		}
		slices.Sort(texts)
		add(corev1.NamespaceDeletionContentFailure, "ContentDeletionFailed",
			fmt.Sprintf("Failed to delete all resource types, %d remaining: %s", len(texts), strings.Join(texts, ", ")))
	}
	return out
}

// conditions returns the namespace's conditions as they should be, and whether they are other ones.
// Models updateConditions.
func (r *remains) conditions(ns *corev1.Namespace) (out []corev1.NamespaceCondition, changed bool) {
	troubles := r.troubles()
	out = slices.Clone(ns.Status.Conditions)
	for _, f := range fine {
		want := corev1.NamespaceCondition{
			Type: f.condition, Status: corev1.ConditionFalse, Reason: f.reason, Message: f.message, LastTransitionTime: r.now,
		}
		if i := find(troubles, f.condition); i >= 0 {
			want = troubles[i]
		}
		i := find(out, f.condition)
		if i < 0 {
			out, changed = append(out, want), true
			continue
		}
		has := out[i]
		if has.Status == want.Status {
			want.LastTransitionTime = has.LastTransitionTime
		}
		if has.Status != want.Status || has.Reason != want.Reason || has.Message != want.Message {
			out[i], changed = want, true
		}
	}
	return out, changed
}

func find(list []corev1.NamespaceCondition, t corev1.NamespaceConditionType) int {
	return slices.IndexFunc(list, func(c corev1.NamespaceCondition) bool { return c.Type == t })
}

func (r *remains) changesConditions(ns *corev1.Namespace) bool {
	_, changed := r.conditions(ns)
	return changed
}

func (r *remains) withConditions(ns *corev1.Namespace) *corev1.Namespace {
	next := *ns
	next.Status.Conditions, _ = r.conditions(ns)
	return &next
}
