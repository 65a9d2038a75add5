package e2e

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// A load is what the main thread of a page had to do in one go at most, in milliseconds.
type load struct {
	longest float64 // task, by the clock on the wall: what a person feels, and the neighbors' work with it
	busiest float64 // task, in time of the processor: what the page is to blame for
	frame   float64 // animation frame, from its start until it is on the screen
}

// loadOf measures what the main thread does while do runs.
func (p *tab) loadOf(do func()) load {
	p.Helper()
	p.eval(`(() => {
		globalThis.longest = {longtask: 0, "long-animation-frame": 0};
		globalThis.observers = Object.keys(longest).map((type) => {
			const o = new PerformanceObserver((list) => { for (const e of list.getEntries()) longest[type] = Math.max(longest[type], e.duration); });
			o.observe({type});
			return o;
		});
	})()`, nil)
	busiest := p.traceTasks(do)
	var seen map[string]float64
	p.eval(`(() => { observers.forEach((o) => o.disconnect()); return longest; })()`, &seen)
	return load{longest: seen["longtask"], busiest: busiest, frame: seen["long-animation-frame"]}
}

// traceTasks returns the most processor time that one task of a page's main thread took while do ran.
func (p *tab) traceTasks(do func()) (busiest float64) {
	p.Helper()
	p.traced = make(chan any, 1000)
	config := &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "devtools.timeline"}}
	p.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, tracing.Start, tracing.StartParams{TransferMode: tracing.StartTransferModeReportEvents, TraceConfig: config})
		return err
	}))
	do()
	p.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, tracing.End, cdp.Empty{})
		return err
	}))
	main, most := make(map[thread]bool), make(map[thread]float64)
	for {
		select {
		case ev := <-p.traced:
			part, ok := ev.(*tracing.EventDataCollected)
			if !ok { // it is complete
				for t := range main {
					busiest = max(busiest, most[t]/1000)
				}
				return busiest
			}
			for _, raw := range part.Value {
				var e traceEvent
				if json.Unmarshal(raw, &e) != nil {
					continue
				}
				if e.Name == "FireAnimationFrame" {
					main[e.thread] = true
				}
				most[e.thread] = max(most[e.thread], e.CPU)
			}
		case <-time.After(patience):
			p.Fatal("the trace does not end")
		}
	}
}

type thread struct {
	Process int `json:"pid"`
	Thread  int `json:"tid"`
}

// A traceEvent is what is read of one event of Chromium's trace format.
type traceEvent struct {
	thread
	Name string  `json:"name"`
	CPU  float64 `json:"tdur"` // microseconds
}

// TestLargeRolloutIsDrawn looks at the page after a rollout of 1,000 pods. How long its tasks were is logged:
// the benchmarks judge that.
func TestLargeRolloutIsDrawn(t *testing.T) {
	p := withNodes(t, 10)
	_, load := rollOut(p, 1000)
	t.Logf("longest task %.0f ms, of it at most %.0f ms on the processor; longest frame %.0f ms", load.longest, load.busiest, load.frame)
	if load.busiest == 0 {
		t.Error("no task was seen on the main thread")
	}
	p.eventually("all pods run on the board", `document.querySelectorAll('#board [data-testid="pod"][data-phase="Running"]').length === 1000`)
	p.eventually("none is left in the tray", `document.querySelectorAll('#pending [data-testid="pod"]').length === 0`)
	p.eventually("each pod is there once", `new Set([...document.querySelectorAll('[data-testid="pod"]')].map((e) => e.dataset.uid)).size === 1000`)
	if n := p.count(`[data-testid="span"]`); n < 5 {
		t.Errorf("the timeline shows %d spans", n)
	}
}
