package e2e

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var kills = flag.Int("kills", 50, "how often TestKilled kills the browser")

// TestReloadInRollout reloads the page in the middle of a rollout: the rollout goes on.
func TestReloadInRollout(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			p := open(t, options{fallback: m.fallback, query: "?seed=2&paused=1"})
			p.apply(strings.Replace(nginx, "replicas: 2", "replicas: 8", 1))
			p.until("eight pods run", time.Minute, func() bool { return running(p.pods("app=nginx")) == 8 })
			p.apply(strings.Replace(strings.Replace(nginx, "replicas: 2", "replicas: 8", 1), "1.7.9", "1.9.1", 1))
			for step := range 3 {
				p.advance(time.Duration(300+200*step) * time.Millisecond)
				p.eval("terrarium.flush()", nil)
				p.reload()
				p.waitReady()
			}
			p.until("the rollout ends", 5*time.Minute, func() bool {
				d := p.get(deployment)
				return d.number("status", "updatedReplicas") == 8 && d.number("status", "availableReplicas") == 8 && d.number("status", "replicas") == 8
			})
			for _, pod := range p.pods("app=nginx") {
				if got := pod.text("spec", "containers", 0, "image"); got != "nginx:1.9.1" {
					t.Errorf("pod %s runs %s", pod.text("metadata", "name"), got)
				}
			}
		})
	}
}

// TestKilled kills the browser in the middle of writes, again and again. Writes are numbered and sent one
// behind the other, so what is there afterwards must be all of 0 to some number, which is no smaller than
// that of the last write that the page was told is kept. A SharedWorker and a Worker take turns on one storage.
func TestKilled(t *testing.T) {
	needBrowser(t)
	profile := t.TempDir()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	luck := rand.New(rand.NewPCG(seed, 0))
	acked, next := -1, 0
	for round := range *kills {
		b := ownBrowser(t, profile)
		p := open(t, options{in: b, profile: true, fallback: round%2 == 1})
		kept := p.checkPrefix(round, acked)
		next = kept + 1
		acked = p.writeAndKill(next, time.Duration(luck.IntN(400))*time.Millisecond)
		if acked < kept {
			acked = kept
		}
		if t.Failed() {
			return
		}
	}
	p := open(t, options{in: ownBrowser(t, profile), profile: true})
	t.Logf("%d kills, %d writes kept", *kills, p.checkPrefix(*kills, acked)+1)
}

// checkPrefix checks that the writes that are kept are 0 to some number, at least acked, and returns it.
func (p *tab) checkPrefix(round, acked int) int {
	p.Helper()
	there := make(map[int]bool)
	highest := -1
	for _, cm := range p.get("/api/v1/namespaces/default/configmaps?labelSelector=written").items() {
		n, err := strconv.Atoi(strings.TrimPrefix(cm.text("metadata", "name"), "write-"))
		if err != nil {
			p.Fatal(err)
		}
		there[n] = true
		highest = max(highest, n)
	}
	if len(there) != highest+1 {
		p.Fatalf("round %d: %d writes are kept, the highest is number %d: no prefix", round, len(there), highest)
	}
	if highest < acked {
		p.Fatalf("round %d: write %d was acknowledged, but %d is the highest kept", round, acked, highest)
	}
	return highest
}

// writeAndKill writes from number next on and kills the browser d after the first write that is kept. It
// returns the last write of which it heard that it is kept.
func (p *tab) writeAndKill(next int, d time.Duration) int {
	p.Helper()
	var acked atomic.Int64
	acked.Store(-1)
	err := chromedp.Listen(p.ctx, func(ev any) {
		if ev, ok := ev.(*runtime.EventConsoleAPICalled); ok && len(ev.Args) == 2 && string(ev.Args[0].Value) == `"kept"` {
			if n, err := strconv.ParseInt(string(ev.Args[1].Value), 10, 64); err == nil {
				acked.Store(max(acked.Load(), n))
			}
		}
	})
	if err != nil {
		p.Fatal(err)
	}
	// Four writes at a time are on their way; the cluster takes them in the order they are sent.
	p.eval(fmt.Sprintf(`void (async () => {
		let n = %d;
		const one = async () => {
			for (;;) {
				const i = n++;
				const r = await terrarium.request("POST", "/api/v1/namespaces/default/configmaps",
					{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "write-" + i, labels: {written: "yes"}}, data: {at: String(i)}});
				if (r.status === 201) console.log("kept", i);
			}
		};
		for (let k = 0; k < 4; k++) one();
	})()`, next), nil)
	for deadline := time.Now().Add(patience); acked.Load() < 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			p.Fatal("no write was acknowledged")
		}
	}
	time.Sleep(d)
	p.opts.in.kill()
	return int(acked.Load())
}

