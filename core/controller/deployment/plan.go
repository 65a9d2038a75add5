package deployment

import (
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
)

// A resize is one set to be given another size.
type resize struct {
	set      *appsv1.ReplicaSet
	from, to int32
	notes    bool // also when only the annotations that note sizes change
}

// sets are the ReplicaSets of a Deployment. fresh has the Deployment's template and is nil until it exists;
// old are the others, in no order that matters.
type sets struct {
	fresh *appsv1.ReplicaSet
	old   []*appsv1.ReplicaSet
}

// sortOut finds the set that has the Deployment's template, the oldest if there are several.
// Models FindNewReplicaSet and FindOldReplicaSets.
func sortOut(list []*appsv1.ReplicaSet, current func(*appsv1.ReplicaSet) bool) sets {
	list = slices.SortedFunc(slices.Values(list), byAge)
	for i, rs := range list {
		if current(rs) {
			return sets{fresh: rs, old: slices.Delete(list, i, i+1)}
		}
	}
	return sets{old: list}
}

func (s sets) all() []*appsv1.ReplicaSet {
	if s.fresh == nil {
		return s.old
	}
	return append(slices.Clip(s.old), s.fresh)
}

// scaled reports whether the Deployment's size is no longer the one noted on its active sets.
// Models isScalingEvent.
func (s sets) scaled(d *appsv1.Deployment) bool {
	for _, rs := range active(s.all()...) {
		if n, ok := annotatedSize(rs, desiredAnnotation); ok && n != *d.Spec.Replicas {
			return true
		}
	}
	return false
}

// planScale follows a new size without furthering the rollout. The only active set (or the newest, if none
// is active) gets all of it; once the fresh set is saturated the others go; during a rollout every active
// set gets its share, so that a bad template does not spread. Models scale.
func planScale(d *appsv1.Deployment, s sets) []resize {
	if rs, ok := s.activeOrLatest(); ok {
		if rs == nil || replicas(rs) == *d.Spec.Replicas {
			return nil
		}
		return []resize{{set: rs, from: replicas(rs), to: *d.Spec.Replicas}}
	}
	if saturated(d, s.fresh) {
		return planZero(s.old)
	}
	if !rolling(d) {
		return nil
	}
	return planShares(d, active(s.all()...))
}

// activeOrLatest returns the set to scale when at most one is active (nil if there is none at all); ok is
// false when several are. Models FindActiveOrLatest.
func (s sets) activeOrLatest() (rs *appsv1.ReplicaSet, ok bool) {
	switch act := active(s.all()...); {
	case len(act) > 1:
		return nil, false
	case len(act) == 1:
		return act[0], true
	case s.fresh != nil:
		return s.fresh, true
	case len(s.old) > 0:
		return slices.MaxFunc(s.old, byAge), true
	}
	return nil, true
}

// planShares spreads the change of size over the active sets, larger ones first; what rounding leaves goes
// to the largest.
func planShares(d *appsv1.Deployment, act []*appsv1.ReplicaSet) []resize {
	allowed := int32(0)
	if *d.Spec.Replicas > 0 {
		allowed = *d.Spec.Replicas + maxSurge(d)
	}
	toAdd := allowed - wanted(act)
	switch {
	case toAdd > 0:
		slices.SortFunc(act, bySizeNewer)
	case toAdd < 0:
		slices.SortFunc(act, bySizeOlder)
	}
	plan := make([]resize, len(act))
	added := int32(0)
	for i, rs := range act {
		n := share(d, rs, toAdd, added)
		plan[i] = resize{set: rs, from: replicas(rs), to: replicas(rs) + n, notes: true}
		added += n
	}
	if len(plan) > 0 && toAdd != 0 {
		plan[0].to = max(0, plan[0].to+toAdd-added)
	}
	return plan
}

// planZero empties the sets.
func planZero(list []*appsv1.ReplicaSet) []resize {
	var plan []resize
	for _, rs := range active(list...) {
		plan = append(plan, resize{set: rs, from: replicas(rs), to: 0})
	}
	return plan
}

// planRolling is the next step of a rolling update: the fresh set grows if it can; only when it cannot do
// the old ones shrink. Models rolloutRolling, reconcileNewReplicaSet and reconcileOldReplicaSets.
func planRolling(d *appsv1.Deployment, s sets) []resize {
	size := min(replicas(s.fresh), *d.Spec.Replicas)
	if size < *d.Spec.Replicas {
		size = newSize(d, s.all(), size)
	}
	if size != replicas(s.fresh) {
		return []resize{{set: s.fresh, from: replicas(s.fresh), to: size}}
	}
	old := active(s.old...)
	if len(old) == 0 {
		return nil
	}
	slices.SortFunc(old, byAge)
	if slices.ContainsFunc(old, shrinking) {
		return nil // its available pods include some that are about to go
	}

	// Pods of the fresh set that are not available yet must not cost an old one its place:
	// 10 wanted, maxUnavailable 2, maxSurge 3; 8 old and 5 fresh ones that never start. 13 - 8 - 5 = 0: stop.
	least := *d.Spec.Replicas - maxUnavailable(d)
	room := wanted(s.all()) - least - (replicas(s.fresh) - s.fresh.Status.AvailableReplicas)
	if room <= 0 {
		return nil
	}
	plan := planUnhealthy(old, room)
	return append(plan, planHealthy(old, plan, available(append(old, s.fresh))-least)...)
}

// shrinking reports whether a set still has more available pods than it is asked to have.
func shrinking(rs *appsv1.ReplicaSet) bool { return rs.Status.AvailableReplicas > replicas(rs) }

// planUnhealthy takes away old pods that are not available; a set deletes those first.
// Models cleanupUnhealthyReplicas.
func planUnhealthy(old []*appsv1.ReplicaSet, room int32) []resize {
	var plan []resize
	for _, rs := range old {
		n := min(room, replicas(rs)-rs.Status.AvailableReplicas)
		if n <= 0 {
			continue
		}
		room -= n
		plan = append(plan, resize{set: rs, from: replicas(rs), to: replicas(rs) - n})
	}
	return plan
}

// planHealthy takes away as many old pods as there are available beyond the least that must be, from what
// plan leaves. Models scaleDownOldReplicaSetsForRollingUpdate.
func planHealthy(old []*appsv1.ReplicaSet, plan []resize, spare int32) []resize {
	var more []resize
	for _, rs := range old {
		size := replicas(rs)
		for _, r := range plan {
			if r.set == rs {
				size = r.to
			}
		}
		n := min(size, spare)
		if n <= 0 {
			continue
		}
		spare -= n
		more = append(more, resize{set: rs, from: size, to: size - n})
	}
	return more
}

// planCleanup returns the empty old sets beyond the history that is to be kept, oldest revision first.
// Models cleanupDeployment.
func planCleanup(d *appsv1.Deployment, old []*appsv1.ReplicaSet) []*appsv1.ReplicaSet {
	limit := d.Spec.RevisionHistoryLimit
	if limit == nil || *limit == math.MaxInt32 {
		return nil
	}
	alive := slices.DeleteFunc(slices.Clone(old), func(rs *appsv1.ReplicaSet) bool { return rs.DeletionTimestamp != nil })
	extra := len(alive) - int(*limit)
	if extra <= 0 {
		return nil
	}
	slices.SortFunc(alive, byRevision)
	return slices.DeleteFunc(alive[:extra], func(rs *appsv1.ReplicaSet) bool {
		return rs.Status.Replicas != 0 || replicas(rs) != 0 || rs.Generation > rs.Status.ObservedGeneration
	})
}
