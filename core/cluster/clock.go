package cluster

import (
	"errors"
	"math"
	"time"

	"terrarium/core/loop"
)

// MaxSpeed is the speed at which virtual time goes as fast as the machine can.
var MaxSpeed = math.Inf(1)

// maxLag bounds how much virtual time, in wall time at the present speed, a slow or sleeping machine may owe:
// beyond it the clock falls behind rather than freeze the page to catch up.
const maxLag = 250 * time.Millisecond

// A Clock lets virtual time pass as wall time does: at a speed, or not at all. It holds no wall clock
// itself; whoever drives the loop says how much has passed.
type Clock struct {
	loop    *loop.Loop
	speed   float64
	paused  bool
	target  time.Time     // what virtual time should have reached by now
	rest    time.Duration // wall time that the last Slice said may pass; its lapse is no lag
	goal    time.Time     // virtual time to run to at full speed; zero is none
	onGoal  []func()
	changed []func()
}

// NewClock returns a clock that runs l at the speed of wall time.
func NewClock(l *loop.Loop) *Clock { return &Clock{loop: l, speed: 1, target: l.Now()} }

// Speed returns how fast virtual time goes; +Inf is as fast as it can.
func (c *Clock) Speed() float64 { return c.speed }

// Paused reports whether virtual time stands still.
func (c *Clock) Paused() bool { return c.paused }

// OnChange calls f whenever speed or pause change.
func (c *Clock) OnChange(f func()) { c.changed = append(c.changed, f) }

func (c *Clock) notify() {
	for _, f := range c.changed {
		f()
	}
}

// SetSpeed sets how fast virtual time goes, from 0.1 to 1000 times wall time, or MaxSpeed.
func (c *Clock) SetSpeed(x float64) error {
	if !math.IsInf(x, 1) && !(x >= 0.1 && x <= 1000) {
		return errors.New("speed must be from 0.1 to 1000, or max")
	}
	c.speed, c.target = x, c.loop.Now()
	c.notify()
	return nil
}

// Pause stops virtual time; requests from outside still take effect, but nobody reacts to them.
func (c *Clock) Pause() {
	c.paused = true
	c.notify()
}

// Resume lets virtual time go on.
func (c *Clock) Resume() {
	c.paused, c.target, c.rest = false, c.loop.Now(), 0
	c.notify()
}

// Advance runs d of virtual time as fast as it goes, paused or not, and then calls done.
func (c *Clock) Advance(d time.Duration, done func()) error {
	if d < 0 || d > 10*365*24*time.Hour {
		return errors.New("time can be advanced by up to ten years, and not go back")
	}
	from := c.loop.Now()
	if c.goal.After(from) {
		from = c.goal
	}
	c.goal = from.Add(d)
	c.onGoal = append(c.onGoal, done)
	return nil
}

// Step runs tasks until one reconcile, scheduling cycle or pod sync has run, moving the clock as far as that
// needs. It returns that task's label; ok is false when nothing waits.
func (c *Clock) Step(isStep func(loop.Label) bool) (label loop.Label, ok bool) {
	const limit = 100_000 // tasks that are no step: a cluster of heartbeats alone
	far := c.loop.Now().Add(365 * 24 * time.Hour)
	for range limit {
		label, ok = c.loop.Step(far)
		if !ok || isStep(label) {
			break
		}
	}
	c.target = c.loop.Now()
	return label, ok
}

// Slice lets wall of real time pass: it runs what is due until more returns false. next is how much wall
// time may pass before anything is due again: 0 when something is due already, negative when nothing will
// ever be.
func (c *Clock) Slice(wall time.Duration, more func() bool) (next time.Duration) {
	if c.goal.After(c.loop.Now()) || len(c.onGoal) > 0 {
		return c.sliceToGoal(more)
	}
	if c.paused {
		return -1
	}
	limit := c.reach(wall)
	if left := c.loop.Slice(limit, more); left {
		c.rest = 0
		return 0
	}
	if !math.IsInf(c.speed, 1) {
		c.loop.AdvanceTo(limit)
	}
	next = c.untilNext()
	c.rest = max(next, 0)
	return next
}

// reach moves the target by wall and returns the time up to which tasks may run.
func (c *Clock) reach(wall time.Duration) time.Time {
	if math.IsInf(c.speed, 1) {
		return c.loop.Now().Add(365 * 24 * time.Hour)
	}
	most := c.rest + maxLag
	c.target = c.target.Add(time.Duration(float64(min(wall, most)) * c.speed))
	if limit := c.loop.Now().Add(time.Duration(float64(most) * c.speed)); c.target.After(limit) {
		c.target = limit
	}
	return c.target
}

func (c *Clock) untilNext() time.Duration {
	at, ok := c.loop.Next()
	if !ok {
		return -1
	}
	if math.IsInf(c.speed, 1) {
		return 0
	}
	d := time.Duration(float64(at.Sub(c.loop.Now())) / c.speed)
	return max(d, time.Microsecond)
}

func (c *Clock) sliceToGoal(more func() bool) time.Duration {
	if left := c.loop.Slice(c.goal, more); left {
		return 0
	}
	c.loop.AdvanceTo(c.goal)
	c.target = c.loop.Now()
	done := c.onGoal
	c.onGoal = nil
	for _, f := range done {
		f()
	}
	return 0
}
