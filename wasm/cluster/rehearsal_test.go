package main

import (
	"testing"
	"time"
)

// TestRehearsal plays it to the end, slice by slice, as a quick machine does.
func TestRehearsal(t *testing.T) {
	r := newRehearsal()
	most, slices := 0, 0
	for len(r.acts) > 0 {
		if slices++; slices > 100_000 {
			t.Fatalf("%d acts are left", len(r.acts))
		}
		r.spent = 0 // however slow the machine
		r.run(func() bool { return false })
		most = max(most, r.count("pods"))
	}
	if most < rehearsalPods {
		t.Errorf("got %d pods at most, want %d", most, rehearsalPods)
	}
}

// TestRehearsalOfASlowMachine ends in time.
func TestRehearsalOfASlowMachine(t *testing.T) {
	r := newRehearsal()
	r.spent = rehearsalMost - time.Nanosecond
	if over := r.run(func() bool { return false }); !over || len(r.acts) == 0 {
		t.Errorf("over: %t, with %d acts left", over, len(r.acts))
	}
}
