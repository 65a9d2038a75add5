package state

import (
	"cmp"
	"slices"
)

// Tiles is the list of pods' tiles at one place, a node or the tray, as it stands on the screen. It is in
// the order of comparePods, like the pods it is brought up to.
type Tiles struct{ shown []tileKey }

// A tileKey orders tiles. It never changes while a tile is on the screen.
type tileKey struct{ owner, id uint32 }

func keyOf(p *Pod) tileKey { return tileKey{p.Pod.Owner, p.ID} }

func (k tileKey) compare(o tileKey) int {
	return cmp.Or(cmp.Compare(k.owner, o.owner), cmp.Compare(k.id, o.id))
}

// A Screen is where the tiles of one place are.
type Screen interface {
	Insert(at int, pods []*Pod)
	Remove(at, n int)
	Update(at int, p *Pod)
}

// TilesAtOnce is how many tiles one step of Patch puts on the screen at most.
const TilesAtOnce = 40

// Show notes that the pods are at the place, as they are, and nothing else is.
func (t *Tiles) Show(pods []*Pod) {
	t.shown = t.shown[:0]
	for _, p := range pods {
		t.shown = append(t.shown, keyOf(p))
		p.drawn()
	}
}

// Patch brings the screen to the wanted pods: what went is removed, what came is inserted, what changed is
// updated, and nothing else is touched. It makes at least one step and stops when enough says so; done
// reports that nothing is left to do. At no time is a pod seen twice.
func (t *Tiles) Patch(want []*Pod, on Screen, enough func() bool) (done bool) {
	return t.remove(want, on, enough) && t.put(want, on, enough)
}

// remove takes away the tiles that are not wanted.
func (t *Tiles) remove(want []*Pod, on Screen, enough func() bool) (done bool) {
	stop := false
	for i, j := 0, 0; i < len(t.shown); {
		for j < len(want) && t.shown[i].compare(keyOf(want[j])) > 0 {
			j++
		}
		run := i
		for run < len(t.shown) && (j == len(want) || t.shown[run].compare(keyOf(want[j])) < 0) {
			run++
		}
		if run == i {
			i++
			continue
		}
		if stop {
			return false
		}
		on.Remove(i, run-i)
		t.shown = slices.Delete(t.shown, i, run)
		stop = enough()
	}
	return !stop
}

// put inserts and updates tiles; all that are on the screen are wanted.
func (t *Tiles) put(want []*Pod, on Screen, enough func() bool) (done bool) {
	stop := false
	for i := 0; i < len(want); {
		p := want[i]
		there := i < len(t.shown) && t.shown[i] == keyOf(p)
		if there && !p.stale {
			i++
			continue
		}
		if stop {
			return false
		}
		if there {
			on.Update(i, p)
			p.drawn()
			i++
		} else {
			run := t.missing(want, i)
			on.Insert(i, want[i:run])
			t.shown = slices.Insert(t.shown, i, keysOf(want[i:run])...)
			for ; i < run; i++ {
				want[i].drawn()
			}
		}
		stop = enough()
	}
	return true
}

// missing returns the end of a run of wanted pods from i on that are not on the screen.
func (t *Tiles) missing(want []*Pod, i int) int {
	run := i
	for run < len(want) && run-i < TilesAtOnce && (i == len(t.shown) || t.shown[i] != keyOf(want[run])) {
		run++
	}
	return run
}

func keysOf(pods []*Pod) []tileKey {
	keys := make([]tileKey, len(pods))
	for i, p := range pods {
		keys[i] = keyOf(p)
	}
	return keys
}

// drawn notes that the pod is on the screen as it is.
func (p *Pod) drawn() { p.Fresh, p.stale = false, false }
