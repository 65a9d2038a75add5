package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"terrarium/wasm/build"
)

// A ban is a package that must not be linked into a program.
type ban struct{ pkg, why string }

var (
	bloat = []ban{
		{"text/template", "it makes the linker keep every method of every type"},
		{"html/template", "it makes the linker keep every method of every type"},
		{"k8s.io/client-go", "its floor is 5.5 MB brotli"},
		{"k8s.io/apiserver", "what it does is what this project is for"},
		{"k8s.io/kubernetes", "validation alone takes the program to 39 MB"},
		{"k8s.io/component-base", "metrics and flags of a server"},
		{"github.com/prometheus", "metrics of a server"},
		{"go.opentelemetry.io", "traces of a server"},
		{"github.com/evanw/esbuild", "builds the page"},
		{"github.com/chromedp", "tests the page"},
		{"github.com/andybalholm/brotli", "builds the page"},
		{"testing", "it is for tests"},
		{"net/http", "1 MB brotli, for a few constants; see wasm/build"},
		{"crypto/tls", "2 MB, and a page has no connections"},
		{"go/parser", "half a MB; see wasm/build"},
		{"github.com/fxamacker/cbor", "half a MB; see wasm/build"},
		{"github.com/json-iterator/go", "a second JSON library"},
		{"log/slog", "see wasm/build"},
	}
	small = []ban{
		{"k8s.io", "the page draws projections, which have no Kubernetes types"},
		{"fmt", "0.14 MB brotli of 0.6"},
		{"encoding/json", "0.27 MB brotli of 0.6"},
		{"reflect", "fmt and encoding/json come with it"},
		{"regexp", "0.1 MB brotli of 0.6"},
		{"terrarium/core/cluster", "the cluster runs in the worker"},
	}
)

// TestLinkedIn keeps out of each program what would make a person wait for bytes that do nothing for them.
func TestLinkedIn(t *testing.T) {
	for program, bans := range map[string][]ban{"cluster": bloat, "page": append(slices.Clone(bloat), small...)} {
		t.Run(program, func(t *testing.T) {
			for _, dep := range dependencies(t, "./wasm/"+program) {
				for _, b := range bans {
					if dep == b.pkg || strings.HasPrefix(dep, b.pkg+"/") && strings.Contains(b.pkg, "/") || strings.HasPrefix(dep, b.pkg+"/") && b.pkg == "k8s.io" {
						t.Errorf("links %s: %s", dep, b.why)
					}
				}
			}
		})
	}
}

func dependencies(t *testing.T, pkg string) []string {
	t.Helper()
	return strings.Fields(string(goWasm(t, "list", "-deps", pkg)))
}

// goWasm runs the go command as the build does, in the module's root, and returns what it printed.
func goWasm(t *testing.T, verb string, args ...string) []byte {
	t.Helper()
	slim, err := build.Slim(t.Context(), root(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	args = append(append([]string{verb}, slim...), args...)
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = "..", build.Env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out[:min(len(out), 2000)])
	}
	return out
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// methodByName lists where a method is looked up by a name that only running tells, which makes the linker
// keep every exported method of every type that is reachable: megabytes. What is known to do it is here
// with the reason that it may.
var methodByName = map[string]string{}

// TestNoMethodByName asks the linker. Its dump has a line for every reference, and marks these.
func TestNoMethodByName(t *testing.T) {
	for _, program := range []string{"cluster", "page"} {
		t.Run(program, func(t *testing.T) {
			out := goWasm(t, "build", "-trimpath", "-buildvcs=false", "-o", os.DevNull, "-ldflags=-dumpdep", "./wasm/"+program)
			for line := range bytes.Lines(out) {
				if !bytes.Contains(line, []byte("<ReflectMethod>")) {
					continue
				}
				from, _, _ := strings.Cut(string(line), " ")
				if methodByName[from] == "" {
					t.Errorf("%s looks methods up by name: the linker then keeps all of them", from)
				}
			}
		})
	}
}
