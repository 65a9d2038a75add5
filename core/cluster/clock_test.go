package cluster

import (
	"math"
	"testing"
	"time"

	"terrarium/core/loop"
)

// A drive drives a clock as a browser or a goroutine does, by a made-up wall clock.
type drive struct {
	clock *Clock
	loop  *loop.Loop
	began time.Time
	ran   int
}

// newDrive returns a clock over a task that runs every period.
func newDrive(period time.Duration) *drive {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	d := &drive{loop: loop.New(began, 1), began: began}
	d.clock = NewClock(d.loop)
	var tick func()
	tick = func() {
		d.ran++
		d.loop.After(period, loop.Label{Action: "tick"}, tick)
	}
	d.loop.After(period, loop.Label{Action: "tick"}, tick)
	return d
}

func always() bool { return true }

// pass lets wall time pass, waking when the clock asks for it.
func (d *drive) pass(wall time.Duration) {
	next := d.clock.Slice(0, always)
	for wall > 0 {
		step := wall
		if next >= 0 {
			step = min(max(next, time.Microsecond), wall)
		}
		wall -= step
		next = d.clock.Slice(step, always)
	}
}

func (d *drive) virtual() time.Duration { return d.loop.Now().Sub(d.began) }

// TestClockKeepsTime however long there is nothing to do.
func TestClockKeepsTime(t *testing.T) {
	for _, tt := range []struct {
		period time.Duration
		speed  float64
	}{{time.Millisecond, 1}, {300 * time.Millisecond, 1}, {2 * time.Second, 1}, {time.Hour, 1}, {10 * time.Second, 0.1}, {10 * time.Second, 1000}} {
		d := newDrive(tt.period)
		if err := d.clock.SetSpeed(tt.speed); err != nil {
			t.Fatal(err)
		}
		d.pass(time.Minute)
		want := time.Duration(float64(time.Minute) * tt.speed)
		if off := (d.virtual() - want).Abs(); off > want/1000 {
			t.Errorf("a task every %v at %v: a minute is %v, want %v", tt.period, tt.speed, d.virtual(), want)
		}
		if ticks := int(want / tt.period); d.ran < ticks-1 || d.ran > ticks+1 {
			t.Errorf("a task every %v at %v ran %d times, want %d", tt.period, tt.speed, d.ran, ticks)
		}
	}
}

// TestClockAfterSleep: what the machine slept through is not caught up with.
func TestClockAfterSleep(t *testing.T) {
	d := newDrive(2 * time.Second)
	d.pass(time.Second)
	d.clock.Slice(time.Hour, always)
	if got := d.virtual(); got < 2*time.Second || got > 2*time.Second+maxLag {
		t.Errorf("after an hour of sleep it is %v, want the second that was due and %v at most", got, maxLag)
	}
	d.clock.Pause()
	before := d.virtual()
	d.clock.Slice(time.Hour, always)
	d.clock.Resume()
	d.clock.Slice(time.Hour, always)
	if got := d.virtual() - before; got > maxLag {
		t.Errorf("an hour of pause counts %v", got)
	}
}

// TestClockOfSlowMachine falls behind and owes little.
func TestClockOfSlowMachine(t *testing.T) {
	d := newDrive(time.Millisecond)
	never := func() bool { return false } // one task a slice
	for range 100 {
		if next := d.clock.Slice(8*time.Millisecond, never); next != 0 {
			t.Fatalf("tasks are left, but the clock wants to be called in %v", next)
		}
	}
	if d.ran != 100 {
		t.Errorf("%d tasks ran in 100 slices of one", d.ran)
	}
	if owed := d.clock.target.Sub(d.loop.Now()); owed > maxLag {
		t.Errorf("it owes %v, want at most %v", owed, maxLag)
	}
}

func TestClockAtMaxNeverRests(t *testing.T) {
	d := newDrive(time.Hour)
	if err := d.clock.SetSpeed(math.Inf(1)); err != nil {
		t.Fatal(err)
	}
	calls := 0
	if next := d.clock.Slice(0, func() bool { calls++; return calls < 10 }); next != 0 || d.ran != 10 {
		t.Errorf("next in %v after %d tasks, want at once after 10", next, d.ran)
	}
}
