package check

import (
	"bytes"
	"encoding/json"

	"github.com/pmezard/go-difflib/difflib"
)

// Diff returns what changed from a to b as a unified diff of their JSON with Go's field names, as upstream
// shows it for its internal types.
//
// Models k8s.io/apimachinery pkg/util/diff Diff.
func Diff(a, b any) string {
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A:       difflib.SplitLines(pretty(a)),
		B:       difflib.SplitLines(pretty(b)),
		Context: 3,
	})
	if err != nil {
		return "error generating diff: " + err.Error()
	}
	return text
}

func pretty(v any) string {
	data, err := json.Marshal(Internal(v))
	if err != nil {
		return err.Error()
	}
	var out bytes.Buffer
	if err := json.Indent(&out, data, "", " "); err != nil {
		return err.Error()
	}
	return out.String()
}
