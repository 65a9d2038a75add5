package scenario_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"rsc.io/script"
	"rsc.io/script/scripttest"

	"terrarium/core/cluster"
	"terrarium/core/scenario"
)

// Every script of testdata runs on a cluster of its own: three nodes, realistic latencies, and a store that
// finds objects changed in place.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { run(t, file) })
	}
}

func run(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	state, err := script.NewState(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := state.ExtractFiles(archive); err != nil {
		t.Fatal(err)
	}
	s := scenario.New(cluster.Config{Seed: 1, Nodes: 3, CheckMutation: true})
	scripttest.Run(t, s.Engine(), state, file, bytes.NewReader(archive.Comment))
}
