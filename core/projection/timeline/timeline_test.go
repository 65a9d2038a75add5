package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	appsv1 "k8s.io/api/apps/v1"

	"terrarium/core/kinds/all"
	"terrarium/core/projection/internal/history"
	"terrarium/core/projection/timeline"
	"terrarium/core/projection/why"
	"terrarium/core/projection/wire"
	"terrarium/core/trace"
)

func newTimeline(h *history.History) *timeline.Timeline {
	return timeline.New(h.Trace, h, why.New(h.Trace, all.Registry(), h.Get))
}

// drawing writes a window as text: lanes with their items, then the arrows.
func drawing(w *wire.Timeline) string {
	var b strings.Builder
	for i, l := range w.Lanes {
		fmt.Fprintf(&b, "%s\n", l.Name)
		for _, it := range w.Items {
			if int(it.Lane) != i {
				continue
			}
			fmt.Fprintf(&b, "  %d..%d row %d: ", it.X0/10, it.X1/10, it.Row)
			if it.Count > 1 {
				fmt.Fprintf(&b, "%d spans", it.Count)
			} else {
				b.WriteString(it.Text)
			}
			if it.Flags&wire.ItemFailed != 0 {
				b.WriteString(" FAILED")
			}
			if it.Flags&wire.ItemChain != 0 {
				b.WriteString(" *")
			}
			b.WriteString("\n")
		}
	}
	for _, a := range w.Arrows {
		fmt.Fprintf(&b, "%d -> %d\n", w.Items[a.From].ID, w.Items[a.To].ID)
	}
	fmt.Fprintf(&b, "%d shown, %d quiet\n", w.Shown, w.Quiet)
	return b.String()
}

func TestWindow(t *testing.T) {
	midnight := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	rollout := func(h *history.History) { h.Rollout("web", 2) }
	tests := []struct {
		name string
		make func(h *history.History)
		q    timeline.Query
		want string
	}{
		{
			name: "steps: the chain side by side, heartbeats hidden",
			make: rollout,
			q:    timeline.Query{Axis: wire.AxisSteps, To: 8, Width: 800, Selected: 1},
			want: `
admin
  0..98 row 0: created Deployment web *
deployment-controller
  100..198 row 0: created ReplicaSet web-5d9c *
replicaset-controller
  200..298 row 0: created 2 Pods *
default-scheduler
  300..398 row 0: changed Pod web-5d9c-0: bound to node-1 *
  500..598 row 0: changed Pod web-5d9c-1: bound to node-2 *
kubelet
  400..498 row 0: changed Pod web-5d9c-0: now Running
  600..698 row 0: changed Pod web-5d9c-1: now Running
1 -> 2
2 -> 3
3 -> 4
3 -> 8
7 shown, 4 quiet
`,
		},
		{
			name: "follow moves the window to the newest",
			make: rollout,
			q:    timeline.Query{Axis: wire.AxisSteps, To: 2, Width: 200, Follow: true},
			want: `
admin
deployment-controller
replicaset-controller
default-scheduler
  0..98 row 0: changed Pod web-5d9c-1: bound to node-2
kubelet
  100..198 row 0: changed Pod web-5d9c-1: now Running
7 shown, 4 quiet
`,
		},
		{
			name: "follow begins at the left as long as everything fits",
			make: func(h *history.History) { h.Rollout("web", 1) },
			q:    timeline.Query{Axis: wire.AxisSteps, To: 20, Width: 2000, Follow: true},
			want: `
admin
  0..98 row 0: created Deployment web
deployment-controller
  100..198 row 0: created ReplicaSet web-5d9c
replicaset-controller
  200..298 row 0: created Pod web-5d9c-0
default-scheduler
  300..398 row 0: changed Pod web-5d9c-0: bound to node-1
kubelet
  400..498 row 0: changed Pod web-5d9c-0: now Running
1 -> 2
2 -> 3
3 -> 4
5 shown, 2 quiet
`,
		},
		{
			name: "time: short spans side by side get rows, dense ones are one item",
			make: rollout,
			q:    timeline.Query{Axis: wire.AxisTime, From: midnight, To: midnight + 2_100_000, Width: 420, Filter: timeline.Filter{Quiet: true}},
			want: `
admin
  0..8 row 0: created Deployment web
deployment-controller
  0..8 row 0: created ReplicaSet web-5d9c
replicaset-controller
  0..8 row 0: created 2 Pods
default-scheduler
  0..8 row 0: changed Pod web-5d9c-0: bound to node-1
  201..209 row 0: changed Pod web-5d9c-1: bound to node-2
kubelet
  0..8 row 0: looked at Pod web-5d9c-0 and had nothing to do
  201..209 row 0: 2 spans
  201..209 row 1: reported that Node node-1 is still there
  401..409 row 0: changed Pod web-5d9c-1: now Running
  402..410 row 1: reported that Node node-2 is still there
1 -> 2
2 -> 3
3 -> 4
4 -> 5
3 -> 8
8 -> 6
11 shown, 0 quiet
`,
		},
		{
			name: "filter by key: what worked on it, wrote it, or was triggered by it",
			make: func(h *history.History) { h.Rollout("web", 1); h.Rollout("other", 1) },
			q:    timeline.Query{To: 8, Width: 800, Filter: timeline.Filter{Key: history.ReplicaSet("web-5d9c")}},
			want: `
deployment-controller
  0..98 row 0: created ReplicaSet web-5d9c
replicaset-controller
  100..198 row 0: created Pod web-5d9c-0
2 -> 3
2 shown, 0 quiet
`,
		},
		{
			name: "filter by text, in any case",
			make: func(h *history.History) { h.Rollout("web", 1); h.Rollout("other", 1) },
			q:    timeline.Query{To: 2, Width: 200, Filter: timeline.Filter{Text: " Deployments.apps/default/OTHER"}},
			want: `
admin
  0..98 row 0: created Deployment other
deployment-controller
  100..198 row 0: created ReplicaSet other-5d9c
8 -> 9
2 shown, 0 quiet
`,
		},
		{
			name: "nothing",
			make: func(*history.History) {},
			q:    timeline.Query{To: 10, Width: 100},
			want: "\n0 shown, 0 quiet\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := history.New(0)
			tt.make(h)
			got := "\n" + drawing(newTimeline(h).Window(tt.q))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("window (-want +got):\n%s", d)
			}
		})
	}
}

