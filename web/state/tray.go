package state

import "slices"

// A tray is the pods without a node. Pods enter and leave it by the thousand in one frame, so that its list
// is put in order once a frame: moving the tail of a long list for each pod would take longer than all the rest.
type tray struct {
	pods    []*Pod // in order, but for those that left since
	arrived []*Pod // since, in any order
	loose   bool   // something arrived or left
}

// put notes that the pod belongs in the tray.
func (t *tray) put(p *Pod) {
	p.waits, t.loose = true, true
	if !p.listed {
		p.listed = true
		t.arrived = append(t.arrived, p)
	}
}

// take notes that it does not any more.
func (t *tray) take(p *Pod) { p.waits, t.loose = false, true }

// settled returns the pods in order.
func (t *tray) settled() []*Pod {
	if !t.loose {
		return t.pods
	}
	t.loose = false
	left := func(p *Pod) bool {
		p.listed = p.waits
		return !p.waits
	}
	t.pods, t.arrived = slices.DeleteFunc(t.pods, left), slices.DeleteFunc(t.arrived, left)
	slices.SortFunc(t.arrived, comparePods)
	t.pods = merge(t.pods, t.arrived)
	clear(t.arrived)
	t.arrived = t.arrived[:0]
	return t.pods
}

// merge puts two ordered lists together.
func merge(a, b []*Pod) []*Pod {
	if len(a) == 0 || len(b) == 0 || comparePods(a[len(a)-1], b[0]) < 0 {
		return append(a, b...)
	}
	all := make([]*Pod, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if comparePods(a[0], b[0]) < 0 {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}
