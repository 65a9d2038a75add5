package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// aRoot makes a module's root with an index.html, enough for what writes dist/.
func aRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "web"), 0o755); err != nil {
		t.Fatal(err)
	}
	page := `<html><head><link href="style.css"><script src="src/boot.ts"></script></head></html>`
	if err := os.WriteFile(filepath.Join(root, "web", "index.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestNames(t *testing.T) {
	a, same, other := named("x.wasm", []byte("1")), named("x.wasm", []byte("1")), named("x.wasm", []byte("2"))
	if a.file != same.file || a.file == other.file {
		t.Errorf("names of equal and other content: %s, %s, %s", a.file, same.file, other.file)
	}
	if got := hashed("chunk-editor-O2FKWBBM.js", nil).name; got != "chunk-editor.js" {
		t.Errorf("name of a hashed file: got %s", got)
	}
	for name, want := range map[string]string{"boot.js": "src/boot.ts", "style.css": "style.css", "icon.svg": "icon.svg"} {
		if got := sourceName(name); got != want {
			t.Errorf("source of %s: got %s, want %s", name, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	root := aRoot(t)
	first := []asset{named("boot.js", []byte("one")), named("style.css", []byte("css")), named("cluster.wasm", []byte("wasm"))}
	old := &Manifest{Inputs: "1"}
	if err := old.write(root, first, Quick, nil); err != nil {
		t.Fatal(err)
	}
	index := read(t, Dist(root), "index.html")
	for _, want := range []string{`href="` + old.File("style.css").Path + `"`, `src="` + old.File("boot.js").Path + `"`, `id="assets"`, old.File("cluster.wasm").Path} {
		if !strings.Contains(index, want) {
			t.Errorf("index.html lacks %s:\n%s", want, index)
		}
	}

	// The next build changes one script. What is unchanged is not compressed again, what is gone is removed.
	css := filepath.Join(Dist(root), old.File("style.css").Path+".br")
	if err := os.WriteFile(css, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	next := &Manifest{Inputs: "2"}
	if err := next.write(root, []asset{named("boot.js", []byte("two")), first[1], first[2]}, Quick, old); err != nil {
		t.Fatal(err)
	}
	if got := read(t, css); got != "kept" {
		t.Error("an unchanged file was compressed again")
	}
	if _, err := os.Stat(filepath.Join(Dist(root), old.File("boot.js").Path)); err == nil {
		t.Error("the old script is still there")
	}
	back, err := ReadManifest(Dist(root))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(next, back); diff != "" {
		t.Errorf("manifest (-written +read):\n%s", diff)
	}
	if !back.complete(Dist(root), Quick) || back.complete(Dist(root), Best) {
		t.Error("a quick build must be complete for quick, not for best")
	}

	// Compressing better replaces what was compressed quickly.
	best := &Manifest{Inputs: "2"}
	if err := best.write(root, []asset{named("boot.js", []byte("two")), first[1], first[2]}, Best, back); err != nil {
		t.Fatal(err)
	}
	if got := read(t, css); got == "kept" {
		t.Error("the best build took over a quick file")
	}
}

func TestInputsHash(t *testing.T) {
	root := aRoot(t)
	for _, f := range []string{"go.mod", "go.sum", "core/a.go", "wasm/b.go", "web/src/c.ts"} {
		path := filepath.Join(root, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hash := func() string {
		t.Helper()
		h, err := inputsHash(root)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	before := hash()
	for _, f := range []string{"core/a_test.go", "web/node_modules/x/index.js", "core/testdata/y.yaml"} {
		path := filepath.Join(root, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if hash() != before {
			t.Errorf("%s is no input of the build, but changes its hash", f)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "web/src/c.ts"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if hash() == before {
		t.Error("a changed script does not change the hash")
	}
}

func TestSlimming(t *testing.T) {
	tests := []struct {
		name string
		c    slimming
		want string // "-": no file; "!": an error
	}{
		{"replace", slimming{file: "f.go", old: "two", new: "2"}, "one 2 three"},
		{"whole", slimming{file: "f.go", new: "new"}, "new"},
		{"drop", slimming{file: "f.go"}, "-"},
		{"keep a part", slimming{file: "f.go", old: "two", until: " three", new: "head "}, "head two"},
		{"another version", slimming{file: "f.go", old: "four", new: "4"}, "!"},
		{"another version at the end", slimming{file: "f.go", old: "two", until: "four", new: "4"}, "!"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "f.go")
			if err := os.WriteFile(file, []byte("one two three"), 0o644); err != nil {
				t.Fatal(err)
			}
			got := "!"
			if err := tt.c.apply(dir); err == nil {
				data, err := os.ReadFile(file)
				if got = string(data); err != nil {
					got = "-"
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSizes(t *testing.T) {
	m := &Manifest{Files: []File{
		{Name: "boot.js", Br: 100_000}, {Name: "cluster-worker.js", Br: 1000}, {Name: "cluster.wasm", Br: 3_500_000}, {Name: "page.wasm", Br: 400_000},
	}}
	_, over := m.Sizes(t.TempDir())
	if diff := cmp.Diff([]string{"cluster serves after 4001000 bytes of brotli, budget 3500000"}, over); diff != "" {
		t.Errorf("over budget (-want +got):\n%s", diff)
	}
}
