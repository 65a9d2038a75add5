package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// press holds the pointer down on an element while something happens, and lets go.
func (p *tab) press(selector string, meanwhile func()) {
	p.Helper()
	x, y := p.reach(selector)
	p.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	meanwhile()
	p.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

// A press counts although what it is on is drawn anew before the pointer is up.
func TestPressOutlivesDrawing(t *testing.T) {
	p := open(t, options{query: "?seed=9&paused=1"})
	p.apply(nginx)
	p.advance(time.Second)
	p.eventually("two pods start", `document.querySelectorAll('#board [data-phase="ContainerCreating"]').length === 2`)
	p.press(`#board [data-testid="pod"]`, func() {
		p.advance(30 * time.Second)
		p.eventually("the tile is drawn anew", `document.querySelectorAll('#board [data-phase="Running"]').length === 2`)
	})
	p.eventually("the press opened the pod", `document.querySelector("#inspector-title")?.textContent.startsWith("nginx-deployment-") ?? false`)

	firstInput{p}.inspectDeployment()
	p.press(string(testid("scale-up")), func() {
		p.apply(strings.Replace(nginx, "replicas: 2", "replicas: 5", 1))
		p.eventually("the inspector is drawn anew", `document.querySelector('[data-testid="scale-input"]').value === "5"`)
	})
	p.eventually("the press was one replica more", fmt.Sprintf(`terrarium.request("GET", %s).then(r => r.body.spec.replicas === 6)`, quote(deployment)))

	const spans = `[...document.querySelectorAll(".tl-item")]`
	var pressed string
	p.eval(spans+`.at(-1).dataset.span`, &pressed)
	p.press(fmt.Sprintf(".tl-item[data-span=%q]", pressed), func() {
		p.advance(30 * time.Second)
		p.eventually("the timeline has gone on", fmt.Sprintf(`%s.at(-1).dataset.span !== %q`, spans, pressed))
	})
	p.eventually("the span that was pressed is selected", fmt.Sprintf(`document.querySelector('.tl-item[aria-selected="true"]')?.dataset.span === %q`, pressed))
}
