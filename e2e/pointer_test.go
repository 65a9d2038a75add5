package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// mouse sends what the left button, or the pointer while it is down, does.
func (p *tab) mouse(does input.DispatchMouseEventType, x, y float64) {
	p.Helper()
	p.run(chromedp.MouseEvent(does, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

// press holds the pointer down on an element while something happens, and lets go.
func (p *tab) press(selector string, meanwhile func()) {
	p.Helper()
	x, y := p.reach(selector)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	meanwhile()
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
}

// A long press counts although what it is on is drawn anew before the pointer is up. Where that is gone or elsewhere
// it may count for nothing, but never for what has taken its place.
func TestPressOutlivesDrawing(t *testing.T) {
	p := open(t, options{query: "?seed=9&paused=1"})
	p.apply(nginx)
	p.advance(30 * time.Second)
	firstInput{p}.inspectDeployment()
	p.press(string(testid("scale-up")), func() {
		p.apply(strings.Replace(nginx, "replicas: 2", "replicas: 5", 1))
		p.eventually("the inspector is drawn anew", `document.querySelector('[data-testid="scale-input"]').value === "5"`)
	})
	p.eventually("the press was one replica more", fmt.Sprintf(`terrarium.request("GET", %s).then(r => r.body.spec.replicas === 6)`, quote(deployment)))

	p.advance(30 * time.Second)
	p.click("tab-owners")
	const pods = `[...document.querySelectorAll('#inspector [data-open^="pods/"]')].map((e) => e.dataset.open)`
	p.eventually("all pods are listed", pods+`.length === 6`)
	var listed []string
	p.eval(pods, &listed)
	pressed := listed[2]
	p.press(fmt.Sprintf(`#inspector [data-open=%q]`, pressed), func() {
		for _, id := range listed[:2] {
			p.request("DELETE", "/api/v1/namespaces/default/"+strings.Replace(id, "default/", "", 1)+"?gracePeriodSeconds=0", nil)
		}
		p.advance(30 * time.Second)
		p.eventually("the list is drawn anew", fmt.Sprintf(`!%s.includes(%q)`, pods, listed[0]))
	})
	var shown string
	p.eval(`document.getElementById("inspector-title").textContent`, &shown)
	if shown != "nginx-deployment" && !strings.HasSuffix(pressed, "/"+shown) {
		t.Errorf("%s was pressed, and %s is shown", pressed, shown)
	}
}

// Every one of many fast clicks counts while the object changes all the time.
func TestFastScaling(t *testing.T) {
	p := open(t, options{query: "?seed=9&speed=100"})
	p.apply(nginx)
	firstInput{p}.inspectDeployment()
	x, y := p.reach(string(testid("scale-up")))
	for range 15 {
		p.run(chromedp.MouseClickXY(x, y))
	}
	p.eventually("each click was one replica more", fmt.Sprintf(`terrarium.request("GET", %s).then(r => r.body.spec.replicas === 17)`, quote(deployment)))
}

// Moving the timeline selects nothing, however short the way, and small moves add up.
func TestTimelineDrag(t *testing.T) {
	p := open(t, options{query: "?seed=9&paused=1"})
	p.apply(nginx)
	p.advance(time.Minute)
	const first = `document.querySelector(".tl-item").dataset.span`
	p.eventually("the timeline shows the newest", `document.getElementById("tl-follow").getAttribute("aria-pressed") === "true" && document.querySelectorAll(".tl-item").length > 5`)
	var before string
	p.eval(first, &before)
	x, y := p.reach(".tl-item")
	p.mouse(input.DispatchMouseEventTypeMousePressed, x-20, y)
	for i := range 40 {
		p.mouse(input.DispatchMouseEventTypeMouseMoved, x-20+float64(i), y)
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+20, y)
	p.eventually("it stands still", `document.getElementById("tl-follow").getAttribute("aria-pressed") === "false"`)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	for i := range 30 {
		p.mouse(input.DispatchMouseEventTypeMouseMoved, x+float64(5*i), y)
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+150, y)
	p.eventually("older spans have come in", first+` !== `+quote(before))
	var selected int
	p.eval(`document.querySelectorAll('.tl-item[aria-selected="true"]').length`, &selected)
	if selected != 0 {
		t.Errorf("moving the timeline selected %d spans", selected)
	}
}
