package queue

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/schedtest"
	"terrarium/core/trace"
)

// Random use of the queue: after every step each pod is in exactly the part that it says, at the place that
// it says; what is popped is first by the profile's order; no pod is lost.
func TestRandomUse(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		x := newFixture(t)
		known := map[string]*corev1.Pod{} // that exist
		flying := map[string]bool{}
		for step := range 400 {
			name := "p" + strconv.Itoa(r.IntN(25))
			switch pod := known[name]; r.IntN(7) {
			case 0, 1:
				if pod == nil && !flying[name] {
					known[name] = schedtest.Pod(name).Priority(int32(r.IntN(3))).Obj()
					x.add(known[name])
				}
			case 2:
				if pod != nil {
					known[name] = schedtest.Pod(name).Priority(int32(r.IntN(3))).Label("step", strconv.Itoa(step)).Obj()
					x.Update(pod, known[name], trace.Trigger{})
				}
			case 3:
				if pod != nil {
					x.Delete(pod)
					delete(known, name)
				}
			case 4:
				checkNext(t, x, seed, step)
				if p := x.Pop(); p != nil {
					flying[p.Pod.Name] = true
				}
			case 5:
				if !flying[name] {
					break
				}
				delete(flying, name)
				if pod == nil || r.IntN(3) == 0 {
					x.Done(schedtest.Pod(name).Obj().UID)
					delete(known, name)
				} else {
					x.AddUnschedulable(pod, [][]string{nil, {"A"}, {"A", "B"}}[r.IntN(3)], nil)
				}
			case 6:
				x.loop.Run(x.loop.Now().Add(time.Duration(r.IntN(3000)) * time.Millisecond))
				x.nodeAdded([]*corev1.Node{good, bad}[r.IntN(2)])
			}
			checkParts(t, x, seed, step)
			for name := range known {
				if it := x.pods[known[name].UID]; it == nil {
					t.Fatalf("seed %d, step %d: %s is lost", seed, step, name)
				}
			}
		}
	}
}

func checkNext(t *testing.T, x *fixture, seed uint64, step int) {
	t.Helper()
	var first *item
	for _, it := range x.pods {
		if it.part == inActive && (first == nil || lessActive(it, first)) {
			first = it
		}
	}
	if got := x.next(); first != nil && got != first {
		t.Fatalf("seed %d, step %d: next is %s, want %s", seed, step, got.Pod.Name, first.Pod.Name)
	}
}

func checkParts(t *testing.T, x *fixture, seed uint64, step int) {
	t.Helper()
	places := map[part][]*item{inActive: x.active.items, inBackoff: x.backoff.items, inErrorBackoff: x.errors.items, inUnschedulable: x.waiting}
	total := 0
	for p, items := range places {
		total += len(items)
		for i, it := range items {
			if it.part != p || it.index != i || x.pods[it.UID] != it {
				t.Fatalf("seed %d, step %d: %s is in part %v at %d, says %v at %d", seed, step, it.Pod.Name, p, i, it.part, it.index)
			}
		}
	}
	for _, it := range x.pods {
		if it.part == isInFlight {
			total++
			if x.inFlight.find(it) < 0 {
				t.Fatalf("seed %d, step %d: %s is not in flight", seed, step, it.Pod.Name)
			}
		}
	}
	if total != len(x.pods) {
		t.Fatalf("seed %d, step %d: %d pods in parts, %d known", seed, step, total, len(x.pods))
	}
	if len(x.inFlight.list) > 0 && x.inFlight.list[0].item == nil {
		t.Fatalf("seed %d, step %d: an event is kept for nobody", seed, step)
	}
}
