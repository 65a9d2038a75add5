package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTornLog has the browser killed in the middle of a write, by cutting the file it was writing to, and then
// used and killed twice more: what is written after the first kill outlives the second.
func TestTornLog(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			profile := t.TempDir()
			start := func(there ...string) *tab {
				p := open(t, options{in: ownBrowser(t, profile), profile: true, fallback: m.fallback, query: "?paused=1"})
				for _, name := range there {
					p.get("/api/v1/namespaces/default/configmaps/" + name)
				}
				return p
			}
			p := start()
			p.writeConfigMap("before")
			p.writeConfigMap("torn")
			p.opts.in.kill()
			tear(t, profile)
			p = start("before")
			p.writeConfigMap("after")
			p.opts.in.kill()
			start("before", "after")
		})
	}
}

func (p *tab) writeConfigMap(name string) {
	p.Helper()
	status, answer := p.request("POST", "/api/v1/namespaces/default/configmaps", map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name},
	})
	if status != 201 {
		p.Fatalf("%s: %d %s", name, status, answer.text("message"))
	}
}

// tear takes the end of the last record from the log in which Chromium keeps IndexedDB.
func tear(t *testing.T, profile string) {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(profile, "Default", "IndexedDB", "*.leveldb", "*.log"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("the logs of IndexedDB in Chromium's profile: %v %v", logs, err)
	}
	info, err := os.Stat(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(logs[0], info.Size()-3); err != nil {
		t.Fatal(err)
	}
}
