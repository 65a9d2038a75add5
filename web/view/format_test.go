package view

import (
	"math/rand/v2"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

func TestFormats(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"whole cores", Cores(4000), "4"},
		{"part of a core", Cores(250), "0.25"},
		{"no cores", Cores(0), "0"},
		{"a thousandth", Cores(1), "0.001"},
		{"less than nothing", Cores(-1500), "-1.5"},
		{"memory", BytesOf(1536<<20, 8<<30), "1.5 / 8 Gi"},
		{"little memory", BytesOf(128<<20, 8<<30), "0.13 / 8 Gi"},
		{"no memory", BytesOf(0, 512<<20), "0 / 512 Mi"},
		{"huge", BytesOf(0, 3<<40), "0 / 3 Ti"},
		{"now", Until(5, 5), "now"},
		{"a moment", Until(0, 1), "0.1 s"},
		{"seconds", Until(0, 38_000), "38 s"},
		{"minutes", Until(0, 312_000), "5 min 12 s"},
		{"whole minutes", Until(0, 300_000), "5 min"},
		{"hours", Until(0, 7_500_000), "2 h 5 min"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestAgeIsKubectls(t *testing.T) {
	for _, s := range []int64{-5, -1, 0, 1, 59, 60, 119, 120, 121, 599, 600, 3599, 10_799, 10_800, 28_000, 28_800, 100_000, 172_800, 600_000, 691_200, 9_999_999, 63_072_000, 99_999_999, 999_999_999} {
		want := duration.HumanDuration(time.Duration(s) * time.Second)
		if got := Age(s*1000, 0); got != want {
			t.Errorf("%d s: got %q, want %q", s, got, want)
		}
	}
}

func TestDatesAreThoseOfTheTimePackage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		at := time.UnixMilli(r.Int64N(20_000_000_000_000) - 10_000_000_000_000).UTC()
		if got, want := Stamp(at.UnixMilli()), at.Format(time.RFC3339); got != want && at.Year() >= 1000 {
			t.Fatalf("%d ms: got %s, want %s", at.UnixMilli(), got, want)
		}
		if got, want := Clock(at.UnixMilli()), at.Format("15:04:05"); got != want {
			t.Fatalf("%d ms: got %s, want %s", at.UnixMilli(), got, want)
		}
	}
}
