package view

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/projection/wire"
	"terrarium/web/dom"
	"terrarium/web/state"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares markup with testdata/name.html, one element a line.
func golden(t *testing.T, name string, h dom.HTML) {
	t.Helper()
	got := strings.ReplaceAll(h.String(), "><", ">\n<") + "\n"
	path := filepath.Join("testdata", name+".html")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
	if strings.Contains(got, " style=") {
		t.Errorf("%s has a style attribute, which the page's policy forbids", path)
	}
}

const hostile = `<img src=x onerror="alert('1')">&`

func testBoard() *state.Board {
	b := state.NewBoard()
	pod := func(id, owner, node uint32, name, phase string, ready bool) wire.Pod {
		return wire.Pod{ID: id, UID: "uid-" + name, Namespace: "default", Name: name, Owner: owner,
			Move: wire.Move{Pod: id, Node: node, Phase: phase, Ready: ready}}
	}
	whole := wire.Resources{MilliCPU: 4000, Memory: 8 << 30, Pods: 110}
	crashed := pod(13, 10, 1, "web-1-bbbbb", "CrashLoopBackOff", false)
	crashed.Restarts = 3
	b.Apply(&wire.Frame{
		Full:   true,
		Owners: []wire.Owner{{ID: 10, Namespace: "default", Kind: "ReplicaSet", Resource: "replicasets.apps", Name: "web-1", RootKind: "Deployment", RootResource: "deployments.apps", RootName: "web", Hue: 14, Shade: 1}},
		Nodes: []wire.Node{
			{ID: 1, Name: "node-1", State: wire.NodeReady, Allocatable: whole, Requested: wire.Resources{MilliCPU: 3800, Memory: 512 << 20, Pods: 2}},
			{ID: 2, Name: "node-2", State: wire.NodePoweredOff | wire.NodeUnknown | wire.NodeCordoned, Allocatable: whole,
				Conditions: []wire.Condition{{Type: "Ready", Status: "Unknown", Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status."}, {Type: "MemoryPressure", Status: "Unknown"}}},
			{ID: 3, Name: hostile, Allocatable: whole, Conditions: []wire.Condition{{Type: "DiskPressure", Status: "True", Message: hostile}}},
		},
		Pods: []wire.Pod{
			pod(11, 10, 1, "web-1-aaaaa", "Running", true), pod(12, 10, 1, "web-1-ccccc", "Running", false), crashed,
			pod(14, 0, 2, hostile, "Terminating", true), pod(15, 10, 0, "web-1-ddddd", "Pending", false),
		},
	})
	return b
}

func TestNodes(t *testing.T) {
	b := testBoard()
	golden(t, "slots", Slots(b.Nodes))
	for _, d := range []Density{Roomy, Cozy, Dense, Mapped} {
		golden(t, "node-"+d.Name(), whole(b, "node-1", d))
	}
	golden(t, "node-off", whole(b, "node-2", Roomy))
	golden(t, "node-hostile", whole(b, hostile, Roomy))

	for _, p := range b.Node("node-1").Pods {
		p.Fresh = false
	}
	b.Select(wire.Ref{Resource: "pods", Namespace: "default", Name: "web-1-aaaaa"})
	b.SetFilter("ccccc")
	b.Refuse(&wire.Refusal{Pod: wire.Ref{Resource: "pods", Kind: "Pod", Namespace: "default", Name: "web-1-ddddd"}, Message: "0/3 nodes are available: 1 Insufficient cpu.",
		Nodes: []wire.NodeRefusal{{Node: "node-1", Plugin: "NodeResourcesFit", Reason: "Insufficient cpu"}, {Node: "node-2"}}})
	golden(t, "node-refuses", whole(b, "node-1", Roomy))
	golden(t, "node-fits", whole(b, "node-2", Roomy))
	golden(t, "refusal-note", RefusalNote(b.Refusal))
}

// whole draws a node with all its pods.
func whole(b *state.Board, name string, d Density) dom.HTML {
	n := b.Node(name)
	return Node(b, n, n.Pods, d)
}

// A tile that is updated in place must look as one drawn anew.
func TestPartsMakeTheWhole(t *testing.T) {
	b := testBoard()
	n := b.Node("node-1")
	for _, d := range []Density{Roomy, Cozy, Dense, Mapped} {
		var parts dom.Builder
		for _, part := range NodeParts(n, d) {
			parts.Add(part)
		}
		for _, has := range []string{parts.HTML().String(), Pods(b, n.Pods, d).String(), `class="` + NodeClass(b, n) + `"`} {
			if !strings.Contains(whole(b, "node-1", d).String(), has) {
				t.Errorf("%s: the node lacks %s", d.Name(), has)
			}
		}
		for _, p := range n.Pods {
			tile := Pods(b, []*state.Pod{p}, d).String()
			for _, has := range []string{`class="` + PodClass(b, p) + `"`, `title="` + PodLabel(p) + `"`, ">" + PodFace(p, d).String() + "</button>"} {
				if !strings.Contains(tile, has) {
					t.Errorf("%s: %s lacks %s", d.Name(), tile, has)
				}
			}
		}
	}
}

func TestTray(t *testing.T) {
	b := testBoard()
	pods, d, more := Tray(b)
	if len(pods) != 1 || d != Roomy || more != 0 {
		t.Errorf("one pod: %d tiles, %s, %d more", len(pods), d.Name(), more)
	}
	golden(t, "pending", Pods(b, pods, d))
	f := &wire.Frame{}
	for id := range uint32(300) {
		f.Pods = append(f.Pods, wire.Pod{ID: 100 + id, Name: "p"})
	}
	b.Apply(f)
	if pods, d, more := Tray(b); len(pods) != trayLimit || d != Cozy || more != 301-trayLimit {
		t.Errorf("301 pods: %d tiles, %s, %d more", len(pods), d.Name(), more)
	}
}

func TestBesideTheNodes(t *testing.T) {
	b := testBoard()
	golden(t, "legend", Legend(b))
	golden(t, "summary", Summary(b))
	golden(t, "no-nodes", NoNodes())
	golden(t, "menu", NodeMenu(b.Node("node-1")))
	golden(t, "menu-off", NodeMenu(b.Node("node-2")))
	golden(t, "toast", Toast(hostile, "error"))
	golden(t, "unsaved", Unsaved("the browser has no space left: "+hostile))
	golden(t, "legend-empty", Legend(state.NewBoard()))
}

func TestInspector(t *testing.T) {
	const now = 1_767_225_600_000
	i := state.NewInspector()
	i.Open(wire.Ref{Resource: "pods", Namespace: "default", Name: "web-1-aaaaa"})
	i.Open(wire.Ref{Resource: "deployments.apps", Namespace: "default", Name: "web"})
	golden(t, "inspector-loading", InspectorHead(i))
	golden(t, "inspector-body-loading", InspectorBody(i))
	i.Apply(&wire.Inspect{
		Ref: wire.Ref{Resource: "deployments.apps", Kind: "Deployment", Namespace: "default", Name: "web"}, Path: "/apis/apps/v1/namespaces/default/deployments/web",
		Found: true, Now: now, Created: now - 60_000, Scalable: true, Replicas: 3, Ready: 2, Undoable: true,
		YAML:       "kind: Deployment\nmetadata:\n  annotations:\n    note: \"" + hostile + "\"\n  name: web\nspec:\n  replicas: 3\n  paused: true\n  args:\n  - |\n    a: b\n    c\n  - -1.5\n# end\n",
		Summary:    []wire.Fact{{Name: "Image", Value: hostile}, {Name: "Node", Value: "node-1", Open: "nodes/node-1"}},
		Conditions: []wire.Condition{{Type: "Available", Status: "True", Reason: "MinimumReplicasAvailable", Message: "Deployment has minimum availability."}},
		Events:     []wire.Event{{Type: "Warning", Reason: "FailedCreate", Message: hostile, From: "deployment-controller", Count: 4, First: now - 9000, Last: now - 5000}},
		Up:         []wire.Ref{{Resource: "gadgets", Kind: "Gadget", Namespace: "default", Name: hostile}},
		Down:       []wire.Branch{{Ref: wire.Ref{Resource: "replicasets.apps", Kind: "ReplicaSet", Namespace: "default", Name: "web-1"}, Depth: 1, Status: "2/3 ready"}},
		Timers:     []wire.Timer{{Component: "deployment-controller", Action: "progress deadline", Object: "default/web", At: now + 90_000}},
	})
	golden(t, "inspector", InspectorHead(i))
	for _, tab := range []state.Tab{state.TabYAML, state.TabEvents, state.TabOwners, state.TabPending} {
		i.Tab = tab
		golden(t, "inspector-"+string(tab), InspectorBody(i))
	}
	i.Apply(&wire.Inspect{Ref: i.Ref, Path: "/apis/apps/v1/namespaces/default/deployments/web", Now: now + 1})
	golden(t, "inspector-gone", InspectorHead(i))
	if ref, ok := i.Return(); !ok || ref.Name != "web-1-aaaaa" {
		t.Errorf("back leads to %v, %v", ref, ok)
	}
}

func TestDensity(t *testing.T) {
	tests := []struct {
		name               string
		nodes, pods, width int
		want               Density
	}{
		{"nothing", 0, 0, 900, Roomy},
		{"the first cluster", 3, 6, 900, Roomy},
		{"many pods on few nodes", 3, 60, 900, Cozy},
		{"a thousand pods on ten nodes", 10, 1000, 900, Cozy},
		{"full nodes", 10, 11_000, 900, Dense},
		{"a hundred nodes", 100, 1000, 900, Dense},
		{"a thousand nodes", 1000, 10_000, 900, Mapped},
		{"a phone", 8, 16, 360, Cozy},
	}
	for _, tt := range tests {
		if got := DensityFor(tt.nodes, tt.pods, tt.width); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got.Name(), tt.want.Name())
		}
	}
	if got := Settle(Cozy, 3, 44, 900); got != Cozy {
		t.Errorf("tiles grew at once when a few pods went: %s", got.Name())
	}
	if got := Settle(Cozy, 3, 20, 900); got != Roomy {
		t.Errorf("tiles stay small with room to spare: %s", got.Name())
	}
}

func TestNext(t *testing.T) {
	tests := []struct {
		status wire.Status
		want   string
	}{
		{wire.Status{}, "nothing waits"},
		{wire.Status{Now: 1000, NextAt: 5000, NextComponent: "kubelet", NextAction: "heartbeat", NextObject: "node-2"}, "in 4.0 s: kubelet heartbeat node-2"},
		{wire.Status{Now: 1000, NextAt: 1000, NextComponent: "kubelet", NextAction: "sync"}, "next: kubelet sync"},
	}
	for _, tt := range tests {
		if got := Next(&tt.status); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// What a board of 1,000 nodes and 10,000 pods costs to draw, by node.
func BenchmarkBoard(b *testing.B) {
	board := state.NewBoard()
	f := &wire.Frame{Full: true}
	for i := range uint32(1000) {
		f.Nodes = append(f.Nodes, wire.Node{ID: i + 1, Name: "node-" + itoa(int64(i)), State: wire.NodeReady})
	}
	for i := range uint32(10_000) {
		f.Pods = append(f.Pods, wire.Pod{ID: 2000 + i, UID: "5c9d1bfc-8f2d-4c0f-8d3e-000000000001", Namespace: "default", Name: "web-6595874d85-" + itoa(int64(i)),
			Move: wire.Move{Node: i%1000 + 1, Phase: "Running", Ready: true}})
	}
	board.Apply(f)
	bytes := 0
	for b.Loop() {
		bytes = 0
		for _, n := range board.Nodes {
			bytes += len(Node(board, n, n.Pods, Mapped).String())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/node")
	b.ReportMetric(float64(bytes)/1000, "B/node")
}
