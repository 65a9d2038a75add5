package fidelity

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"terrarium/core/kinds/kindtest"
)

var (
	seed   = flag.Uint64("seed", 1, "where the random edits start")
	rounds = flag.Int("rounds", 20, "random edits of each case")
)

// TestRandomEdits makes random edits to the objects of all cases: something in them goes, or gets an odd
// value. A failure prints the case, to be put into the file.
func TestRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 0))
	for _, s := range subjects(t) {
		for _, c := range s.file.Cases {
			if slices.ContainsFunc(c.Edits, func(e string) bool { return strings.Contains(e, "xxx*") }) {
				continue
			}
			for range *rounds {
				randomEdit(t, r, s, c)
			}
		}
	}
}

func randomEdit(t *testing.T, r *rand.Rand, s subject, c kindtest.Case) {
	object, _, err := s.file.Objects(c)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := yaml.Unmarshal(object, &tree); err != nil {
		t.Fatal(err)
	}
	c.Edits = slices.Clone(c.Edits)
	for range 1 + r.IntN(2) {
		if edit := oddEdit(r, tree); edit != "" {
			c.Edits = append(c.Edits, edit)
		}
	}
	if object, _, err = s.file.Objects(c); err != nil {
		return // the second edit needs what the first took away
	}
	if _, err := kindtest.Decode(s.kind, object); err != nil {
		return // not an object of the kind
	}
	theirs, want := ask(t, s, c)
	ours, got, err := kindtest.Run(s.kind, s.file, c)
	if err != nil {
		t.Fatal(err)
	}
	where := fmt.Sprintf("%s:\n== %s\n%s\n--\n%s\n", s.file.Path, c.Name, strings.Join(c.Edits, "\n"), strings.Join(want, "\n"))
	slices.Sort(want) // Kubernetes ranges over maps
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\nour answer differs (-kubernetes +ours):\n%s", where, diff)
		return
	}
	if slices.ContainsFunc(want, func(s string) bool { return !strings.HasPrefix(s, "! ") }) {
		return
	}
	if diff := cmp.Diff(stored(t, theirs), stored(t, ours)); diff != "" {
		t.Errorf("%s\nthe stored object differs (-kubernetes +ours):\n%s", where, diff)
	}
}

// oddEdit returns an edit of something in the tree, in the form of the cases.
func oddEdit(r *rand.Rand, tree map[string]any) string {
	path, value := "", any(tree)
	for depth := 0; ; depth++ {
		var steps []string
		switch v := value.(type) {
		case map[string]any:
			for k := range v {
				steps = append(steps, k)
			}
			slices.Sort(steps)
		case []any:
			for i := range v {
				steps = append(steps, fmt.Sprintf("[%d]", i))
			}
		}
		if len(steps) == 0 || depth > 1 && r.IntN(6) == 0 {
			break
		}
		step := steps[r.IntN(len(steps))]
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
			if strings.ContainsAny(step, ".[/") {
				step = `["` + step + `"]`
			} else if path != "" {
				step = "." + step
			}
		case []any:
			var i int
			fmt.Sscanf(step, "[%d]", &i)
			value = v[i]
		}
		path += step
	}
	if out(path) {
		return ""
	}
	odd := oddValue(r, value)
	if odd == nil {
		return "delete " + path
	}
	data, err := json.Marshal(odd)
	if err != nil {
		panic(err)
	}
	return path + " = " + string(data)
}

// out tells which edits mean nothing here: the request path takes care of identity, the storage of services
// of addresses.
func out(path string) bool {
	switch path {
	case "", "apiVersion", "kind", "metadata", "spec", "status", "metadata.uid", "metadata.resourceVersion",
		"metadata.name", "metadata.namespace", "metadata.creationTimestamp":
		return true
	}
	return strings.HasPrefix(path, "spec.clusterIP")
}

// oddValue returns another value of the same type; nil stands for none.
func oddValue(r *rand.Rand, value any) any {
	pick := func(list ...any) any { return list[r.IntN(len(list))] }
	switch v := value.(type) {
	case string:
		return pick(nil, "", "A_b", "a.b", "other", strings.ToUpper(v), v+"-", "-1", "0", "70000", "1e30", "a/b", "*", "::1", "10.0.0.1")
	case float64:
		return pick(nil, 0, -1, 1, 80, 70000, 1<<31-1, v+1)
	case int64:
		return pick(nil, 0, -1, 1, 80, 70000, 1<<31-1, v+1)
	case bool:
		return pick(nil, !v)
	case []any:
		if len(v) > 0 && r.IntN(2) == 0 {
			return append(slices.Clone(v), v[0])
		}
		return pick(nil, []any{})
	case map[string]any:
		return pick(nil, map[string]any{})
	}
	return nil
}
