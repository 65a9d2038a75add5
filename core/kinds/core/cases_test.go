package core

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/kinds/kindtest"
)

// TestCases runs the cases in testdata; the fidelity module checks their answers against Kubernetes.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range files {
		f, err := kindtest.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		kind := kindtest.Kind(f.Resource, Kinds(), SubresourceStrategies())
		for _, c := range f.Cases {
			t.Run(filepath.Base(path)+"/"+c.Name, func(t *testing.T) {
				_, got, err := kindtest.Run(kind, f, c)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.Want, got); diff != "" {
					t.Errorf("%s:%d: errors differ (-want +got):\n%s", path, c.Line, diff)
				}
			})
		}
	}
}
