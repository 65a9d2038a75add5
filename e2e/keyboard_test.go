package e2e

import (
	"fmt"
	"testing"
	"time"

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
	const node = `document.querySelector('[data-testid="node"][data-name="node-1"]')`
	menu := func(item string) {
		p.eval(node+`.querySelector('[data-testid="node-menu"]').click()`, nil)
		p.click(item)
	}
	p.eval(`terrarium.advance("3s")`, nil)
	p.eventually("the node is ready", node+`?.getAttribute("aria-label").includes(", Ready")`)
	menu("node-off")
	p.eval(`terrarium.advance("2m")`, nil)
	p.eventually("the node is off and silent", `["Off", "NotReady"].every((s) => `+node+`.textContent.includes(s))`)
	p.eventually("its head fits into it", `(() => {
		const box = `+node+`.getBoundingClientRect();
		return [...`+node+`.querySelectorAll(".node-head > *")].every((e) => {
			const r = e.getBoundingClientRect();
			return r.width > 20 && r.left >= box.left && r.right <= box.right;
		});
	})()`)
	menu("node-on")
	p.eval(`terrarium.advance("30s")`, nil)
	p.eventually("the node is back", node+`.getAttribute("aria-label").includes(", Ready")`)
}

// An open menu of a node follows the node: what another tab did to it is not offered again.
func TestNodeMenuFollows(t *testing.T) {
	p := open(t, options{query: "?seed=8&paused=1"})
	p.advance(3 * time.Second)
	p.clickOn(`[data-testid="node-menu"][data-name="node-1"]`)
	p.eventually("cordon has the focus", `document.activeElement.dataset.testid === "node-cordon"`)
	p.eval(`terrarium.request("PATCH", "/api/v1/nodes/node-1", {spec: {unschedulable: true}})`, nil)
	p.eventually("uncordon has taken its place", `document.activeElement.dataset.testid === "node-uncordon" && document.querySelector('[data-testid="node-cordon"]') === null`)
	p.eval(`terrarium.request("DELETE", "/api/v1/nodes/node-1")`, nil)
	p.eventually("no node, no menu", `document.getElementById("menu").hidden`)
}
