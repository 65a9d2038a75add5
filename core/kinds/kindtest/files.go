package kindtest

import (
	"io/fs"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/kinds"
)

// RunFiles runs the cases of every *.txt file of a folder against the kinds of a group.
func RunFiles(t *testing.T, folder fs.FS, list []*kinds.Kind, subresources map[string]kinds.Strategy) {
	t.Helper()
	names, err := fs.Glob(folder, "*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(path.Join("testdata", name), data)
		if err != nil {
			t.Fatal(err)
		}
		kind := Kind(f.Resource, list, subresources)
		if kind == nil {
			t.Fatalf("%s: no resource %s", f.Path, f.Resource)
		}
		for _, c := range f.Cases {
			t.Run(name+"/"+c.Name, func(t *testing.T) { runCase(t, kind, f, c) })
		}
	}
}

func runCase(t *testing.T, kind *kinds.Kind, f *File, c Case) {
	_, got, err := Run(kind, f, c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.Want, got); diff != "" {
		t.Errorf("%s:%d: errors differ (-want +got):\n%s", f.Path, c.Line, diff)
	}
}