// TestTwoTabs: a second tab shows the same live cluster, and two people who edit one object do not
// overwrite each other unseen.
func TestTwoTabs(t *testing.T) {
	a := open(t, options{query: "?seed=3"})
	a.apply(nginx)
	b := open(t, options{beside: a})
	b.eventually("the second tab shows the pods", `document.querySelectorAll('#board [data-testid="pod"]').length === 2`)
	for _, p := range []*tab{a, b} {
		p.eval(`terrariumEditor.openObject("deployments.apps", "default", "nginx-deployment")`, nil)
	}
	// Typed over what is there: the editor goes on knowing which object it has open.
	edit := func(p *tab, from, to string) {
		p.eval(fmt.Sprintf(`(() => {
			const line = [...document.querySelectorAll(".cm-line")].find((l) => l.textContent.includes(%[1]s));
			const text = line.textContent.replace(%[1]s, %[2]s);
			document.querySelector(".cm-content").focus();
			getSelection().selectAllChildren(line);
			document.execCommand("insertText", false, text);
		})()`, quote(from), quote(to)), nil)
		p.eventually("the editor has the edit", fmt.Sprintf("terrariumEditor.getText().includes(%s)", quote(to)))
		p.click("apply")
	}
	edit(a, "replicas: 2", "replicas: 3")
	a.eventually("the first edit is in", fmt.Sprintf(`terrarium.request("GET", %s).then(r => r.body.spec.replicas === 3)`, quote(deployment)))
	edit(b, "nginx:1.7.9", "nginx:1.9.1")
	b.eventually("the second is told of the first", `document.querySelector('[data-testid="conflict"]')?.textContent.includes("replicas") ?? false`)
	b.click("conflict-merge")
	b.eventually("the merge waits in the editor or is applied", `document.querySelector('[data-testid="conflict"]') === null`)
	var merged string
	b.eval("terrariumEditor.getText()", &merged)
	if !strings.Contains(merged, "replicas: 3") || !strings.Contains(merged, "nginx:1.9.1") {
		t.Errorf("the merge lacks one of the edits:\n%s", merged)
	}
	b.click("apply")
	b.eventually("both edits are in", fmt.Sprintf(`terrarium.request("GET", %s).then(r => r.body.spec.replicas === 3 && r.body.spec.template.spec.containers[0].image === "nginx:1.9.1")`, quote(deployment)))
}

// TestTakeOver: without SharedWorker one tab has the cluster; another says so and can take it over.
func TestTakeOver(t *testing.T) {
	a := open(t, options{fallback: true, query: "?seed=4&paused=1"})
	a.apply(nginx)
	a.opts.allow = []string{"Another tab took over"}
	b := openEarly(t, options{fallback: true, beside: a})
	b.eventually("the second tab says why it waits", `document.getElementById("notice").textContent.includes("Another tab has the cluster")`)
	b.eventually("and nothing that looks like a start", `(() => {
		const shown = (e) => e !== null && e.checkVisibility({ visibilityProperty: true });
		return ![...document.querySelectorAll("progress, .boot-hint, #saved")].some(shown) &&
			document.getElementById("boot-label").textContent === "Another tab has the cluster" &&
			document.querySelector('[data-testid="editor-status"]')?.textContent === "Another tab has the cluster; you can write meanwhile.";
	})()`)
	b.click("notice-action")
	b.waitReady()
	b.eventually("then it looks like any other", `!("elsewhere" in document.documentElement.dataset) && document.getElementById("notice").hidden && document.getElementById("saved").checkVisibility({ visibilityProperty: true })`)
	if d := b.get(deployment); d.number("spec", "replicas") != 2 {
		t.Errorf("the cluster that was taken over: %v", d)
	}
	a.eventually("the first tab says that it lost the cluster", `document.documentElement.dataset.error === "Another tab took over the cluster."`)
}

// TestStorageRefused: where the browser keeps nothing the page says so and goes on in memory. What refuses is
// written into the worker's script, before the program.
func TestStorageRefused(t *testing.T) {
	tests := []struct {
		name, script string
		taken        bool // a write is answered as done: nobody was promised that it is kept
		said         string
	}{
		{"private window", `IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError"); };`, true, "this browser keeps nothing for this page"},
		{"cookies blocked", `Object.defineProperty(globalThis, "indexedDB", {configurable: true, get() { throw new DOMException("denied", "SecurityError"); }});`, true, "this browser keeps nothing for this page"},
		{"full disk", `IDBObjectStore.prototype.add = IDBObjectStore.prototype.put = () => { throw new DOMException("over quota", "QuotaExceededError"); };`, false, "no space left"},
	}
	for _, tt := range tests {
		for _, m := range modes {
			t.Run(tt.name+"/"+m.name, func(t *testing.T) {
				p := open(t, options{fallback: m.fallback, query: "?seed=6&paused=1", site: siteWith(t, tt.script)})
				var refused string
				p.eval("terrarium.apply("+quote(nginx)+").then(() => '', e => e.message)", &refused)
				if taken := refused == ""; taken != tt.taken || !taken && !strings.Contains(refused, tt.said) {
					t.Errorf("a write that cannot be kept: got %q", refused)
				}
				p.eventually("the page says that it is not saved", `document.getElementById("saved").dataset.state === "not-saved"`)
				p.eventually("the page says why", fmt.Sprintf(`document.body.textContent.includes(%[1]s) || document.getElementById("saved").title.includes(%[1]s)`, quote(tt.said)))
				p.eventually("the page says what to do", fmt.Sprintf(`!document.getElementById("unsaved").hidden && document.getElementById("unsaved").textContent.includes(%s)`, quote(tt.said)))
				p.click("unsaved-close")
				p.eventually("what was read goes away", `document.getElementById("unsaved").hidden`)
				p.advance(30 * time.Second)
				if n := running(p.pods("app=nginx")); n != 2 {
					t.Errorf("%d pods run in memory, want 2", n)
				}
			})
		}
	}
}
