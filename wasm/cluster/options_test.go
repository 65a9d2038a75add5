package main

import (
	"math"
	"testing"
	"time"
)

func TestParseOptions(t *testing.T) {
	o, err := parseOptions("?seed=7&start=2026-01-01T00:00:00Z&nodes=12&profile=instant&speed=max&paused=1")
	if err != nil {
		t.Fatal(err)
	}
	if o.config.Seed != 7 || o.config.Nodes != 12 || o.config.Profile.Name != "instant" || !math.IsInf(o.speed, 1) || !o.paused {
		t.Errorf("got %+v", o)
	}
	if want := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); !o.config.Start.Equal(want) {
		t.Errorf("start: got %v, want %v", o.config.Start, want)
	}
	o, err = parseOptions("")
	if err != nil {
		t.Fatal(err)
	}
	if o.config.Nodes != 3 || o.config.Profile.Name != "realistic" || o.speed != 0 || o.paused || o.config.Start.IsZero() {
		t.Errorf("without a query: got %+v", o)
	}
	for query, want := range map[string]string{
		"?seed=-1":    `seed "-1" is not a number`,
		"?start=noon": `start "noon" is not a time like 2026-01-01T00:00:00Z`,
		"?nodes=many": `nodes "many" is not a number from 0 to 5000`,
		"?nodes=9999": `nodes "9999" is not a number from 0 to 5000`,
		"?profile=x":  `profile "x" is neither realistic nor instant`,
		"?speed=x":    `speed "x" is neither a number nor max`,
	} {
		if _, err := parseOptions(query); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", query, err, want)
		}
	}
}
