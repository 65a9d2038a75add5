package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A pending pod explains itself to someone who has no pointer: by Tab to the tray, an arrow and Enter.
func TestPendingByKeyboard(t *testing.T) {
	p := open(t, options{query: "?seed=8&paused=1"})
	p.eval("terrarium.apply("+quote(fmt.Sprintf(web, 1)+`        resources: {requests: {cpu: "40"}}
`)+")", nil)
	p.eval(`terrarium.advance("3s")`, nil)
	p.eventually("the pod waits in the tray", `document.querySelectorAll('#pending [data-testid="pod"]').length === 1`)
	p.eval(`document.querySelector("#board-filter").focus()`, nil)
	for range 3 { // Add node, the board, the tray
		p.run(chromedp.KeyEvent(kb.Tab))
	}
	p.run(chromedp.KeyEvent(kb.ArrowRight))
	p.eventually("the pod has the focus", `document.activeElement.dataset.testid === "pod" && document.activeElement.closest("#pending") !== null`)
	p.run(chromedp.KeyEvent(kb.Enter))
	p.eventually("every node says why not", `[...document.querySelectorAll('[data-testid="reason"]')].filter((e) => e.textContent.includes("Insufficient cpu")).length === 3`)
	p.run(chromedp.KeyEvent(kb.Escape))
	p.eventually("and stops when asked", `document.querySelector('[data-testid="reason"]') === null`)
}

// A node that is off for long still shows its name and can be switched on again.
func TestSilentNodeKeepsItsHead(t *testing.T) {
	p := open(t, options{query: "?seed=8&paused=1"})
	p.eventually("nodes", `document.querySelectorAll('[data-testid="node"]').length === 3`)
	p.eval(`terrarium.advance("3s")`, nil)
	menu := chromedp.CSS(`[data-testid="node-menu"][data-name="node-1"]`)
	p.run(chromedp.Click(menu))
	p.click("node-off")
	p.eval(`terrarium.advance("2m")`, nil)
	p.eventually("the node is silent", `document.querySelector('[data-testid="node"][data-name="node-1"]').textContent.includes("NotReady")`)
	var inside bool
	p.eval(`(() => {
		const node = document.querySelector('[data-testid="node"][data-name="node-1"]').getBoundingClientRect();
		return [...document.querySelectorAll('[data-testid="node"][data-name="node-1"] .node-head > *')].every((e) => {
			const r = e.getBoundingClientRect();
			return r.width > 20 && r.left >= node.left && r.right <= node.right;
		});
	})()`, &inside)
	if !inside {
		t.Error("the head of the node does not fit into it")
	}
	p.run(chromedp.Click(menu))
	p.click("node-on")
	p.eval(`terrarium.advance("30s")`, nil)
	p.eventually("the node is back", `document.querySelector('[data-testid="node"][data-name="node-1"]').getAttribute("aria-label").includes(", Ready")`)
}
