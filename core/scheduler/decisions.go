package scheduler

import "k8s.io/apimachinery/pkg/types"

// decisions keeps the last decision about each pod that exists, and condenses the oldest when their
// details take too much memory.
type decisions struct {
	last   map[types.UID]*Decision
	full   []*Decision // with details, oldest first
	budget int
	used   int
}

func newDecisions(budget int) decisions {
	return decisions{last: make(map[types.UID]*Decision), budget: budget}
}

func (k *decisions) add(d *Decision) {
	k.last[d.UID] = d
	size := d.size()
	if size == 0 {
		return
	}
	k.full = append(k.full, d)
	k.used += size
	if k.used <= k.budget {
		return
	}
	dropped := 0
	for k.used > k.budget-k.budget/8 && dropped < len(k.full) {
		k.used -= k.full[dropped].size()
		k.full[dropped].condense()
		dropped++
	}
	k.full = append(make([]*Decision, 0, len(k.full)), k.full[dropped:]...)
}

func (k *decisions) forget(uid types.UID) { delete(k.last, uid) }
