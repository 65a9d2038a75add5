package deployment

import (
	"cmp"
	"maps"
	"math"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// historyLimit is the length in characters that the history annotation may reach.
const historyLimit = 2000

// revision returns the revision noted on a set or Deployment, 0 if none is.
func revision(obj metav1.Object) (int64, error) {
	v, ok := obj.GetAnnotations()[revisionAnnotation]
	if !ok {
		return 0, nil
	}
	return strconv.ParseInt(v, 10, 64)
}

// maxRevision returns the highest revision; sets with an unreadable one count nothing.
func maxRevision(list []*appsv1.ReplicaSet) (highest int64) {
	for _, rs := range list {
		if v, err := revision(rs); err == nil {
			highest = max(highest, v)
		}
	}
	return highest
}

// lastRevision returns the second highest revision, 0 if there is none. Models LastRevision.
func lastRevision(list []*appsv1.ReplicaSet) (second int64) {
	highest := int64(0)
	for _, rs := range list {
		v, err := revision(rs)
		switch {
		case err != nil:
		case v >= highest:
			highest, second = v, highest
		case v > second:
			second = v
		}
	}
	return second
}

// byRevision orders sets from low to high revision, from old to new where that does not tell.
func byRevision(a, b *appsv1.ReplicaSet) int {
	va, erra := revision(a)
	vb, errb := revision(b)
	if erra != nil || errb != nil {
		return byAge(a, b)
	}
	return cmp.Or(cmp.Compare(va, vb), byAge(a, b))
}

// own reports whether an annotation is the controller's (or apply's) own on each object, never copied from
// a Deployment to its sets or back.
func own(annotation string) bool {
	switch annotation {
	case corev1.LastAppliedConfigAnnotation, revisionAnnotation, historyAnnotation, desiredAnnotation, maxAnnotation,
		appsv1.DeprecatedRollbackTo:
		return true
	}
	return false
}

// noted returns the annotations that the fresh set is to have: those of the Deployment, and the revision,
// which only ever grows. When a set gets a higher revision again (a rollback), the one it had goes into its
// history. The map given is not changed; changed is false when it is right as it is.
// Models SetNewReplicaSetAnnotations.
func noted(d *appsv1.Deployment, has map[string]string, next int64) (annotations map[string]string, changed bool) {
	annotations = has
	set := func(k, v string) {
		if !changed {
			annotations, changed = make(map[string]string, len(has)+len(d.Annotations)+4), true
			maps.Copy(annotations, has)
		}
		annotations[k] = v
	}
	for k, v := range d.Annotations { // any order: each goes under its own key
		if old, ok := has[k]; !own(k) && (!ok || old != v) {
			set(k, v)
		}
	}
	before, had := has[revisionAnnotation]
	current, err := strconv.ParseInt(cmp.Or(before, "0"), 10, 64)
	if err != nil {
		return has, false
	}
	if current < next {
		set(revisionAnnotation, strconv.FormatInt(next, 10))
		if had {
			set(historyAnnotation, remembered(has[historyAnnotation], before))
		}
	}
	return annotations, changed
}

// remembered adds a revision to a history, dropping the oldest where it would become too long.
func remembered(history, rev string) string {
	if history == "" {
		return rev
	}
	all := history + "," + rev
	for len(all) > historyLimit {
		_, rest, ok := strings.Cut(all, ",")
		if !ok {
			return history
		}
		all = rest
	}
	return all
}

// noteSizes writes the sizes that belong to the Deployment into a set's annotations; it reports whether
// they were other ones. Models SetReplicasAnnotations.
func noteSizes(annotations map[string]string, d *appsv1.Deployment) (changed bool) {
	n := *d.Spec.Replicas
	for _, note := range [...]struct {
		key  string
		size int32
	}{{desiredAnnotation, n}, {maxAnnotation, n + maxSurge(d)}} {
		if text := strconv.FormatInt(int64(note.size), 10); annotations[note.key] != text {
			annotations[note.key] = text
			changed = true
		}
	}
	return changed
}

// rollbackTo returns the revision that the deprecated annotation of extensions/v1beta1 asks for.
func rollbackTo(d *appsv1.Deployment) (rev int64, ok bool) {
	rev, err := strconv.ParseInt(d.Annotations[appsv1.DeprecatedRollbackTo], 10, 64)
	return rev, err == nil
}

// limited reports whether a Deployment has a progress deadline. Models HasProgressDeadline.
func limited(d *appsv1.Deployment) bool {
	return d.Spec.ProgressDeadlineSeconds != nil && *d.Spec.ProgressDeadlineSeconds != math.MaxInt32
}
