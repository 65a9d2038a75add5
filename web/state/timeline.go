package state

import (
	"math"

	"terrarium/core/projection/wire"
)

// A Timeline is the timeline as the page shows it: a window of the worker's, and what is selected in it.
type Timeline struct {
	Axis     uint32 // wire.AxisSteps, wire.AxisTime
	From, To int64  // the window, in units of the axis
	Width    int64  // pixels
	Follow   bool   // the window ends with the newest span
	Filter   string
	Exact    bool // Filter is the name of an object: "pods/default/web"
	Quiet    bool // show heartbeats and what had nothing to do

	Window   *wire.Timeline // the last that came; nil before the first
	Selected uint64         // span, 0: none
	Details  *wire.Span     // of the selected; nil while it is on its way
	resume   bool           // go on following when nothing is selected any more
	part     float64        // of a unit, by which a person has moved the window beyond From
}

const (
	stepWidth     = 62        // pixels of a step at first
	timeAtFirst   = 5_000_000 // microseconds
	fewestSteps   = 3
	shortestTime  = 200 // microseconds
	widthAtLeast  = 100
	marginOfAPage = 8 // a reveal keeps an eighth of the window free beside what it shows
)

// NewTimeline returns a timeline that follows the newest steps.
func NewTimeline() *Timeline {
	t := &Timeline{Width: 800}
	t.SetAxis(wire.AxisSteps)
	return t
}

// SetAxis changes the axis and goes to the newest span.
func (t *Timeline) SetAxis(axis uint32) {
	t.Axis, t.Follow = axis, true
	t.To = timeAtFirst
	if axis == wire.AxisSteps {
		t.To = max(t.Width/stepWidth, fewestSteps)
	}
	t.From = 0
}

// Resize fits the window to another width: what one unit takes stays.
func (t *Timeline) Resize(width int64) {
	width = max(width, widthAtLeast)
	if width == t.Width {
		return
	}
	size := max(int64(math.Round(float64(t.To-t.From)*float64(width)/float64(t.Width))), t.least())
	t.From = t.To - size
	t.Width = width
}

func (t *Timeline) least() int64 {
	if t.Axis == wire.AxisSteps {
		return fewestSteps
	}
	return shortestTime
}

// most is the size of a window that shows everything.
func (t *Timeline) most() int64 {
	if t.Window == nil || t.Window.Axis != t.Axis {
		return max(t.To-t.From, t.least())
	}
	all := t.Window.Last - t.Window.First
	return max(all+all/20, t.least())
}

// Take notes a window that came. An answer to a question about another axis is late and does not count.
func (t *Timeline) Take(w *wire.Timeline) bool {
	if w.Axis != t.Axis {
		return false
	}
	t.Window = w
	if t.Follow {
		t.From, t.To = w.From, w.To
	}
	return true
}

// Zoom makes the window smaller (by < 1) or larger around a place, in pixels from the left.
func (t *Timeline) Zoom(by float64, at int64) {
	size := float64(t.To - t.From)
	next := min(max(size*by, float64(t.least())), float64(t.most()))
	share := float64(min(max(at, 0), t.Width)) / float64(t.Width)
	if t.Follow {
		share = 1 // the newest span stays at the right edge
	}
	t.From += int64((size - next) * share)
	t.To = t.From + int64(next)
}

// Pan moves the window to the right by pixels, and stops following.
func (t *Timeline) Pan(pixels int64) {
	units, part := math.Modf(float64(pixels)*float64(t.To-t.From)/float64(t.Width) + t.part)
	t.MoveTo(t.From + int64(units))
	t.part = part
}

// MoveTo lets the window begin at a unit, as far as there is something to see, and stops following.
func (t *Timeline) MoveTo(from int64) {
	size := t.To - t.From
	if w := t.Window; w != nil && w.Axis == t.Axis {
		from = max(min(from, w.Last-size/2), w.First-size/2)
	}
	t.From, t.To, t.part, t.Follow, t.resume = from, from+size, 0, false, false
}

// Reveal moves the window, if it must, so that a place on the axis is well inside.
func (t *Timeline) Reveal(at int64) {
	margin := (t.To - t.From) / marginOfAPage
	if at >= t.From+margin && at < t.To-margin {
		t.Follow = t.Follow && t.Window != nil && t.To >= t.Window.Last
		return
	}
	resume := t.resume
	t.MoveTo(at - (t.To-t.From)/2)
	t.resume = resume
}

// Select selects a span; 0 is none. The window stands still while one is selected, and then goes on following
// if it did and nobody moved it.
func (t *Timeline) Select(span uint64) {
	if span == t.Selected {
		return
	}
	t.Selected, t.Details = span, nil
	switch {
	case span == 0:
		t.Follow = t.Follow || t.resume
		t.resume = false
	case t.Follow:
		t.Follow, t.resume = false, true
	}
}

// Item returns the drawn item that is or holds the selected span, or nil.
func (t *Timeline) Item() *wire.Item {
	if t.Window == nil {
		return nil
	}
	for i := range t.Window.Items {
		if t.Window.Items[i].Flags&wire.ItemSelected != 0 {
			return &t.Window.Items[i]
		}
	}
	return nil
}
