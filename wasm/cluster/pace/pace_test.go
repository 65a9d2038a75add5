package pace_test

import (
	"testing"
	"time"

	"terrarium/wasm/cluster/pace"
)

var (
	wall    = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	virtual = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
)

func TestLimit(t *testing.T) {
	tests := []struct {
		name  string
		set   func(p *pace.Pace)
		after time.Duration // of wall time
		want  time.Duration // of virtual time
		free  bool
	}{
		{name: "1x", set: func(*pace.Pace) {}, after: time.Second, want: time.Second},
		{name: "10x", set: func(p *pace.Pace) { p.SetSpeed(10, wall, virtual) }, after: time.Second, want: 10 * time.Second},
		{name: "no faster than 1000x", set: func(p *pace.Pace) { p.SetSpeed(1e9, wall, virtual) }, after: time.Second, want: 1000 * time.Second},
		{name: "no slower than 0.1x", set: func(p *pace.Pace) { p.SetSpeed(-3, wall, virtual) }, after: time.Second, want: 100 * time.Millisecond},
		{name: "paused", set: func(p *pace.Pace) { p.SetPaused(true, wall, virtual) }, after: time.Hour},
		{name: "max", set: func(p *pace.Pace) { p.SetMax(wall, virtual) }, after: time.Second, free: true},
		{name: "paused at max", set: func(p *pace.Pace) { p.SetMax(wall, virtual); p.SetPaused(true, wall, virtual) }, after: time.Second},
		{name: "hurry while paused", set: func(p *pace.Pace) {
			p.SetPaused(true, wall, virtual)
			p.Hurry(virtual.Add(time.Minute))
		}, want: time.Minute},
		{name: "a shorter hurry changes nothing", set: func(p *pace.Pace) {
			p.Hurry(virtual.Add(time.Minute))
			p.Hurry(virtual.Add(time.Second))
		}, want: time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := pace.New(wall, virtual)
			tt.set(p)
			limit, ok := p.Limit(wall.Add(tt.after))
			if ok == tt.free {
				t.Fatalf("bounded: got %v", ok)
			}
			if got := limit.Sub(virtual); ok && got != tt.want {
				t.Errorf("limit: got %v, want %v", got, tt.want)
			}
		})
	}
}

// A cluster that falls behind goes on from where it is; what it missed is not made up for.
func TestBehindOwesNothing(t *testing.T) {
	p := pace.New(wall, virtual)
	p.SetSpeed(100, wall, virtual)
	later := wall.Add(10 * time.Second)
	p.Reached(later, virtual.Add(time.Second), true)
	limit, _ := p.Limit(later.Add(time.Second))
	if got, want := limit.Sub(virtual), 101*time.Second; got != want {
		t.Errorf("limit a second after falling behind: got %v, want %v", got, want)
	}
}

func TestHurryEnds(t *testing.T) {
	p := pace.New(wall, virtual)
	p.SetPaused(true, wall, virtual)
	p.Hurry(virtual.Add(time.Minute))
	p.Reached(wall, virtual.Add(time.Second), true)
	if limit, _ := p.Limit(wall); limit.Sub(virtual) != time.Minute {
		t.Errorf("behind in a hurry: limit %v, want it to go on", limit.Sub(virtual))
	}
	p.Reached(wall, virtual.Add(time.Minute), false)
	if limit, _ := p.Limit(wall.Add(time.Hour)); limit.Sub(virtual) != time.Minute {
		t.Errorf("after the hurry: limit %v, want to stand still at 1m", limit.Sub(virtual))
	}
}

func TestWait(t *testing.T) {
	p := pace.New(wall, virtual)
	p.SetSpeed(2, wall, virtual)
	if d, ok := p.Wait(wall.Add(time.Second), virtual.Add(10*time.Second)); !ok || d != 4*time.Second {
		t.Errorf("at 2x: got %v %v, want 4s", d, ok)
	}
	p.SetPaused(true, wall, virtual)
	if _, ok := p.Wait(wall, virtual.Add(time.Second)); ok {
		t.Error("paused: a task must not be waited for")
	}
	p.Hurry(virtual.Add(time.Second))
	if d, ok := p.Wait(wall, virtual.Add(time.Second)); !ok || d != 0 {
		t.Errorf("in a hurry: got %v %v, want at once", d, ok)
	}
}
