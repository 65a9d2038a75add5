package state_test

import (
	"testing"

	"terrarium/core/projection/wire"
	"terrarium/web/state"
)

// at returns a timeline over 1,000 steps whose window is that.
func at(from, to int64, follow bool) *state.Timeline {
	t := state.NewTimeline()
	t.Width, t.From, t.To, t.Follow = 1000, from, to, follow
	t.Window = &wire.Timeline{First: 0, Last: 1000}
	return t
}

func TestTimelineMoves(t *testing.T) {
	tests := []struct {
		name     string
		start    *state.Timeline
		move     func(t *state.Timeline)
		from, to int64
		follow   bool
	}{
		{"zoom in keeps what is under the pointer", at(100, 200, false), func(t *state.Timeline) { t.Zoom(0.5, 250) }, 112, 162, false},
		{"zoom while following keeps the newest", at(900, 1000, true), func(t *state.Timeline) { t.Zoom(0.5, 0) }, 950, 1000, true},
		{"zoom in has an end", at(100, 104, false), func(t *state.Timeline) { t.Zoom(0.001, 0) }, 100, 103, false},
		{"zoom out ends where everything is seen", at(0, 900, false), func(t *state.Timeline) { t.Zoom(100, 0) }, 0, 1050, false},
		{"pan stops following", at(900, 1000, true), func(t *state.Timeline) { t.Pan(-500) }, 850, 950, false},
		{"small moves add up", at(500, 600, false), func(t *state.Timeline) {
			for range 4 {
				t.Pan(-5)
			}
		}, 498, 598, false},
		{"pan ends half a window behind the end", at(800, 900, false), func(t *state.Timeline) { t.Pan(90_000) }, 950, 1050, false},
		{"pan ends half a window before the beginning", at(0, 100, false), func(t *state.Timeline) { t.Pan(-90_000) }, -50, 50, false},
		{"what is seen needs no move", at(100, 200, false), func(t *state.Timeline) { t.Reveal(150) }, 100, 200, false},
		{"what is not seen comes to the middle", at(100, 200, false), func(t *state.Timeline) { t.Reveal(700) }, 650, 750, false},
		{"revealing the newest goes on following", at(900, 1000, true), func(t *state.Timeline) { t.Reveal(950) }, 900, 1000, true},
		{"selecting makes it stand still", at(900, 1000, true), func(t *state.Timeline) { t.Select(7) }, 900, 1000, false},
		{"and then it goes on", at(900, 1000, true), func(t *state.Timeline) { t.Select(7); t.Reveal(700); t.Select(0) }, 650, 750, true},
		{"unless a person moved it", at(900, 1000, true), func(t *state.Timeline) { t.Select(7); t.Pan(-500); t.Select(0) }, 850, 950, false},
		{"a wider pane shows more, not larger", at(900, 1000, true), func(t *state.Timeline) { t.Resize(2000) }, 800, 1000, true},
		{"the axis of time begins at the newest", at(900, 1000, false), func(t *state.Timeline) { t.SetAxis(wire.AxisTime) }, 0, 5_000_000, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.move(tt.start)
			if s := tt.start; s.From != tt.from || s.To != tt.to || s.Follow != tt.follow {
				t.Errorf("window %d..%d, follow %v; want %d..%d, %v", s.From, s.To, s.Follow, tt.from, tt.to, tt.follow)
			}
		})
	}
}

func TestTimelineTake(t *testing.T) {
	tl := at(900, 1000, true)
	if !tl.Take(&wire.Timeline{From: 905, To: 1005, Last: 1005}) || tl.From != 905 || tl.To != 1005 {
		t.Errorf("while following the window is %d..%d, want 905..1005 as the cluster says", tl.From, tl.To)
	}
	tl.Pan(-100)
	from := tl.From
	if !tl.Take(&wire.Timeline{From: 1, To: 2}) || tl.From != from {
		t.Error("a late answer moved the window that a person moved")
	}
	if tl.Take(&wire.Timeline{Axis: wire.AxisTime}) {
		t.Error("an answer about the other axis was taken")
	}
}
