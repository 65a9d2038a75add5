package workqueue

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/trace"
)

func key(name string) kinds.Key {
	return kinds.Key{Resource: "pods", Namespace: "default", Name: name}
}

func newQueue() (*loop.Loop, *Queue) {
	l := loop.New(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 1)
	return l, New(l, Config{Name: "test"})
}

func names(q *Queue) (out []string) {
	for {
		item, ok := q.Get()
		if !ok {
			return out
		}
		out = append(out, item.Key.Name)
	}
}

func TestKeyWaitsOnce(t *testing.T) {
	_, q := newQueue()
	for _, n := range []string{"a", "b", "a", "c", "b"} {
		q.Add(key(n), trace.Trigger{})
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, names(q)); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func TestKeyIsWorkedOnOnce(t *testing.T) {
	_, q := newQueue()
	q.Add(key("a"), trace.Trigger{Note: "first"})
	if _, ok := q.Get(); !ok {
		t.Fatal("a key that was added must come out")
	}
	q.Add(key("a"), trace.Trigger{Note: "second"})
	if item, ok := q.Get(); ok {
		t.Fatalf("%v was handed out twice", item.Key)
	}
	q.Done(key("a"))
	item, ok := q.Get()
	if !ok {
		t.Fatal("a key added while it was worked on must come out again after Done")
	}
	if diff := cmp.Diff([]trace.Trigger{{Note: "second"}}, item.Triggers); diff != "" {
		t.Errorf("triggers (-want +got):\n%s", diff)
	}
	q.Done(key("a"))
	if _, ok := q.Get(); ok {
		t.Error("a key that was not added again came out again")
	}
}

func TestRetriesDouble(t *testing.T) {
	l, q := newQueue()
	want := []time.Duration{5, 10, 20, 40, 80, 160}
	for i, ms := range want {
		before := l.Now()
		q.AddRateLimited(key("a"))
		next, ok := l.Next()
		if !ok || next.Sub(before) != ms*time.Millisecond {
			t.Fatalf("retry %d comes after %v, want %v", i+1, next.Sub(before), ms*time.Millisecond)
		}
		l.Run(next)
		q.Get()
		q.Done(key("a"))
	}
	for range 100 {
		q.AddRateLimited(key("b"))
	}
	if n := q.NumRequeues(key("b")); n != 100 {
		t.Errorf("%d requeues are counted, want 100", n)
	}
	q.Forget(key("a"))
	before := l.Now()
	q.AddRateLimited(key("a"))
	if next, _ := l.Next(); next.Sub(before) != 5*time.Millisecond {
		t.Errorf("after Forget the delay is %v, want 5ms", next.Sub(before))
	}
}

func TestSoonestDelayCounts(t *testing.T) {
	l, q := newQueue()
	q.AddAfter(key("a"), time.Hour, "late")
	q.AddAfter(key("a"), time.Minute, "soon")
	q.AddAfter(key("a"), 2*time.Hour, "later")
	s := q.Snapshot()
	if len(s.Waiting) != 1 || s.Waiting[0].At != l.Now().Add(time.Minute) {
		t.Fatalf("waiting: %+v, want one key in a minute", s.Waiting)
	}
	l.Run(l.Now().Add(3 * time.Hour))
	if got := names(q); len(got) != 1 {
		t.Errorf("the key came out %d times, want once", len(got))
	}
}

// TestModel checks the three promises over random histories: once in the queue, never with two workers,
// never lost.
func TestModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	_, q := newQueue()
	dirty, working := map[string]bool{}, map[string]bool{}
	var held []string
	for range 5000 {
		switch r.IntN(3) {
		case 0:
			n := fmt.Sprint(r.IntN(20))
			q.Add(key(n), trace.Trigger{})
			dirty[n] = true
		case 1:
			item, ok := q.Get()
			ready := 0
			for n := range dirty {
				if !working[n] {
					ready++
				}
			}
			if ok != (ready > 0) {
				t.Fatalf("seed %d: Get gives %v with %d keys ready", seed, ok, ready)
			}
			if !ok {
				continue
			}
			n := item.Key.Name
			if working[n] || !dirty[n] {
				t.Fatalf("seed %d: %s was handed out; working %v, dirty %v", seed, n, working[n], dirty[n])
			}
			delete(dirty, n)
			working[n] = true
			held = append(held, n)
		case 2:
			if len(held) > 0 {
				i := r.IntN(len(held))
				q.Done(key(held[i]))
				delete(working, held[i])
				held = append(held[:i], held[i+1:]...)
			}
		}
	}
}
