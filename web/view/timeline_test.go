package view

import (
	"strings"
	"testing"

	"terrarium/core/projection/wire"
	"terrarium/web/state"
)

const midnight = 1_767_225_600_000_000

func deployment(name string) wire.Ref {
	return wire.Ref{Resource: "deployments.apps", Kind: "Deployment", Namespace: "default", Name: name}
}

// chain is a window with a hostile name, a failed cluster of spans and an arrow.
func chain() *state.Timeline {
	t := state.NewTimeline()
	t.Selected = 2
	t.Window = &wire.Timeline{
		To: 10, Last: 10, Shown: 9, Quiet: 3, Newest: 9,
		Lanes: []wire.Lane{{Name: "admin", Rows: 1}, {Name: "deployment-controller", Rows: 2}},
		Items: []wire.Item{
			{ID: 1, Count: 1, X0: 0, X1: 540, Flags: wire.ItemWrote | wire.ItemChain, Object: deployment("<img onerror=alert(1)>"), Text: "created Deployment <img onerror=alert(1)>", Start: midnight, Took: 2500},
			{ID: 2, Count: 1, Lane: 1, X0: 560, X1: 1100, Flags: wire.ItemWrote | wire.ItemChain | wire.ItemSelected, Object: deployment("web"), Text: "created ReplicaSet web-5d9c", Start: midnight + 4_000, Took: 12_000_000},
			{ID: 3, Count: 7, Lane: 1, Row: 1, X0: 600, X1: 700, Flags: wire.ItemFailed | wire.ItemWrote, Object: deployment("web"), Start: midnight + 5_000},
		},
		Arrows: []wire.Arrow{{From: 0, To: 1}},
		Ticks:  []wire.Tick{{X: 0, At: midnight}, {X: 560, At: midnight + 4_000}},
	}
	return t
}

func TestTimeline(t *testing.T) {
	golden(t, "timeline", Timeline(chain()))
	empty := state.NewTimeline()
	golden(t, "timeline-before", Timeline(empty))
	empty.Window = &wire.Timeline{}
	empty.Filter = "<b>"
	golden(t, "timeline-nothing", Timeline(empty))
}

func TestSpanDetails(t *testing.T) {
	tl := chain()
	golden(t, "span-loading", SpanDetails(tl))
	pod := wire.Ref{Resource: "pods", Kind: "Pod", Namespace: "team-a", Name: "web-1"}
	tl.Details = &wire.Span{
		ID: 2, Found: true, Component: "default-scheduler", Work: "schedule", Object: pod, Text: "bound Pod web-1 to node-2", Start: midnight, Took: 900,
		Triggers: []wire.Trigger{{Object: pod, Type: "ADDED", By: wire.SpanRef{ID: 1, Component: "replicaset-controller", Text: "created 2 Pods"}}, {Note: "retry 2"}},
		Reads:    []wire.Read{{Verb: "list", Object: wire.Ref{Resource: "nodes"}, Count: 3}},
		Writes: []wire.Write{
			{Verb: "bind", Object: pod, Subresource: "binding", Revision: 7, Changes: []wire.FieldChange{{Path: "spec.nodeName", New: "node-2"}, {Path: "metadata.labels.x", Old: "<script>"}}},
			{Verb: "update", Object: pod, Err: "the object has been modified"},
		},
		Steps: []wire.Step{{Name: "admit"}, {Name: "validate", Detail: "ok"}},
		Decision: []wire.Decision{{
			Outcome: "scheduled", Node: "node-2", Nodes: 3, Feasible: 2, Plugins: []string{"NodeResourcesFit"}, Weights: []int64{1},
			Scores:  []wire.NodeScore{{Node: "node-2", Total: 90, Scores: []int64{90}}, {Node: "node-1", Total: 80, Scores: []int64{80}}},
			Refused: []wire.NodeRefusal{{Node: "node-3", Plugin: "TaintToleration", Reason: "node(s) had untolerated taint(s)"}},
		}},
		Effects: []wire.SpanRef{{ID: 5, Component: "kubelet on node-2", Text: "changed Pod web-1: now Running"}},
	}
	golden(t, "span", SpanDetails(tl))
	tl.Details = &wire.Span{ID: 2}
	golden(t, "span-dropped", SpanDetails(tl))
}

func TestWhy(t *testing.T) {
	golden(t, "why", Why(&wire.Why{Sentences: []wire.Sentence{
		{Text: "Deployment web owns ReplicaSet web-5d9c.", Object: deployment("web")},
		{Text: "admin created Pod <i>.", Object: wire.Ref{Resource: "pods", Kind: "Pod", Namespace: "default", Name: "<i>"}, Span: 4, At: midnight},
	}}))
	golden(t, "why-nothing", Why(&wire.Why{}))
}

func TestWordsOnNarrowSpans(t *testing.T) {
	tests := []struct{ text, want string }{
		{"created ReplicaSet web-5d9c", "+ rs"},
		{"created 12 Pods and updated the status of ReplicaSet web-5d9c", "+ 12 po"},
		{"bound Pod web-5d9c-x to node-2, the best of 3 nodes that it fits on", "→ node-2"},
		{"changed Pod web-5d9c-x: now Running", "Running"},
		{"changed Deployment web: replicas 2 → 5 and created Pod p", "2 → 5"},
		{"found no node for Pod x: 0/3 nodes are available", "? po"},
		{"updated the status of Deployment web", "~ deploy"},
		{"deleted Lease l", "− Lease"},
		{"changed Node n: Ready is True", "Ready"},
		{"changed Node n: Ready is Unknown", "NotReady"},
		{"changed Node n: tainted node.kubernetes.io/unreachable:NoExecute", "+ taint"},
		{"changed Node n: a taint less", "− taint"},
		{"changed Pod web-5d9c-x: now ImagePullBackOff", "ImagePul…"},
		{"changed Pod web-5d9c-x: waiting, ContainerCreating", "Creating"},
		{"bound Pod web-5d9c-x to worker-pool-17, one of 3 equally good nodes", "→ …ool-17"},
		{"looked at Pod x and had nothing to do", "·"},
	}
	for _, tt := range tests {
		tl := chain()
		tl.Window.Items = []wire.Item{{ID: 1, Count: 1, X1: 680, Text: tt.text}}
		tl.Window.Arrows = nil
		if h := Timeline(tl).String(); !strings.Contains(h, ">"+tt.want+"</text></svg>") {
			t.Errorf("%q is not written as %q: %s", tt.text, tt.want, h[strings.Index(h, "</title>"):])
		}
	}
}
