package state

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/projection/wire"
)

// A sheet is a Screen that is a list of texts, and counts what was done to it.
type sheet struct {
	tiles                     []string
	inserts, removes, updates int
}

func face(p *Pod) string { return p.UID + " " + p.Phase }

func (s *sheet) Insert(at int, pods []*Pod) {
	s.inserts++
	var new []string
	for _, p := range pods {
		new = append(new, face(p))
	}
	s.tiles = slices.Insert(s.tiles, at, new...)
}

func (s *sheet) Remove(at, n int) { s.removes++; s.tiles = slices.Delete(s.tiles, at, at+n) }

func (s *sheet) Update(at int, p *Pod) {
	s.updates++
	if uid, _, _ := strings.Cut(s.tiles[at], " "); uid != p.UID {
		panic("another pod's tile is updated")
	}
	s.tiles[at] = face(p)
}

func faces(pods []*Pod) []string {
	var out []string
	for _, p := range pods {
		out = append(out, face(p))
	}
	return out
}

func never() bool { return false }

func TestTilesTouchOnlyWhatChanged(t *testing.T) {
	b := NewBoard()
	f := &wire.Frame{Full: true, Nodes: []wire.Node{{ID: 1, Name: "n"}}}
	for id := range uint32(100) {
		f.Pods = append(f.Pods, pod(10+id, 1, "Pending"))
	}
	b.Apply(f)
	var tiles Tiles
	var on sheet
	n := b.Node("n")
	if !tiles.Patch(n.Pods, &on, never) || on.inserts != 3 {
		t.Errorf("100 tiles came in %d steps, want 3", on.inserts)
	}
	on.inserts = 0
	b.Apply(&wire.Frame{PodsGone: []uint32{20, 21, 22}, Moves: []wire.Move{{Pod: 50, Node: 1, Phase: "Running"}}, Pods: []wire.Pod{pod(200, 1, "Pending")}})
	if !tiles.Patch(n.Pods, &on, never) || on.inserts != 1 || on.removes != 1 || on.updates != 1 {
		t.Errorf("three that went, one that changed and one that came made %d inserts, %d removes, %d updates", on.inserts, on.removes, on.updates)
	}
	if diff := cmp.Diff(faces(n.Pods), on.tiles); diff != "" {
		t.Errorf("(-board +screen):\n%s", diff)
	}
	on = sheet{tiles: on.tiles}
	if !tiles.Patch(n.Pods, &on, never) || on.inserts+on.removes+on.updates != 0 {
		t.Error("nothing changed, and the screen was touched")
	}
}

func TestFilterTouchesOnlyPodsThatDim(t *testing.T) {
	b := NewBoard()
	b.Apply(&wire.Frame{Full: true, Nodes: []wire.Node{{ID: 1, Name: "n"}}, Pods: []wire.Pod{pod(1, 1, "Running"), pod(2, 1, "Running"), pod(3, 0, "Pending")}})
	var tiles Tiles
	var on sheet
	tiles.Patch(b.Node("n").Pods, &on, never)
	b.SetFilter("p1")
	b.Select(wire.Ref{Resource: "pods", Namespace: "default", Name: "p2"})
	tiles.Patch(b.Node("n").Pods, &on, never)
	if on.updates != 1 {
		t.Errorf("p2 dims and is selected: %d updates, want 1", on.updates)
	}
}

// However often a patch is cut short, the screen ends up as the board, and each cut leaves what is there in
// order and without doubles.
func TestTilesAgainstBoard(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := NewBoard()
		b.Apply(&wire.Frame{Full: true, Nodes: []wire.Node{{ID: 1, Name: "a"}, {ID: 2, Name: "b"}}})
		places := map[string]*struct {
			tiles Tiles
			on    sheet
		}{"a": {}, "b": {}, "": {}}
		want := func(place string) []*Pod {
			if place == "" {
				return b.Pending
			}
			return b.Node(place).Pods
		}
		for range 150 {
			f := &wire.Frame{}
			for range r.IntN(30) {
				id := 10 + uint32(r.IntN(80))
				switch r.IntN(4) {
				case 0:
					f.PodsGone = append(f.PodsGone, id)
				case 1:
					f.Moves = append(f.Moves, wire.Move{Pod: id, Node: uint32(r.IntN(3)), Phase: strconv.Itoa(r.IntN(3))})
				default:
					p := pod(id, uint32(r.IntN(3)), "Pending")
					p.Owner = uint32(r.IntN(3))
					f.Pods = append(f.Pods, p)
				}
			}
			b.Apply(f)
			for _, name := range []string{"", "a", "b"} {
				place := places[name]
				place.tiles.Patch(want(name), &place.on, func() bool { return r.IntN(3) == 0 })
				if sorted := slices.Clone(place.on.tiles); len(slices.Compact(slices.Sorted(slices.Values(sorted)))) != len(sorted) {
					t.Fatalf("seed %d: a pod is seen twice: %v", seed, sorted)
				}
			}
		}
		for _, name := range []string{"", "a", "b"} {
			place := places[name]
			for !place.tiles.Patch(want(name), &place.on, func() bool { return r.IntN(2) == 0 }) {
			}
			if diff := cmp.Diff(faces(want(name)), place.on.tiles); diff != "" {
				t.Fatalf("seed %d, place %q (-board +screen):\n%s", seed, name, diff)
			}
		}
	}
}

// A tray of ten thousand pods that empties: what BenchmarkBoard is for drawing, for taking frames in.
func BenchmarkTray(b *testing.B) {
	const pods = 10_000
	for b.Loop() {
		board := NewBoard()
		f := &wire.Frame{Full: true, Nodes: []wire.Node{{ID: 1, Name: "n"}}}
		for i := range uint32(pods) {
			f.Pods = append(f.Pods, pod(10+i, 0, "Pending"))
		}
		board.Apply(f)
		for at := uint32(0); at < pods; at += 1000 {
			f := &wire.Frame{}
			for i := at; i < at+1000; i++ {
				f.PodsGone = append(f.PodsGone, 10+i)
			}
			board.Apply(f)
		}
		if len(board.Pending) != 0 {
			b.Fatal("not empty")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pods, "ns/pod")
}
