package loop

import (
	"cmp"
	"slices"
)

// taskHeap is a container/heap of timers, soonest first; each timer knows its index.
type taskHeap []*Timer

func compareTimers(a, b *Timer) int {
	if a.nanos != b.nanos {
		return cmp.Compare(a.nanos, b.nanos)
	}
	return cmp.Compare(a.seq, b.seq)
}

func (h taskHeap) Len() int           { return len(h) }
func (h taskHeap) Less(i, j int) bool { return compareTimers(h[i], h[j]) < 0 }

func (h taskHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *taskHeap) Push(x any) {
	t := x.(*Timer)
	t.index = len(*h)
	*h = append(*h, t)
}

func (h *taskHeap) Pop() any {
	old := *h
	n := len(old) - 1
	t := old[n]
	old[n] = nil
	*h = old[:n]
	t.index = -1
	return t
}

// sorted returns the first limit timers in running order without disturbing the heap.
func (h taskHeap) sorted(limit int) []*Timer {
	if limit == 1 {
		return h[:min(1, len(h))] // asked for on every frame of a page
	}
	all := slices.Clone(h)
	slices.SortFunc(all, compareTimers)
	return all[:min(limit, len(all))]
}
