package wire

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func frames() []*Frame {
	pod := func(id uint32, phase string) Pod {
		return Pod{ID: id, UID: "u" + strconv.Itoa(int(id)), Namespace: "default", Name: "web-" + strconv.Itoa(int(id)), Owner: 1,
			Move: Move{Pod: id, Node: 2, Phase: phase, Ready: true, Restarts: 3, Message: "0/3 nodes are available"}}
	}
	return []*Frame{
		{
			Full:   true,
			Owners: []Owner{{1, "default", "ReplicaSet", "replicasets.apps", "web-1", "Deployment", "deployments.apps", "web", 4, 1}},
			Nodes: []Node{{
				ID: 2, Name: "node-1", State: NodeReady | NodeCordoned, Roles: "worker",
				Capacity: Resources{4000, 8 << 30, 110}, Allocatable: Resources{3900, 7 << 30, 110}, Requested: Resources{-1, 0, 1 << 60},
				Conditions: []Condition{{"Ready", "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status."}},
				Taints:     []string{"a=b:NoSchedule"},
			}},
			Pods: []Pod{pod(7, "Running"), pod(8, "Pending")},
		},
		{Moves: []Move{{Pod: 8, Node: 2, Phase: "Running"}}, Uses: []Use{{2, Resources{100, 200, 1}}}, PodsGone: []uint32{7}},
		{NodesGone: []uint32{2}},
		{},
	}
}

func TestFramesComeBackEqual(t *testing.T) {
	e, d := NewEncoder(), &Decoder{}
	for i, want := range frames() {
		got, err := d.Board(e.Board(want))
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("frame %d (-want +got):\n%s", i, diff)
		}
	}
}

func TestWordsStartOver(t *testing.T) {
	e, d := NewEncoder(), &Decoder{}
	for i := range 3 * maxWords {
		want := &Frame{Moves: []Move{{Pod: 1, Phase: "phase " + strconv.Itoa(i), Message: "same"}}}
		got, err := d.Board(e.Board(want))
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		if got.Moves[0] != want.Moves[0] {
			t.Fatalf("frame %d: got %v, want %v", i, got.Moves[0], want.Moves[0])
		}
	}
	if len(d.words) > maxWords+2 {
		t.Errorf("the decoder kept %d words", len(d.words))
	}
}

func inspected() *Inspect {
	return &Inspect{
		Ref: Ref{"deployments.apps", "Deployment", "default", "web"}, APIVersion: "apps/v1", UID: "u", Path: "/apis/apps/v1",
		Found: true, Deleting: true, YAML: "kind: Deployment\n", Created: 1_700_000_000_000, Now: -5,
		Scalable: true, Replicas: 3, Ready: 2, Undoable: true,
		Summary:    []Fact{{"Image", "nginx", ""}, {"Node", "node-1", "nodes/node-1"}},
		Conditions: []Condition{{"Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability."}},
		Events:     []Event{{"Normal", "ScalingReplicaSet", "Scaled up", "deployment-controller", 2, 1, 2}},
		Up:         []Ref{{"a", "A", "", "n"}},
		Down:       []Branch{{Ref{"pods", "Pod", "default", "p"}, 2, "Running"}},
		Timers:     []Timer{{"kubelet", "heartbeat", "node-1", 99}},
	}
}

func TestInspectComesBackEqual(t *testing.T) {
	e, d := NewEncoder(), &Decoder{}
	for range 2 { // the second time its words are numbers
		got, err := d.Inspect(e.Inspect(inspected()))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(inspected(), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want := &Refusal{Ref{"pods", "Pod", "default", "p"}, "0/1 nodes are available: 1 Insufficient cpu.", 4,
		[]NodeRefusal{{"node-1", "NodeResourcesFit", "Insufficient cpu"}}}
	got, err := d.Refusal(e.Refusal(want))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStatusComesBackEqual(t *testing.T) {
	e, d := NewEncoder(), &Decoder{}
	for _, want := range []*Status{
		{Saved: "saving", Now: 1_800_000_000_000, Speed: 100, Paused: true, NextComponent: "kubelet", NextAction: "heartbeat", NextObject: "node-1", NextAt: 5},
		{Saved: "not-saved", Message: "the disk is full", Speed: MaxSpeed},
	} {
		got, err := d.Status(e.Status(want))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Every prefix of a message, and every message with one byte changed, is read without a panic.
func TestBrokenMessages(t *testing.T) {
	frame, object := NewEncoder().Board(frames()[0]), NewEncoder().Inspect(inspected())
	for i := range frame {
		if _, err := (&Decoder{}).Board(frame[:i]); err == nil {
			t.Errorf("the first %d bytes of a frame were taken for a frame", i)
		}
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			broken := append([]byte(nil), frame...)
			broken[i] = b
			(&Decoder{}).Board(broken)
		}
	}
	for i := range object {
		if _, err := (&Decoder{}).Inspect(object[:i]); err == nil {
			t.Errorf("the first %d bytes of an object were taken for one", i)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(NewEncoder().Board(frames()[0]))
	f.Add(NewEncoder().Inspect(inspected()))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &Decoder{}
		d.Board(data)
		d.Inspect(data)
		d.Refusal(data)
	})
}
