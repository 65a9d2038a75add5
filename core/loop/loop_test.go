package loop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestOrder(t *testing.T) {
	l := New(start, 1)
	var got []string
	say := func(s string) func() { return func() { got = append(got, s) } }
	l.After(2*time.Second, Label{}, say("late"))
	l.After(time.Second, Label{}, say("first of two"))
	l.After(time.Second, Label{}, say("second of two"))
	l.Post(Label{}, func() {
		got = append(got, "now")
		l.Post(Label{}, say("posted by now"))
		l.At(start.Add(-time.Hour), Label{}, say("overdue"))
	})
	l.Run(start.Add(time.Second))
	want := []string{"now", "posted by now", "overdue", "first of two", "second of two"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if l.Now() != start.Add(time.Second) {
		t.Errorf("clock is %v, want one second after the start", l.Now())
	}
}

func TestStop(t *testing.T) {
	l := New(start, 1)
	ran := 0
	a := l.After(time.Second, Label{}, func() { ran++ })
	b := l.After(time.Second, Label{}, func() { ran++ })
	if !a.Stop() || a.Stop() {
		t.Error("Stop must report true once")
	}
	l.Run(start.Add(time.Minute))
	if b.Stop() {
		t.Error("Stop of a task that has run must report false")
	}
	if ran != 1 {
		t.Errorf("%d tasks ran, want 1", ran)
	}
	var none *Timer
	if none.Stop() {
		t.Error("Stop of no timer must report false")
	}
}

func TestSliceStopsWhenTold(t *testing.T) {
	l := New(start, 1)
	ran := 0
	for range 10 {
		l.Post(Label{}, func() { ran++ })
	}
	if left := l.Slice(start, func() bool { return ran < 4 }); !left || ran != 4 {
		t.Errorf("left %v after %d tasks, want tasks left after 4", left, ran)
	}
	if left := l.Slice(start, func() bool { return true }); left || ran != 10 {
		t.Errorf("left %v after %d tasks, want none left after 10", left, ran)
	}
}

func TestClockNeverPassesATask(t *testing.T) {
	l := New(start, 1)
	l.After(time.Second, Label{}, func() {})
	l.AdvanceTo(start.Add(time.Minute))
	if l.Now() != start {
		t.Errorf("the clock went to %v past a task that waits", l.Now())
	}
}

func TestPending(t *testing.T) {
	l := New(start, 1)
	l.After(3*time.Second, Label{Action: "c"}, func() {})
	l.After(time.Second, Label{Action: "a"}, func() {})
	l.After(2*time.Second, Label{Action: "b"}, func() {})
	var got []string
	for _, p := range l.Pending(2) {
		got = append(got, fmt.Sprint(p.At.Sub(start), " ", p.Action))
	}
	if diff := cmp.Diff([]string{"1s a", "2s b"}, got); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}
	if l.Run(start.Add(time.Hour)); l.Ran() != 3 {
		t.Errorf("looking at pending tasks disturbed them: %d ran, want 3", l.Ran())
	}
}

// TestModel lets random adds and stops run beside the simplest correct thing: a sorted list.
func TestModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	type task struct{ at, seq int }
	l := New(start, 1)
	var model, got []task
	timers := map[int]*Timer{}
	for seq := range 2000 {
		if r.IntN(4) == 0 && len(model) > 0 {
			victim := model[r.IntN(len(model))]
			timers[victim.seq].Stop()
			model = slices.DeleteFunc(model, func(m task) bool { return m == victim })
			continue
		}
		m := task{r.IntN(50), seq}
		model = append(model, m)
		timers[seq] = l.At(start.Add(time.Duration(m.at)*time.Second), Label{}, func() { got = append(got, m) })
	}
	slices.SortFunc(model, func(a, b task) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.seq - b.seq
	})
	l.Run(start.Add(time.Hour))
	if !slices.Equal(model, got) {
		t.Fatalf("seed %d: the loop ran %d tasks in another order than the model's %d", seed, len(got), len(model))
	}
}

func TestRandomStreams(t *testing.T) {
	draw := func(seed uint64, names ...string) []uint64 {
		l := New(start, seed)
		var out []uint64
		for _, n := range names {
			out = append(out, l.Rand(n).Uint64())
		}
		return out
	}
	if a, b := draw(1, "x", "y")[1], draw(1, "y")[0]; a != b {
		t.Error("drawing from one stream shifted another")
	}
	if a, b := draw(1, "x")[0], draw(2, "x")[0]; a == b {
		t.Error("two seeds gave the same numbers")
	}
	l := New(start, 1)
	early := l.Rand("x")
	l.Restart(start.Add(time.Hour), 2)
	if got, want := early.Uint64(), draw(2, "x")[0]; got != want {
		t.Errorf("after Restart a stream handed out before gives %d, want the new seed's %d", got, want)
	}
}

func BenchmarkTask(b *testing.B) {
	l := New(start, 1)
	for i := range 1000 {
		l.After(time.Duration(i)*time.Millisecond, Label{}, func() {})
	}
	for b.Loop() {
		l.After(time.Millisecond, Label{}, func() {})
		l.Step(start.Add(24 * time.Hour))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
}
