package idb

import (
	"errors"
	"strings"
	"testing"
)

func TestReasons(t *testing.T) {
	tests := []struct {
		name         string
		opened, used Reason
	}{
		{"QuotaExceededError", Full, Full},
		{"SecurityError", Unavailable, Failed},
		{"InvalidStateError", Unavailable, Closed},
		{"VersionError", Newer, Failed},
		{"ConstraintError", Failed, Taken},
		{"UnknownError", Failed, Failed},
		{"", Failed, Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if o, u := opened(tt.name), used(tt.name); o != tt.opened || u != tt.used {
				t.Errorf("got %s when opening and %s in use, want %s and %s", o, u, tt.opened, tt.used)
			}
		})
	}
}

// TestTexts checks that every reason says what to do.
func TestTexts(t *testing.T) {
	seen := map[string]Reason{}
	for _, r := range []Reason{Unavailable, Full, Closed, Blocked, Taken, Gone, Newer, Failed} {
		e := &Error{Reason: r, Err: errors.New("in the browser's words")}
		text := e.Error()
		if !strings.Contains(text, ": ") || !strings.HasSuffix(text, " (in the browser's words)") {
			t.Errorf("%s: got %q", r, text)
		}
		if other, ok := seen[text]; ok {
			t.Errorf("%s and %s say the same", r, other)
		}
		seen[text] = r
	}
}
