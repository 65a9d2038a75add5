package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestHooks checks window.terrarium, the contract with tests and embedders.
func TestHooks(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) { testHooks(t, m) })
	}
}

func testHooks(t *testing.T, m mode) {
	p := open(t, options{fallback: m.fallback, query: "?seed=5&start=2026-03-01T00:00:00Z&paused=1"})
	var clock struct {
		Now    int64
		Speed  any
		Paused bool
	}
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	p.eval("terrarium.clock()", &clock)
	if clock.Now != start.UnixMilli() || clock.Speed != 1.0 || !clock.Paused {
		t.Errorf("clock of a new, paused cluster: got %+v", clock)
	}
	p.eval(`terrarium.advance("6m")`, &clock)
	if want := start.Add(6 * time.Minute).UnixMilli(); clock.Now != want {
		t.Errorf("after 6m: got %d, want %d", clock.Now, want)
	}
	p.eval(`terrarium.speed("max")`, &clock)
	if clock.Speed != "max" {
		t.Errorf("speed: got %v, want max", clock.Speed)
	}
	p.eval("terrarium.speed(20)", &clock)
	if clock.Speed != 20.0 {
		t.Errorf("speed: got %v, want 20", clock.Speed)
	}
	p.eval("terrarium.resume()", &clock)
	if clock.Paused {
		t.Error("still paused after resume")
	}
	p.eval("terrarium.pause()", &clock)
	if !clock.Paused {
		t.Error("not paused after pause")
	}
	var step struct {
		Label struct{ Component, Action string }
	}
	p.eval("terrarium.step()", &step)
	if step.Label.Component == "" {
		t.Error("a step says nothing of what it did")
	}
	var refused string
	p.eval(`terrarium.speed(5000).then(() => "taken", (e) => e.message)`, &refused)
	if want := "speed must be from 0.1 to 1000, or max"; refused != want {
		t.Errorf("a speed out of bounds: got %q, want %q", refused, want)
	}
	var hash, again string
	p.eval("terrarium.traceHash()", &hash)
	p.eval("terrarium.traceHash()", &again)
	if hash == "" || hash != again {
		t.Errorf("trace hash of a cluster that stands still: %q, then %q", hash, again)
	}
	var flushed, stats struct{ Revision, Durable, Nodes int64 }
	p.eval("terrarium.flush()", &flushed)
	p.eval("terrarium.stats()", &stats)
	if stats.Durable < flushed.Revision || stats.Nodes != 3 {
		t.Errorf("after a flush at %d: %+v", flushed.Revision, stats)
	}
	status, obj := p.request("GET", "/api/v1/namespaces/nowhere", nil)
	if diff := cmp.Diff([]any{404, `namespaces "nowhere" not found`}, []any{status, obj.text("message")}); diff != "" {
		t.Errorf("a namespace that is not there (-want +got):\n%s", diff)
	}
}

// TestUsableBeforeTheCluster holds the cluster program back: the page must be usable meanwhile, and say how far
// the start is.
func TestUsableBeforeTheCluster(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			p := openEarly(t, options{fallback: m.fallback})
			p.eventually("the editor stands", `document.querySelector(".cm-content") !== null`)
			p.eval(`window.terrariumEditor.setText("kind: ConfigMap")`, nil)
			p.waitReady()
			var text string
			p.eval("window.terrariumEditor.getText()", &text)
			if text != "kind: ConfigMap" {
				t.Errorf("what was written before the cluster came: got %q", text)
			}
			p.eventually("the loading sign is gone", `(() => { const b = document.getElementById("boot"); return !b || b.hidden || getComputedStyle(b).display === "none"; })()`)
		})
	}
}

// TestSecondVisitStartsAtOnce: a cluster program that the browser has is not kept waiting for the page's.
func TestSecondVisitStartsAtOnce(t *testing.T) {
	const holdPage = `if (localStorage.getItem("terrarium.program")) {
		const load = fetch;
		window.fetch = (url, ...rest) => String(url).includes("/page-") ? new Promise(() => {}) : load(url, ...rest);
	}`
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			p := open(t, options{fallback: m.fallback, script: holdPage})
			p.reload()
			p.eventually("the cluster serves", `document.documentElement.dataset.ready === "true"`)
			var usable int
			p.eval(`performance.getEntriesByName("terrarium-usable").length`, &usable)
			if usable != 0 {
				t.Error("the page program was not held back")
			}
		})
	}
}

// TestNothingFromOutside: every byte comes from the server, under a strict policy.
func TestNothingFromOutside(t *testing.T) {
	p := open(t, options{})
	var hosts []string
	p.eval(`[...new Set(performance.getEntriesByType("resource").map(e => new URL(e.name).origin))].filter(o => o !== location.origin)`, &hosts)
	if len(hosts) > 0 {
		t.Errorf("the page loads from %v", hosts)
	}
	var inline int
	p.eval(`document.querySelectorAll("script:not([src]):not([type='application/json']), style, [onclick], [onload], [onerror]").length`, &inline)
	if inline > 0 {
		t.Errorf("%d inline scripts or styles", inline)
	}
}

// TestSecondVisit prints how long the start takes, from the navigation on, for the record.
func TestSecondVisit(t *testing.T) {
	p := open(t, options{})
	for _, visit := range []string{"first", "second", "third"} {
		var usable, ready float64
		p.eventually("the page stands", `performance.getEntriesByName("terrarium-usable").length > 0`)
		p.eval(`performance.getEntriesByName("terrarium-usable")[0].startTime`, &usable)
		p.eval(`performance.getEntriesByName("terrarium-ready")[0].startTime`, &ready)
		t.Logf("%s visit: usable after %s, ready after %s", visit, millis(usable), millis(ready))
		p.reload()
		p.waitReady()
	}
}

func millis(ms float64) string { return fmt.Sprintf("%.0f ms", ms) }
