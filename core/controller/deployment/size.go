package deployment

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func replicas(rs *appsv1.ReplicaSet) int32 { return *rs.Spec.Replicas }

// wanted is the sum of the sizes that the sets are asked to have; nil sets count nothing.
func wanted(sets []*appsv1.ReplicaSet) (n int32) {
	for _, rs := range sets {
		if rs != nil {
			n += replicas(rs)
		}
	}
	return n
}

// available is the sum of the available replicas of the sets.
func available(sets []*appsv1.ReplicaSet) (n int32) {
	for _, rs := range sets {
		if rs != nil {
			n += rs.Status.AvailableReplicas
		}
	}
	return n
}

// active returns the sets that ask for pods.
func active(sets ...*appsv1.ReplicaSet) []*appsv1.ReplicaSet {
	var out []*appsv1.ReplicaSet
	for _, rs := range sets {
		if rs != nil && replicas(rs) > 0 {
			out = append(out, rs)
		}
	}
	return out
}

func rolling(d *appsv1.Deployment) bool {
	return d.Spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType
}

// fenceposts resolves maxSurge (rounded up) and maxUnavailable (rounded down) for a size. Where both come
// out as zero, one pod may be unavailable: else nothing could move. Models ResolveFenceposts.
func fenceposts(maxSurge, maxUnavailable *intstr.IntOrString, desired int32) (surge, unavailable int32, err error) {
	zero := intstr.FromInt32(0)
	s, err := intstr.GetScaledValueFromIntOrPercent(cmp.Or(maxSurge, &zero), int(desired), true)
	if err != nil {
		return 0, 0, err
	}
	u, err := intstr.GetScaledValueFromIntOrPercent(cmp.Or(maxUnavailable, &zero), int(desired), false)
	if err != nil {
		return 0, 0, err
	}
	if s == 0 && u == 0 {
		u = 1
	}
	return int32(s), int32(u), nil
}

// maxSurge returns how many pods more than asked for may exist. Validation keeps errors out.
func maxSurge(d *appsv1.Deployment) int32 {
	if !rolling(d) || d.Spec.Strategy.RollingUpdate == nil {
		return 0
	}
	r := d.Spec.Strategy.RollingUpdate
	surge, _, _ := fenceposts(r.MaxSurge, r.MaxUnavailable, *d.Spec.Replicas)
	return surge
}

// maxUnavailable returns how many pods fewer than asked for may be available.
func maxUnavailable(d *appsv1.Deployment) int32 {
	if !rolling(d) || *d.Spec.Replicas == 0 || d.Spec.Strategy.RollingUpdate == nil {
		return 0
	}
	r := d.Spec.Strategy.RollingUpdate
	_, unavailable, _ := fenceposts(r.MaxSurge, r.MaxUnavailable, *d.Spec.Replicas)
	return min(unavailable, *d.Spec.Replicas)
}

// newSize returns how many replicas the new set may have beside the others. Models NewRSNewReplicas.
func newSize(d *appsv1.Deployment, all []*appsv1.ReplicaSet, size int32) int32 {
	if !rolling(d) {
		return *d.Spec.Replicas
	}
	room := *d.Spec.Replicas + maxSurge(d) - wanted(all)
	if room <= 0 {
		return size
	}
	return size + min(room, *d.Spec.Replicas-size)
}

// saturated reports whether the set has all the pods of the Deployment, available, and both agree on how
// many that is. Models IsSaturated.
func saturated(d *appsv1.Deployment, rs *appsv1.ReplicaSet) bool {
	if rs == nil {
		return false
	}
	n := *d.Spec.Replicas
	desired, err := strconv.Atoi(rs.Annotations[desiredAnnotation])
	return err == nil && int32(desired) == n && replicas(rs) == n && rs.Status.AvailableReplicas == n
}

// share returns what one set gets of the replicas that a scaled Deployment adds (or, negative, takes away),
// in proportion to its size; added is what the sets before it got. Models GetReplicaSetProportion.
func share(d *appsv1.Deployment, rs *appsv1.ReplicaSet, toAdd, added int32) int32 {
	if replicas(rs) == 0 || toAdd == 0 || toAdd == added {
		return 0
	}
	if toAdd > 0 {
		return min(fraction(d, rs), toAdd-added)
	}
	return max(fraction(d, rs), toAdd-added)
}

// fraction returns how much the set grows when the Deployment's largest size changes from what the set's
// annotation says to what it is now. Models getReplicaSetFraction.
func fraction(d *appsv1.Deployment, rs *appsv1.ReplicaSet) int32 {
	if *d.Spec.Replicas == 0 {
		return -replicas(rs)
	}
	before, ok := annotatedSize(rs, maxAnnotation)
	if !ok || before == 0 {
		if before = d.Status.Replicas; before == 0 {
			return 0
		}
	}
	now := *d.Spec.Replicas + maxSurge(d)
	return int32(math.Round(float64(replicas(rs)*now)/float64(before))) - replicas(rs)
}

// annotatedSize reads a size that the controller noted on a set.
func annotatedSize(rs *appsv1.ReplicaSet, annotation string) (n int32, ok bool) {
	v, err := strconv.ParseUint(rs.Annotations[annotation], 10, 31)
	return int32(v), err == nil
}

// byAge orders sets from old to new, by name where they are of the same second.
func byAge(a, b *appsv1.ReplicaSet) int {
	if a.CreationTimestamp.Equal(&b.CreationTimestamp) {
		return strings.Compare(a.Name, b.Name)
	}
	return a.CreationTimestamp.Compare(b.CreationTimestamp.Time)
}

// bySizeOlder orders sets from large to small, older first among equals; bySizeNewer newer first.
func bySizeOlder(a, b *appsv1.ReplicaSet) int {
	return cmp.Or(cmp.Compare(replicas(b), replicas(a)), byAge(a, b))
}

func bySizeNewer(a, b *appsv1.ReplicaSet) int {
	return cmp.Or(cmp.Compare(replicas(b), replicas(a)), byAge(b, a))
}
