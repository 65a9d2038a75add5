package scheduler

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/trace"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A world is all that is outside the scheduler, without latency of its own: what the scheduler writes, it
// hears of in the next task.
type world struct {
	t      testing.TB
	loop   *loop.Loop
	trace  *trace.Recorder
	s      *Scheduler
	pods   map[string]*corev1.Pod
	pdbs   []*policyv1.PodDisruptionBudget
	events []string                                      // "Normal Scheduled default/p: ..."
	bound  []string                                      // "p -> n"
	onBind func(pod, node string) (done bool, err error) // instead of binding
	rev    int
}

// newWorld returns an empty cluster. profile changes the default profile.
func newWorld(t testing.TB, seed uint64, latency loop.Range, profile ...Profile) *world {
	t.Helper()
	w := &world{t: t, loop: loop.New(start, seed), pods: make(map[string]*corev1.Pod)}
	w.trace = trace.NewRecorder(w.loop, trace.Config{})
	s, err := newScheduler(Deps{Loop: w.loop, Trace: w.trace, Latency: latency, Profiles: profile}, outside{
		api: w, events: w, ready: func() bool { return true },
		budgets: func() []*policyv1.PodDisruptionBudget { return w.pdbs },
		pod: func(_, name string) (*corev1.Pod, bool) {
			p, ok := w.pods[name]
			return p, ok
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.s = s
	return w
}

func (w *world) Bind(of *corev1.Pod, node string) error {
	pod := of.Name
	if w.onBind != nil {
		if done, err := w.onBind(pod, node); done || err != nil {
			return err
		}
	}
	w.bound = append(w.bound, pod+" -> "+node)
	next := *w.pods[pod]
	next.Spec.NodeName = node
	w.put(&next)
	return nil
}

func (w *world) PatchStatus(_, pod string, patch []byte) error {
	old, err := json.Marshal(w.pods[pod])
	if err != nil {
		return err
	}
	data, err := strategicpatch.StrategicMergePatch(old, patch, corev1.Pod{})
	if err != nil {
		return err
	}
	next := &corev1.Pod{}
	if err := json.Unmarshal(data, next); err != nil {
		return err
	}
	w.put(next)
	return nil
}

func (w *world) Delete(_, pod string) error {
	w.delete(pod)
	return nil
}

func (w *world) Normal(o kinds.Object, reason, message string) {
	w.events = append(w.events, "Normal "+reason+" "+o.GetName()+": "+message)
}

func (w *world) Warning(o kinds.Object, reason, message string) {
	w.events = append(w.events, "Warning "+reason+" "+o.GetName()+": "+message)
}

// put creates or updates a pod.
func (w *world) put(pod *corev1.Pod) {
	old := w.pods[pod.Name]
	w.rev++
	pod.ResourceVersion = fmt.Sprint(w.rev)
	w.pods[pod.Name] = pod
	ev := informer.Event[*corev1.Pod]{Type: informer.Updated, Key: podKey(pod), Old: old, New: pod, Revision: kinds.Revision(w.rev)}
	if old == nil {
		ev.Type = informer.Added
	}
	w.loop.Post(loop.Label{Component: "test"}, func() { w.s.onPod(ev) })
}

func (w *world) delete(name string) {
	old := w.pods[name]
	delete(w.pods, name)
	w.loop.Post(loop.Label{Component: "test"}, func() {
		w.s.onPod(informer.Event[*corev1.Pod]{Type: informer.Deleted, Key: podKey(old), Old: old, New: old})
	})
}

func (w *world) node(n *corev1.Node) {
	ev := informer.Event[*corev1.Node]{Type: informer.Added, Key: kinds.Key{Resource: "nodes", Name: n.Name}, New: n}
	if old := w.s.cache.Node(n.Name); old != nil {
		ev.Type, ev.Old = informer.Updated, old.Node()
	}
	w.s.onNode(ev)
}

// run lets virtual time pass.
func (w *world) run(d time.Duration) { w.loop.Run(w.loop.Now().Add(d)) }

func (w *world) condition(pod string) string {
	for _, c := range w.pods[pod].Status.Conditions {
		if c.Type == corev1.PodScheduled {
			return string(c.Status) + " " + c.Reason + ": " + c.Message
		}
	}
	return ""
}
