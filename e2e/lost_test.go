package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLostCluster takes the saved cluster away while no tab has it open, as damage does: the page says that the
// cluster is another one, once, and not after a reset that a person asked for.
func TestLostCluster(t *testing.T) {
	const (
		remembered = `(localStorage.getItem("terrarium.cluster") ?? "") !== ""`
		quiet      = `document.getElementById("notice").hidden`
	)
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			profile := t.TempDir()
			p := open(t, options{in: ownBrowser(t, profile), profile: true, fallback: m.fallback})
			p.eventually("the browser knows which cluster it keeps", remembered)
			if err := p.opts.in.close(); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(profile, "Default", "IndexedDB")); err != nil {
				t.Fatal(err)
			}
			p = open(t, options{in: ownBrowser(t, profile), profile: true, fallback: m.fallback})
			p.eventually("the page says that the cluster is another", `document.getElementById("notice").textContent.includes("saved here is gone")`)
			p.click("notice-action")
			p.eventually("and stops when it was read", quiet)
			p.reload()
			p.waitReady()
			p.eventually("it knows the new one", remembered)
			var before string
			p.eval(`localStorage.getItem("terrarium.cluster")`, &before)
			p.click("reset")
			p.click("confirm-yes")
			p.eventually("the cluster is new", remembered+` && localStorage.getItem("terrarium.cluster") !== `+quote(before))
			p.waitReady()
			var hidden bool
			if p.eval(quiet, &hidden); !hidden {
				t.Error("after a reset the page says that the cluster is gone")
			}
		})
	}
}
