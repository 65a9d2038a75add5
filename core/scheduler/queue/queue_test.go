package queue

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/plugins/queuesort"
	"terrarium/core/scheduler/plugins/schedulinggates"
	"terrarium/core/scheduler/schedtest"
	"terrarium/core/trace"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 300e6, time.UTC)

// picky refuses pods, registered for added nodes: those labelled "good" are worth a try.
type picky struct{ name string }

func (p picky) Name() string { return p.name }
func (picky) Filter(*framework.CycleState, *framework.PodInfo, *framework.NodeInfo) framework.Status {
	return framework.Status{}
}

func (p picky) EventsToRegister() []framework.EventWithHint {
	return []framework.EventWithHint{{
		Event: framework.ClusterEvent{Resource: framework.Node, Action: framework.Add},
		Hint: framework.On(func(_ *corev1.Pod, _, n *corev1.Node) framework.Hint {
			return framework.Hint(n.Labels["good"] != "")
		}),
	}}
}

type binds struct{}

func (binds) Name() string { return "Bind" }
func (binds) Bind(*framework.CycleState, *framework.PodInfo, string) framework.Status {
	return framework.Status{}
}

type fixture struct {
	*Queue
	loop  *loop.Loop
	wakes int
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f, err := framework.New(framework.Config{Name: corev1.DefaultSchedulerName, Plugins: []framework.Enabled{
		{Plugin: schedulinggates.SchedulingGates{}}, {Plugin: queuesort.PrioritySort{}},
		{Plugin: picky{"A"}}, {Plugin: picky{"B"}}, {Plugin: binds{}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	x := &fixture{loop: loop.New(start, 1)}
	x.Queue = New(Config{
		Loop: x.loop, Component: "test", Profiles: map[string]*framework.Framework{f.Name(): f},
		Wake: func() { x.wakes++ },
	})
	return x
}

func (x *fixture) add(pods ...*corev1.Pod) {
	for _, p := range pods {
		x.Add(p, trace.Trigger{})
	}
}

// pop returns the names of the pods popped until none is left, n at most.
func (x *fixture) pop(n int) []string {
	var names []string
	for range n {
		p := x.Pop()
		if p == nil {
			break
		}
		names = append(names, p.Pod.Name)
	}
	return names
}

// fail pops the next pod and has it refused by the plugins.
func (x *fixture) fail(by ...string) {
	p := x.Pop()
	x.AddUnschedulable(p.Pod, by, nil)
}

func (x *fixture) parts() map[string]string {
	m := map[string]string{}
	for _, e := range x.Entries() {
		m[e.Pod.Name] = e.Part
	}
	return m
}

func (x *fixture) nodeAdded(n *corev1.Node) {
	x.Move(framework.ClusterEvent{Resource: framework.Node, Action: framework.Add}, nil, n, trace.Trigger{Key: kinds.Key{Resource: "nodes", Name: n.Name}}, nil)
}

var good, bad = schedtest.Node("good").Label("good", "1").Obj(), schedtest.Node("bad").Obj()

// busy keeps the active part from running empty: back-off ends early otherwise.
func (x *fixture) busy() { x.add(schedtest.Pod("busy").Priority(-1).Obj()) }

func expect(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestOrder(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("low").Obj(), schedtest.Pod("low-too").Obj(), schedtest.Pod("high").Priority(10).Obj(), schedtest.Pod("lower").Priority(-1).Obj())
	x.loop.Run(start.Add(time.Second))
	x.add(schedtest.Pod("high-later").Priority(10).Obj(), schedtest.Pod("low-later").Obj())
	expect(t, "order", x.pop(9), []string{"high", "high-later", "low", "low-too", "low-later", "lower"})
}

// The same priority and time: first come, first served, however many.
func TestOrderIsStable(t *testing.T) {
	x := newFixture(t)
	var want []string
	for i := range 100 {
		name := "p" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		x.add(schedtest.Pod(name).Obj())
		want = append(want, name)
	}
	expect(t, "order", x.pop(200), want)
}

func TestBackoffDuration(t *testing.T) {
	x := newFixture(t)
	for count, want := range map[int]time.Duration{1: 1, 2: 2, 3: 4, 4: 8, 5: 10, 16: 10, 64: 10, 1000: 10} {
		if got := x.backoffDuration(count); got != want*time.Second {
			t.Errorf("after %d refusals: got %v, want %vs", count, got, int(want))
		}
	}
}

func TestUnschedulableWaitsForItsEvent(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("p").Obj())
	x.busy()
	x.fail("A")
	expect(t, "refused", x.parts()["p"], "unschedulable")
	x.nodeAdded(bad)
	expect(t, "a node that the plugin does not care for", x.parts()["p"], "unschedulable")
	x.Move(framework.ClusterEvent{Resource: framework.AssignedPod, Action: framework.Delete}, good, nil, trace.Trigger{}, nil)
	expect(t, "an event nobody registered for", x.parts()["p"], "unschedulable")
	x.nodeAdded(good)
	expect(t, "a node that may help, within the back-off", x.parts()["p"], "backoff")
	// Refused at 0.3 s, back-off until 1.3 s, that is the window of second 1: free at second 2.
	x.loop.Run(start.Add(1690 * time.Millisecond))
	expect(t, "before the window ends", x.parts()["p"], "backoff")
	x.loop.Run(start.Add(1700 * time.Millisecond))
	expect(t, "after it", x.parts()["p"], "active")
	p := x.Pop()
	expect(t, "attempts", p.Attempts, 2)
	expect(t, "why it is tried again", p.Triggers, []trace.Trigger{{Key: kinds.Key{Resource: "nodes", Name: "good"}}})
}

func TestEventAfterBackoffGoesToActive(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("p").Obj())
	x.busy()
	x.fail("A")
	x.loop.Run(start.Add(5 * time.Second))
	x.nodeAdded(good)
	expect(t, "part", x.parts()["p"], "active")
}

// An idle scheduler does not wait for the back-off to end.
func TestPopFromBackoff(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("p").Obj())
	x.fail("A")
	x.wakes = 0
	x.nodeAdded(good)
	expect(t, "part", x.parts()["p"], "backoff")
	if x.wakes == 0 {
		t.Error("nobody was woken")
	}
	expect(t, "popped", x.pop(2), []string{"p"})
}

// After an error a pod is always retried, but not before its back-off ends.
func TestErrorBackoff(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("p").Obj())
	for i, wait := range []time.Duration{2, 3, 5, 9, 11, 11} { // 1, 2, 4, 8, 10, 10 s, and up to the full second after
		x.fail()
		expect(t, "part", x.parts()["p"], "backoff")
		if x.Peek() != nil {
			t.Fatalf("attempt %d: popped early", i+1)
		}
		x.loop.Run(x.loop.Now().Add(wait * time.Second))
		expect(t, "part", x.parts()["p"], "active")
	}
	p := x.Pop()
	expect(t, "errors", p.ConsecutiveErrorsCount, 6)
	expect(t, "trigger", p.Triggers, []trace.Trigger{{Note: "retry 6"}})
	x.AddUnschedulable(p.Pod, framework.Names{"A"}, nil)
	expect(t, "a refusal ends the count of errors", x.pods["p"].ConsecutiveErrorsCount, 0)
}

