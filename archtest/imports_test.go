package archtest

import (
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "terrarium/"

// layers is the order in which data flows, from what everything may use to what uses everything. A package
// may import those above its line, and its own folder and those below it.
var layers = []string{
	"core/loop",
	"core/kinds",
	"core/trace",
	"core/store",
	"core/store/journal",
	"core/apiserver",
	"core/client",
	"core/informer",
	"core/workqueue",
	"core/controller",
	"core/scheduler",
	"core/node",
	"core/apply",
	"core/rollout",
	"core/cluster",
	"core/projection",
	"core/scenario",
}

// layer returns the place of a folder in layers, the most specific one, or -1.
func layer(dir string) int {
	best := -1
	for i, l := range layers {
		if (dir == l || strings.HasPrefix(dir, l+"/")) && (best < 0 || len(l) > len(layers[best])) {
			best = i
		}
	}
	return best
}

func TestLayers(t *testing.T) {
	for _, s := range sources(t) {
		if !s.in("core") || s.test {
			continue
		}
		from := layer(s.dir)
		if from < 0 {
			t.Errorf("%s: folder %s has no place in the layers of archtest", s.path, s.dir)
			continue
		}
		for _, imp := range s.imports() {
			dir, ours := strings.CutPrefix(imp, module)
			if ours && strings.HasPrefix(dir, "core/") && layer(dir) > from {
				t.Errorf("%s imports %s: imports point down the flow of data only", s.path, dir)
			}
		}
	}
}

// TestControllersAreStrangers: what reconciles knows only objects, never another reconciler.
func TestControllersAreStrangers(t *testing.T) {
	shared := []string{"core/controller", "core/controller/expect", "core/controller/owner", "core/controller/pods"}
	actor := func(dir string) string {
		switch {
		case slices.Contains(shared, dir):
			return ""
		case strings.HasPrefix(dir, "core/controller/"):
			return path.Join("core/controller", strings.Split(dir, "/")[2])
		case dir == "core/scheduler" || strings.HasPrefix(dir, "core/scheduler/"):
			return "core/scheduler"
		case dir == "core/node" || strings.HasPrefix(dir, "core/node/"):
			return "core/node"
		}
		return ""
	}
	for _, s := range sources(t) {
		me := actor(s.dir)
		if me == "" || s.test {
			continue
		}
		for _, imp := range s.imports() {
			if other := actor(strings.TrimPrefix(imp, module)); other != "" && other != me {
				t.Errorf("%s imports %s: controllers, scheduler and node meet only in the API", s.path, imp)
			}
		}
	}
}

// TestOnlyTheAPIServerTouchesTheStore: everyone else asks the API server, which checks. The words of the
// store (what an event is, which error says too old) may be used where events are read.
func TestOnlyTheAPIServerTouchesTheStore(t *testing.T) {
	trusted := []string{"core/store", "core/apiserver", "core/cluster"}
	words := []string{"Event", "EventType", "Added", "Modified", "Deleted", "ErrTooOld", "ErrFuture"}
	for _, s := range sources(t) {
		if s.test || slices.ContainsFunc(trusted, s.in) {
			continue
		}
		s.uses(func(imp, name string, at token.Position) {
			if imp == module+"core/store" && !slices.Contains(words, name) {
				t.Errorf("%s:%d uses store.%s: only the API server touches the store", s.path, at.Line, name)
			}
		})
	}
}

// TestForbiddenImports names, by folder, what must not be imported and why.
func TestForbiddenImports(t *testing.T) {
	rules := []struct {
		in, not, why string
		but          []string
	}{
		{in: "core", not: "syscall/js", why: "core is the same code natively and in wasm"},
		{in: "core", not: "net/http", why: "a cluster in a page has no sockets; native serving is package main's"},
		{in: "core", not: "text/template", why: "it makes the linker keep every method of every type"},
		{in: "core", not: "html/template", why: "it makes the linker keep every method of every type"},
		{in: "core", not: "k8s.io/client-go", why: "its floor is 5.5 MB brotli"},
		{in: "core", not: "k8s.io/apiserver", why: "what it does is what this project is for"},
		{in: "core", not: "k8s.io/kubernetes", why: "it takes the program to 39 MB"},
		{in: "core", not: "os", why: "a cluster in a page has no files", but: []string{"core/store/journal", "core/scenario"}},
		{in: "core", not: "crypto/rand", why: "all chance comes from the loop"},
		{in: "core", not: "sync", why: "one goroutine owns a cluster"},
		{in: "core", not: module + "wasm", why: "imports point from the programs to the core"},
		{in: "core", not: module + "web", why: "imports point from the page to the core"},
		{in: "web", not: "k8s.io", why: "the page is drawn from projections and loads in 0.6 MB"},
		{in: "web", not: "syscall/js", why: "the border to JavaScript is wasm/jsutil and the page's dom package", but: []string{"web/dom"}},
		{in: "wasm/page", not: "k8s.io", why: "the page is drawn from projections and loads in 0.6 MB"},
		{in: "wasm/page", not: "fmt", why: "0.14 MB brotli that the page can do without"},
		{in: "wasm/page", not: "encoding/json", why: "0.27 MB brotli that the page can do without"},
		{in: "web", not: "fmt", why: "0.14 MB brotli that the page can do without"},
		{in: "web", not: "encoding/json", why: "0.27 MB brotli that the page can do without"},
	}
	for _, s := range sources(t) {
		for _, imp := range s.imports() {
			for _, r := range rules {
				if s.test || !s.in(r.in) || slices.ContainsFunc(r.but, s.in) {
					continue
				}
				if imp == r.not || strings.HasPrefix(imp, r.not+"/") && r.not != "os" && r.not != "sync" && r.not != "fmt" {
					t.Errorf("%s imports %s: %s", s.path, imp, r.why)
				}
			}
		}
	}
}

// TestOneGateToJavaScript: a Go func that JavaScript may call leaks unless somebody releases it.
func TestOneGateToJavaScript(t *testing.T) {
	for _, s := range sources(t) {
		if s.in("wasm/jsutil") {
			continue
		}
		s.uses(func(imp, name string, at token.Position) {
			if imp == "syscall/js" && name == "FuncOf" {
				t.Errorf("%s:%d calls js.FuncOf: use a jsutil.Scope, which releases what it hands out", s.path, at.Line)
			}
		})
	}
}
