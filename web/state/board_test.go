package state

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/projection/wire"
)

func TestLookOf(t *testing.T) {
	tests := []struct {
		phase         string
		ready, placed bool
		want          Look
	}{
		{"Pending", false, false, Waiting},
		{"Pending", false, true, Starting},
		{"SchedulingGated", false, false, Waiting},
		{"ContainerCreating", false, true, Starting},
		{"Init:0/2", false, true, Starting},
		{"Init:CrashLoopBackOff", false, true, Failing},
		{"Running", false, true, Warming},
		{"Running", true, true, Running},
		{"Completed", false, true, Done},
		{"CrashLoopBackOff", false, true, Failing},
		{"ErrImagePull", false, true, Failing},
		{"Terminating", true, true, Stopping},
		{"Unknown", false, true, Lost},
	}
	for _, tt := range tests {
		if got := LookOf(tt.phase, tt.ready, tt.placed); got != tt.want {
			t.Errorf("LookOf(%q, ready %v, placed %v) = %s, want %s", tt.phase, tt.ready, tt.placed, got.Name(), tt.want.Name())
		}
	}
}

func TestCompareNatural(t *testing.T) {
	want := []string{"", "a", "a-1", "a-02", "a-2", "a-10", "a-10b", "b"}
	got := []string{"a-10", "b", "a-2", "a", "a-10b", "", "a-02", "a-1"}
	slices.SortFunc(got, CompareNatural)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func pod(id, node uint32, phase string) wire.Pod {
	return wire.Pod{ID: id, UID: "u" + strconv.Itoa(int(id)), Namespace: "default", Name: "p" + strconv.Itoa(int(id)),
		Move: wire.Move{Pod: id, Node: node, Phase: phase}}
}

func names(pods []*Pod) []string {
	var out []string
	for _, p := range pods {
		out = append(out, p.Name)
	}
	return out
}

// drain takes the names of the nodes that must be drawn.
func drain(b *Board) []string {
	var out []string
	for n := b.NextChanged(); n != nil; n = b.NextChanged() {
		out = append(out, n.Name)
	}
	return out
}

func TestOnlyWhatChangedIsDrawn(t *testing.T) {
	b := NewBoard()
	b.Apply(&wire.Frame{
		Full:  true,
		Nodes: []wire.Node{{ID: 1, Name: "node-1"}, {ID: 2, Name: "node-2"}, {ID: 10, Name: "node-10"}},
		Pods:  []wire.Pod{pod(1, 0, "Pending"), pod(2, 2, "Running")},
	})
	if !b.ListChanged() || b.ListChanged() || !b.PendingChanged() || !b.CountsChanged() {
		t.Error("the first frame must draw the list, the tray and the counts, once")
	}
	if diff := cmp.Diff([]string{"node-1", "node-2", "node-10"}, drain(b)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if b.Unfinished() {
		t.Error("all is drawn")
	}

	b.Apply(&wire.Frame{Moves: []wire.Move{{Pod: 1, Node: 10, Phase: "ContainerCreating"}}})
	if diff := cmp.Diff([]string{"node-10"}, drain(b)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if b.ListChanged() || !b.PendingChanged() || len(b.Pending) != 0 {
		t.Error("a pod that is placed changes the tray and not the list")
	}
	if b.Counts[Waiting] != 0 || b.Counts[Starting] != 1 || b.Counts[Warming] != 1 {
		t.Errorf("counts: %v", b.Counts)
	}

	b.Select(wire.Ref{Resource: "pods", Kind: "Pod", Namespace: "default", Name: "p2"})
	if diff := cmp.Diff([]string{"node-2"}, drain(b)); diff != "" {
		t.Errorf("selecting (-want +got):\n%s", diff)
	}
}

func TestNodesComeAndGoBeforeAndAfterTheirPods(t *testing.T) {
	b := NewBoard()
	b.Apply(&wire.Frame{Pods: []wire.Pod{pod(1, 5, "Running")}})
	if diff := cmp.Diff([]string{"p1"}, names(b.Pending)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.Apply(&wire.Frame{Nodes: []wire.Node{{ID: 5, Name: "n"}}})
	if len(b.Pending) != 0 || len(b.Node("n").Pods) != 1 {
		t.Error("the pod is not on its node")
	}
	b.Apply(&wire.Frame{NodesGone: []uint32{5}})
	if diff := cmp.Diff([]string{"p1"}, names(b.Pending)); diff != "" || b.Node("n") != nil {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.Apply(&wire.Frame{PodsGone: []uint32{1}})
	if b.PodCount() != 0 || len(b.Pending) != 0 || b.Counts != [Looks]int{} {
		t.Errorf("left over: %v %v", names(b.Pending), b.Counts)
	}
}

func TestApplications(t *testing.T) {
	b := NewBoard()
	owned := func(id, owner uint32) wire.Pod {
		p := pod(id, 0, "Pending")
		p.Owner = owner
		return p
	}
	b.Apply(&wire.Frame{
		Owners: []wire.Owner{
			{ID: 1, Namespace: "default", Kind: "ReplicaSet", Resource: "replicasets.apps", Name: "web-1", RootKind: "Deployment", RootResource: "deployments.apps", RootName: "web", Hue: 3},
			{ID: 2, Namespace: "default", Kind: "ReplicaSet", Resource: "replicasets.apps", Name: "web-2", RootKind: "Deployment", RootResource: "deployments.apps", RootName: "web", Hue: 3, Shade: 1},
			{ID: 3, Namespace: "default", Kind: "Job", Resource: "jobs.batch", Name: "pi", RootKind: "Job", RootResource: "jobs.batch", RootName: "pi", Hue: 4},
		},
		Pods: []wire.Pod{owned(1, 1), owned(2, 2), owned(3, 3), pod(4, 0, "Pending")},
	})
	want := []Application{
		{wire.Ref{Resource: "deployments.apps", Kind: "Deployment", Namespace: "default", Name: "web"}, 3, 2},
		{wire.Ref{Resource: "jobs.batch", Kind: "Job", Namespace: "default", Name: "pi"}, 4, 1},
	}
	if diff := cmp.Diff(want, b.Applications()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Random frames leave the board as a plain map of pods would have it.
func TestBoardAgainstModel(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		b, model := NewBoard(), make(map[uint32]wire.Move)
		nodes := make(map[uint32]bool)
		phases := []string{"Pending", "ContainerCreating", "Running", "Terminating", "Error"}
		for range 200 {
			id, node := uint32(1+r.IntN(30)), uint32(r.IntN(6))
			m := wire.Move{Pod: id, Node: node, Phase: phases[r.IntN(len(phases))]}
			f := &wire.Frame{}
			switch _, known := model[id]; {
			case r.IntN(10) == 0 && node > 0:
				if nodes[node] {
					f.NodesGone = []uint32{node}
				} else {
					f.Nodes = []wire.Node{{ID: node, Name: "node-" + strconv.Itoa(int(node))}}
				}
				nodes[node] = !nodes[node]
			case r.IntN(4) == 0:
				f.PodsGone = []uint32{id}
				delete(model, id)
			case known:
				f.Moves = []wire.Move{m}
				model[id] = m
			default:
				p := pod(id, node, m.Phase)
				p.Owner = uint32(r.IntN(3))
				f.Pods = []wire.Pod{p}
				model[id] = m
			}
			b.Apply(f)
		}
		got := make(map[uint32]wire.Move)
		total := 0
		for _, n := range b.Nodes {
			for _, p := range n.Pods {
				if p.Node != n.ID {
					t.Errorf("seed %d: %s is drawn on %s and belongs on %d", seed, p.Name, n.Name, p.Node)
				}
				got[p.ID] = p.Move
			}
		}
		for _, p := range b.Pending {
			got[p.ID] = p.Move
		}
		if !slices.IsSortedFunc(b.Pending, comparePods) {
			t.Errorf("seed %d: the tray is not in order: %v", seed, names(b.Pending))
		}
		for _, c := range b.Counts {
			total += c
		}
		if diff := cmp.Diff(model, got); diff != "" || total != len(model) {
			t.Fatalf("seed %d: %d counted (-model +board):\n%s", seed, total, diff)
		}
	}
}
