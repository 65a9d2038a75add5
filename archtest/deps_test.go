package archtest

import (
	"bytes"
	"os"
	"os/exec"
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
	}
	small = []ban{
		{"k8s.io", "the page draws projections, which have no Kubernetes types"},
		{"fmt", "0.14 MB brotli of 0.6"},
		{"encoding/json", "0.27 MB brotli of 0.6"},
		{"reflect", "fmt and encoding/json come with it"},
		{"regexp", "0.1 MB brotli of 0.6"},
		{"net/http", "1 MB brotli; call fetch"},
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

// goWasm runs the go command for js/wasm in the module's root and returns what it printed.
func goWasm(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = "..", build.Env()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out
}

// methodByName lists where a method is looked up by a name that only running tells, which makes the linker
// keep every exported method of every type that is reachable: megabytes. What is known to do it is here
// with the reason that it may.
var methodByName = map[string]string{}

// TestNoMethodByName asks the linker. Its dump has a line for every reference, and marks these.
func TestNoMethodByName(t *testing.T) {
	for _, program := range []string{"cluster", "page"} {
		t.Run(program, func(t *testing.T) {
			cmd := exec.Command("go", "build", "-o", os.DevNull, "-ldflags=-dumpdep", "./wasm/"+program)
			cmd.Dir, cmd.Env = "..", build.Env()
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out[:min(len(out), 2000)])
			}
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