// long makes about n spans.
func long(n int) *history.History {
	h := history.New(20_000)
	for i := 0; h.Trace.Spans(0) == nil || h.Trace.Spans(0)[len(h.Trace.Spans(0))-1].ID < trace.SpanID(n); i++ {
		h.Rollout(fmt.Sprint("web-", i), 30)
	}
	return h
}

func TestWindowIsBounded(t *testing.T) {
	h := long(30_000)
	tl := newTimeline(h)
	all := h.Trace.Spans(0)
	for _, q := range []timeline.Query{
		{Axis: wire.AxisSteps, To: int64(len(all)), Width: 1200},
		{Axis: wire.AxisTime, From: all[0].Start.UnixMicro(), To: h.Now().UnixMicro(), Width: 1200},
		{Axis: wire.AxisTime, From: all[0].Start.UnixMicro(), To: h.Now().UnixMicro(), Width: 1 << 40, Selected: all[100].ID},
		{Axis: wire.AxisTime, From: -1 << 62, To: 1 << 62, Width: 100},
		{Axis: wire.AxisSteps, From: 1 << 62, To: -1 << 62, Width: -5},
	} {
		w := tl.Window(q)
		if limit := int(min(max(q.Width, 100), 10_000)) / 10 * len(w.Lanes) * 4; len(w.Items) > limit || len(w.Arrows) > 400 {
			t.Errorf("%+v: %d items and %d arrows, want at most %d and 400", q, len(w.Items), len(w.Arrows), limit)
		}
		data := wire.NewEncoder().Timeline(w)
		back, err := new(wire.Decoder).Timeline(data)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(w.Items, back.Items); d != "" && len(w.Items) > 0 {
			t.Errorf("items do not come back equal:\n%s", d)
		}
	}
}

func TestWindowAfterSpansWereDropped(t *testing.T) {
	h := history.New(64)
	tl := newTimeline(h)
	for i := range 40 {
		h.Rollout(fmt.Sprint("web-", i), 3)
		w := tl.Window(timeline.Query{To: 1000, Width: 1000})
		var drawn uint32
		for _, it := range w.Items {
			drawn += it.Count
		}
		if drawn != w.Shown || w.Newest == 0 {
			t.Fatalf("after rollout %d: %d spans drawn, %d shown, newest %d", i, drawn, w.Shown, w.Newest)
		}
	}
}

