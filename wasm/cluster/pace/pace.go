// Package pace maps wall time to a cluster's virtual time.
//
// A Pace is a straight line through an anchor: so much virtual time a second of wall time. Changing the
// speed, pausing, and falling behind move the anchor; nothing ever makes virtual time jump. A cluster
// that cannot keep up runs slower than asked: it does not owe what it missed.
//
// It keeps no clock: callers say what time it is.
package pace

import "time"

// Bounds of a speed.
const (
	Slowest = 0.1
	Fastest = 1000
)

// A Pace is how fast virtual time passes. New makes one.
type Pace struct {
	wall    time.Time // the anchor
	virtual time.Time
	speed   float64
	max     bool
	paused  bool
	hurry   time.Time // run to here as fast as possible; zero when there is no hurry
}

// New returns a pace of 1x at which it is now virtual.
func New(wall, virtual time.Time) *Pace {
	return &Pace{wall: wall, virtual: virtual, speed: 1}
}

// Limit returns the virtual time up to which tasks may run at wall. ok is false when nothing bounds it:
// as fast as the machine can.
func (p *Pace) Limit(wall time.Time) (limit time.Time, ok bool) {
	switch {
	case !p.hurry.IsZero():
		return p.hurry, true
	case p.paused:
		return p.virtual, true
	case p.max:
		return time.Time{}, false
	}
	return p.virtual.Add(scale(wall.Sub(p.wall), p.speed)), true
}

// Reached tells where virtual time stands at wall after running; behind says that tasks due by then are
// left, and so the line starts again from here.
func (p *Pace) Reached(wall, virtual time.Time, behind bool) {
	if !p.hurry.IsZero() && !behind && !virtual.Before(p.hurry) {
		p.hurry = time.Time{}
		behind = true
	}
	if behind || p.max || p.paused {
		p.wall, p.virtual = wall, virtual
	}
}

// Wait returns how long after wall a task due at the virtual time at runs. ok is false when it will not
// without a change of pace.
func (p *Pace) Wait(wall, at time.Time) (d time.Duration, ok bool) {
	switch {
	case !p.hurry.IsZero() && !at.After(p.hurry), p.max && !p.paused:
		return 0, true
	case p.paused:
		return 0, false
	}
	return max(0, p.wall.Add(scale(at.Sub(p.virtual), 1/p.speed)).Sub(wall)), true
}

func scale(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// move puts the anchor where the line stands at wall.
func (p *Pace) move(wall, virtual time.Time) { p.wall, p.virtual = wall, virtual }

// SetSpeed changes the speed, within the bounds, from now on.
func (p *Pace) SetSpeed(x float64, wall, virtual time.Time) {
	p.move(wall, virtual)
	p.speed, p.max = min(max(x, Slowest), Fastest), false
}

// SetMax lets virtual time run as fast as the machine can.
func (p *Pace) SetMax(wall, virtual time.Time) {
	p.move(wall, virtual)
	p.max = true
}

// SetPaused stops virtual time or lets it go on.
func (p *Pace) SetPaused(paused bool, wall, virtual time.Time) {
	p.move(wall, virtual)
	p.paused = paused
}

// Hurry runs to the virtual time to as fast as the machine can, paused or not, then at the pace of before.
func (p *Pace) Hurry(to time.Time) {
	if to.After(p.hurry) {
		p.hurry = to
	}
}

// Speed returns the speed; max says that it is as fast as the machine can.
func (p *Pace) Speed() (x float64, max bool) { return p.speed, p.max }

// Paused reports whether virtual time stands still.
func (p *Pace) Paused() bool { return p.paused }
