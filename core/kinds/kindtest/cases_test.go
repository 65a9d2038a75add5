package kindtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEdits(t *testing.T) {
	tests := []struct {
		name, base, edit, want string
	}{
		{"set", "a: 1", "b = 2", "a: 1\nb: 2\n"},
		{"set below", "a: {}", "a.b.c = x", "a:\n  b:\n    c: x\n"},
		{"element", "a: [1, 2]", "a[1] = 3", "a:\n- 1\n- 3\n"},
		{"append", "a: [1]", "a[1] = 3", "a:\n- 1\n- 3\n"},
		{"key with dots", "", `m["a.b/c"] = x`, "m:\n  a.b/c: x\n"},
		{"below an element", "a: [{b: 1}]", "a[0].b = 2", "a:\n- b: 2\n"},
		{"delete", "a: {b: 1, c: 2}", "delete a.b", "a:\n  c: 2\n"},
		{"repeat", "", "a = xxx*3", "a: xxx\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &File{Base: tt.base}
			got, _, err := f.Objects(Case{Op: Create, Edits: []string{tt.edit}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("tree differs (-want +got):\n%s", diff)
			}
		})
	}
}
