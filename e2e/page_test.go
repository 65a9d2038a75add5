package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// options say how a tab is opened.
type options struct {
	query    string   // "?seed=1&start=..."
	fallback bool     // without SharedWorker
	script   string   // runs before the page's own scripts
	in       *browser // default: the shared one
	beside   *tab     // in the storage of this tab; default: a storage of its own
	profile  bool     // in the browser's own profile, which outlives the browser
	site     string   // where the page is served; default: where all tests have it
	allow    []string // console errors that are expected: any that contain one of these
}

// A tab is one page under test.
type tab struct {
	testing.TB
	ctx      context.Context
	opts     options
	mu       sync.Mutex
	errors   []string
	finished bool
	traced   chan any // parts of a trace, and its end
}

// open opens the page and waits until the cluster serves.
func open(t testing.TB, o options) *tab {
	t.Helper()
	p := openEarly(t, o)
	p.waitReady()
	return p
}

// openEarly opens the page and waits for nothing.
func openEarly(t testing.TB, o options) *tab {
	t.Helper()
	if o.in == nil {
		o.in = sharedBrowser(t)
	}
	var with []chromedp.ContextOption
	parent := o.in.ctx
	switch {
	case o.beside != nil:
		with = append(with, chromedp.WithExistingBrowserContext(chromedp.FromContext(o.beside.ctx).BrowserContextID))
	case !o.profile:
		with = append(with, chromedp.WithNewBrowserContext())
	}
	p := &tab{TB: t, opts: o}
	ctx, cancel := chromedp.NewContext(parent, append(with, chromedp.WithListener(p.listen))...)
	p.ctx = ctx
	t.Cleanup(func() {
		p.finish()
		cancel()
	})
	if err := chromedp.Do(ctx); err != nil { // creates the tab, so without a timeout
		t.Fatal(err)
	}
	scripts := []string{o.script}
	if o.fallback {
		scripts = append(scripts, "delete globalThis.SharedWorker")
	}
	p.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, s := range scripts {
			if s == "" {
				continue
			}
			params := page.AddScriptToEvaluateOnNewDocumentParams{Source: s}
			if _, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, params); err != nil {
				return err
			}
		}
		_, err := cdp.Call(ctx, t, log.Enable, cdp.Empty{})
		return err
	}))
	if o.site == "" {
		o.site = site
	}
	p.run(chromedp.Navigate(o.site + "/" + o.query))
	return p
}

// listen collects what must not happen.
func (p *tab) listen(ev any) {
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		var b strings.Builder
		for _, arg := range ev.Args {
			fmt.Fprintf(&b, "%s%s ", arg.Value, arg.Description)
		}
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeAssert {
			p.problem("console: " + b.String())
		}
	case *runtime.EventExceptionThrown:
		text := ev.ExceptionDetails.Text
		if e := ev.ExceptionDetails.Exception; e != nil {
			text += " " + e.Description
		}
		p.problem("exception: " + text)
	case *tracing.EventDataCollected, *tracing.EventTracingComplete:
		p.traced <- ev
	case *log.EventEntryAdded:
		if ev.Entry.Level == log.EntryLevelError {
			p.problem("log: " + ev.Entry.Text + " " + ev.Entry.URL)
		}
	}
}

func (p *tab) problem(text string) {
	for _, expected := range p.opts.allow {
		if strings.Contains(text, expected) {
			return
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors = append(p.errors, text)
}

// finish reports what the page complained of, and takes a picture when the test failed.
func (p *tab) finish() {
	p.mu.Lock()
	problems := p.errors
	p.errors = nil
	p.mu.Unlock()
	if p.ctx.Err() == nil {
		for _, text := range problems {
			p.Errorf("the page complained: %s", text)
		}
	}
	if p.Failed() {
		p.screenshot()
	}
}

func (p *tab) screenshot() {
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Logf("no screenshot: %v", err)
		return
	}
	name := strings.NewReplacer("/", "_", " ", "_").Replace(p.Name())
	if p.opts.beside != nil {
		name += "_second_tab"
	}
	path := filepath.Join("failures", name+".png")
	if err := os.MkdirAll("failures", 0o755); err != nil {
		p.Log(err)
		return
	}
	if err := os.WriteFile(path, png, 0o644); err == nil {
		p.Logf("screenshot: e2e/%s", path)
	}
}

// patience is how long a page gets for one thing: two slow cores, shared.
const patience = 2 * time.Minute

func (p *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// eval runs JavaScript in the page, awaits it, and decodes what it gives into out, which may be nil.
func (p *tab) eval(script string, out any) {
	p.Helper()
	if err := p.tryEval(script, out); err != nil {
		p.Fatalf("%s: %v", shorten(script), err)
	}
}

func (p *tab) tryEval(script string, out any) error {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte](script, chromedp.EvalAwaitPromise))
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(value, out)
}

// eventually waits until the JavaScript expression holds.
func (p *tab) eventually(what, expr string) {
	p.Helper()
	p.poll(what, expr, func(value json.RawMessage) bool { return string(value) == "true" })
}

// poll evaluates the JavaScript expression until ok accepts its value.
func (p *tab) poll(what, expr string, ok func(value json.RawMessage) bool) {
	p.Helper()
	var last json.RawMessage
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		if err := p.tryEval(expr, &last); err != nil && !leaving(err) {
			p.Fatalf("%s: %v", what, err)
		}
		if ok(last) {
			return
		}
	}
	p.Fatalf("did not happen within %v: %s (%s is %s)", patience, what, shorten(expr), last)
}

// leaving reports whether an error says no more than that the page is on its way to its next load.
func leaving(err error) bool {
	for _, text := range []string{"Inspected target navigated or closed", "Execution context was destroyed", "Cannot find context"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

func (p *tab) waitReady() {
	p.Helper()
	p.eventually("the cluster serves", `(() => { const d = document.documentElement.dataset; if (d.error) throw new Error(d.error); return d.ready === "true"; })()`)
}

func (p *tab) reload() {
	p.Helper()
	p.run(chromedp.Reload())
}

func testid(id string) chromedp.CSS { return chromedp.CSS(fmt.Sprintf("[data-testid=%q]", id)) }

// click clicks the control of that test id as a person would.
func (p *tab) click(id string) {
	p.Helper()
	p.clickOn(string(testid(id)))
}

// clickOn clicks the first element that matches and that a pointer can reach.
func (p *tab) clickOn(selector string) {
	p.Helper()
	x, y := p.reach(selector)
	p.run(chromedp.MouseClickXY(x, y))
}

// reach waits until a pointer can reach an element that matches, and returns where: the middle of the first
// one that is enabled and not covered.
func (p *tab) reach(selector string) (x, y float64) {
	p.Helper()
	var at *struct{ X, Y float64 }
	script := fmt.Sprintf(`(() => {
		for (const e of document.querySelectorAll(%s)) {
			if (e.disabled || !e.checkVisibility({ visibilityProperty: true })) continue;
			e.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
			const r = e.getBoundingClientRect();
			const [x, y] = [r.x + r.width / 2, r.y + r.height / 2];
			if (e.contains(document.elementFromPoint(x, y))) return { x, y };
		}
		return null;
	})()`, quote(selector))
	p.poll("a pointer can reach "+selector, script, func(value json.RawMessage) bool {
		return json.Unmarshal(value, &at) == nil && at != nil
	})
	return at.X, at.Y
}

// count returns how many elements match.
func (p *tab) count(selector string) (n int) {
	p.Helper()
	p.eval(fmt.Sprintf("document.querySelectorAll(%s).length", quote(selector)), &n)
	return n
}

func quote(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func shorten(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}