func TestGo(t *testing.T) {
	h := history.New(0)
	h.Rollout("web", 1)
	tl := newTimeline(h)
	tests := []struct {
		from  trace.SpanID
		where string
		want  trace.SpanID
	}{
		{1, timeline.ToNext, 2}, {2, timeline.ToPrevious, 1}, {1, timeline.ToPrevious, 0}, {0, timeline.ToNext, 1},
		{3, timeline.ToCause, 2}, {2, timeline.ToEffect, 3}, {6, timeline.ToCause, 5}, {1, timeline.ToCause, 0},
		{4, timeline.ToNext, 6}, {5, timeline.ToNext, 6}, {5, timeline.ToPrevious, 4},
		{0, timeline.ToLast, 6}, {0, timeline.ToFirst, 1}, {99, timeline.ToEffect, 0}, {3, "sideways", 0},
		{4, timeline.ToItself, 4}, {5, timeline.ToItself, 0},
	}
	for _, tt := range tests {
		if got, _ := tl.Go(tt.from, tt.where, timeline.Filter{}, wire.AxisSteps); got != tt.want {
			t.Errorf("%s of %d is %d, want %d", tt.where, tt.from, got, tt.want)
		}
	}
	if _, at := tl.Go(4, timeline.ToNext, timeline.Filter{}, wire.AxisSteps); at != 4 {
		t.Errorf("span 6 is at step %d, want 4", at)
	}
	if _, at := tl.Go(4, timeline.ToNext, timeline.Filter{}, wire.AxisTime); at != h.Trace.Span(6).Start.UnixMicro() {
		t.Errorf("span 6 is at %d, want its start", at)
	}
}

func TestDetails(t *testing.T) {
	h := history.New(0)
	h.Rollout("web", 1)
	h.Span("admin", trace.Request, history.Deployment("web"), nil, func(*trace.Span) {
		next := *h.Objects[history.Deployment("web")].(*appsv1.Deployment)
		next.Spec.Replicas = ptr.To[int32](5)
		h.Write("patch", history.Deployment("web"), &next)
	})
	tl := newTimeline(h)
	got := tl.Details(8)
	want := []wire.Write{{
		Verb: "patch", Revision: 7, Changes: []wire.FieldChange{{Path: "spec.replicas", Old: "1", New: "5"}},
		Object: wire.Ref{Resource: "deployments.apps", Kind: "Deployment", Namespace: "default", Name: "web"},
	}}
	if d := cmp.Diff(want, got.Writes); d != "" {
		t.Errorf("writes (-want +got):\n%s", d)
	}
	if got := tl.Details(3); len(got.Causes) != 1 || got.Causes[0].ID != 2 || len(got.Effects) != 1 || got.Effects[0].ID != 4 {
		t.Errorf("causes %v and effects %v of span 3, want 2 and 4", got.Causes, got.Effects)
	}
	for id := trace.SpanID(0); id < 12; id++ {
		d := tl.Details(id)
		back, err := new(wire.Decoder).Span(wire.NewEncoder().Span(d))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, back); diff != "" {
			t.Errorf("span %d does not come back equal:\n%s", id, diff)
		}
	}
}

func TestSubscription(t *testing.T) {
	h := history.New(0)
	tl := newTimeline(h)
	woken := 0
	s := tl.Subscribe(func() { woken++ })
	read := func() (newest uint64) {
		frame, ok := s.Next()
		if !ok {
			return 0
		}
		b, err := new(wire.Decoder).Bounds(frame)
		if err != nil {
			t.Fatal(err)
		}
		return b.Newest
	}
	if frame, ok := s.Next(); !ok || len(frame) == 0 {
		t.Error("a new reader is told nothing")
	}
	h.Rollout("web", 1)
	if got := read(); got != 7 || woken != 7 {
		t.Errorf("the newest span is %d after %d wakes, want 7 after 7", got, woken)
	}
	if _, ok := s.Next(); ok {
		t.Error("the same is told twice")
	}
	s.Close()
	h.Rollout("other", 1)
	if woken != 7 {
		t.Error("a closed reader is woken")
	}
}

func BenchmarkWindowOf20000Spans(b *testing.B) {
	h := long(20_000)
	tl := newTimeline(h)
	all := h.Trace.Spans(0)
	for b.Loop() {
		tl.Window(timeline.Query{Axis: wire.AxisTime, From: all[0].Start.UnixMicro(), To: h.Now().UnixMicro(), Width: 1200})
	}
}