// What a pending plugin waits for has happened: no back-off.
func TestPendingSkipsBackoff(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("p").Obj())
	x.busy()
	x.AddUnschedulable(x.Pop().Pod, framework.Names{"A"}, framework.Names{"B"})
	x.nodeAdded(good)
	expect(t, "part", x.parts()["p"], "active")
}

func TestFlushAfterFiveMinutes(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("p").Obj())
	x.busy()
	x.fail("A")
	x.loop.Run(start.Add(5 * time.Minute))
	expect(t, "after five minutes", x.parts()["p"], "unschedulable")
	x.loop.Run(start.Add(5*time.Minute + 30*time.Second))
	expect(t, "at the next tick of 30 s", x.parts()["p"], "active")
}

func TestGates(t *testing.T) {
	x := newFixture(t)
	gated := schedtest.Pod("p").Gate("g")
	x.add(gated.Obj())
	expect(t, "gated", x.Entries()[0].Gated, true)
	x.nodeAdded(good)
	x.loop.Run(start.Add(10 * time.Minute))
	expect(t, "nothing but the gate's end moves it", x.pop(1), []string(nil))
	free := gated.With(func(p *corev1.Pod) { p.Spec.SchedulingGates = nil }).Obj()
	x.Update(gated.Obj(), free, trace.Trigger{})
	p := x.Pop()
	if p == nil || p.Attempts != 1 || !p.InitialAttempt.Equal(x.loop.Now()) {
		t.Errorf("got %+v", p)
	}
}

// An event that comes while a pod is being scheduled is not lost when it is refused.
func TestEventsInFlight(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("p").Obj(), schedtest.Pod("q").Obj())
	p := x.Pop()
	x.nodeAdded(good)
	q := x.Pop()
	x.nodeAdded(bad)
	x.busy()
	x.AddUnschedulable(p.Pod, framework.Names{"A"}, nil)
	x.AddUnschedulable(q.Pod, framework.Names{"A"}, nil)
	expect(t, "parts", x.parts(), map[string]string{"p": "backoff", "q": "unschedulable", "busy": "active"})
	if x.inFlight.any() {
		t.Errorf("%d events are kept for nobody", len(x.inFlight.list))
	}
}

func TestUpdateAndDelete(t *testing.T) {
	x := newFixture(t)
	a, b := schedtest.Pod("a"), schedtest.Pod("b")
	x.add(a.Obj(), b.Obj())
	x.Update(b.Obj(), b.Priority(5).Obj(), trace.Trigger{})
	expect(t, "a greater priority moves up", x.Peek().Pod.Name, "b")
	x.Delete(b.Obj())
	expect(t, "deleted", x.pop(2), []string{"a"})
	x.Delete(a.Obj())
	expect(t, "in flight until Done", x.parts(), map[string]string{"a": "in-flight"})
	x.Done("a")
	expect(t, "done", len(x.pods), 0)
}

func TestActivate(t *testing.T) {
	x := newFixture(t)
	x.add(schedtest.Pod("p").Obj())
	x.busy()
	x.fail("A")
	if !x.Activate("p") || x.Activate("stranger") {
		t.Error("wrong answers")
	}
	expect(t, "part", x.parts()["p"], "active")
}

func TestNominator(t *testing.T) {
	x := newFixture(t)
	p := schedtest.Pod("p")
	x.add(p.Nominated("n1").Obj())
	names := func(node string) (out []string) {
		for _, i := range x.Nominated(node) {
			out = append(out, i.Pod.Name)
		}
		return out
	}
	expect(t, "by status", names("n1"), []string{"p"})
	info := x.pods["p"].PodInfo
	x.Nominate(info, framework.Nomination{Override: true, Node: "n2"})
	expect(t, "overridden", [][]string{names("n1"), names("n2")}, [][]string{nil, {"p"}})
	x.Update(p.Obj(), p.Label("a", "b").Obj(), trace.Trigger{})
	expect(t, "kept over an update that does not mention it", names("n2"), []string{"p"})
	x.Update(p.Nominated("n2").Obj(), p.Obj(), trace.Trigger{})
	expect(t, "taken away by an update", names("n2"), []string(nil))
}
