package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// downloads makes the tab's downloads go to a folder without a question.
func (p *tab) downloads() (dir string) {
	p.Helper()
	dir = p.TempDir()
	c := chromedp.FromContext(p.ctx)
	params := cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: c.BrowserContextID, DownloadPath: dir,
	}
	if _, err := cdp.Call(p.ctx, c.Browser, cdpbrowser.SetDownloadBehavior, params); err != nil {
		p.Fatal(err)
	}
	return dir
}

// downloaded waits for a file and returns its text.
func (p *tab) downloaded(file string) string {
	p.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			return string(data)
		}
	}
	p.Fatalf("%s was not downloaded", filepath.Base(file))
	return ""
}

// TestExport: what a person made survives a reset as a file, with storage and without. The page asks to keep
// what it has when there is something to keep.
func TestExport(t *testing.T) {
	const countAsking = `globalThis.asked = 0; StorageManager.prototype.persist = () => { asked++; return Promise.resolve(false); };`
	tests := []struct{ name, script, button string }{
		{"kept", "", "export"},
		{"storage refused", `IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError"); };`, "unsaved-export"},
	}
	for _, tt := range tests {
		for _, m := range modes {
			t.Run(tt.name+"/"+m.name, func(t *testing.T) {
				o := options{fallback: m.fallback, query: "?seed=9&paused=1", script: countAsking}
				if tt.script != "" {
					o.site = siteWith(t, tt.script)
				}
				p := open(t, o)
				dir := p.downloads()
				asked := func(want string) {
					t.Helper()
					p.eventually("times asked to keep: "+want, "asked === "+want)
				}
				asked("0")
				p.run(chromedp.Focus(chromedp.CSS(".cm-content")))
				for range 2 {
					p.run(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
					p.eventually("the editor's text is applied", `document.querySelector('[data-testid="editor-status"]').dataset.kind === "done"`)
				}
				asked("1")
				p.eval(`terrarium.advance("30s")`, nil)
				p.run(chromedp.WaitEnabled(testid(tt.button)), chromedp.Focus(testid(tt.button)), chromedp.KeyEvent(kb.Enter))
				file := filepath.Join(dir, "terrarium.yaml")
				text := p.downloaded(file)
				if !strings.Contains(text, "kind: Deployment") || strings.Contains(text, "kind: Pod\n") {
					t.Errorf("exported:\n%s", text)
				}
				p.eventually("the page says what it did", `document.getElementById("toasts").textContent.includes("terrarium.yaml")`)

				p.eval("globalThis.before = true", nil)
				p.click("reset")
				p.click("confirm-yes")
				p.eventually("the page begins again", "globalThis.before === undefined")
				p.waitReady()
				if code, _ := p.request("GET", deployment, nil); code != 404 {
					t.Fatalf("after the reset the Deployment gives %d", code)
				}
				p.run(chromedp.SetUploadFiles(testid("open-file"), []string{file}, chromedp.NodeReady))
				p.eventually("the file is in the editor", "terrariumEditor.getText() === "+quote(text))
				p.click("apply")
				p.eventually("the file is applied", `document.querySelector('[data-testid="editor-status"]').textContent.includes("nginx-deployment created")`)
				p.until("its pods run", time.Minute, func() bool { return running(p.pods("app=nginx")) == 2 })
			})
		}
	}
}
