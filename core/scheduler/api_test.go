package scheduler_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/apiserver"
	"terrarium/core/client"
	"terrarium/core/client/record"
	"terrarium/core/informer"
	"terrarium/core/kinds"
	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
	"terrarium/core/loop"
	"terrarium/core/scheduler"
	"terrarium/core/scheduler/schedtest"
	"terrarium/core/store"
	"terrarium/core/trace"
)

// An installation is a scheduler with a real store, API server, client and informers, and nothing else.
type installation struct {
	t      testing.TB
	loop   *loop.Loop
	trace  *trace.Recorder
	client *client.Client
	s      *scheduler.Scheduler
}

func install(t testing.TB, profile profile) *installation {
	t.Helper()
	i := &installation{t: t, loop: loop.New(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 1)}
	i.trace = trace.NewRecorder(i.loop, trace.Config{})
	reg := all.Registry()
	api := apiserver.New(apiserver.Config{
		Loop: i.loop, Trace: i.trace, Store: store.New(store.Config{CheckMutation: profile.check}), Kinds: reg, Codec: codec.New(reg),
		Latency: profile.api,
	})
	i.client = client.New(api, "admin")
	informers := informer.NewFactory(informer.Config{
		Name: "kube-scheduler", Loop: i.loop, Latency: profile.watch,
	}, i.client)
	s, err := scheduler.New(scheduler.Deps{
		Loop: i.loop, Trace: i.trace, Client: i.client, Informers: informers,
		Recorder: record.New(i.loop, i.client, scheduler.Component, ""),
		Latency:  profile.schedule,
	})
	if err != nil {
		t.Fatal(err)
	}
	i.s = s
	must(t)(i.client.Namespaces().Create(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}))
	must(t)(i.client.ServiceAccounts().Create(&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "default"}}))
	informers.Start()
	return i
}

// A profile says how long things take.
type profile struct {
	check                bool
	api, watch, schedule loop.Range
}

// realistic is what a cluster feels like.
func realistic() profile {
	return profile{
		check: true, api: loop.Range{Min: time.Millisecond, Max: 5 * time.Millisecond},
		watch: loop.Range{Min: time.Millisecond, Max: 10 * time.Millisecond}, schedule: loop.Range{Min: 5 * time.Millisecond, Max: 20 * time.Millisecond},
	}
}

func must(t testing.TB) func(any, error) {
	return func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (i *installation) node(name string, can ...string) {
	i.t.Helper()
	if can == nil {
		can = []string{"cpu", "4", "memory", "8Gi", "pods", "110"}
	}
	n := schedtest.Node(name).Obj()
	n.UID = ""
	made, err := i.client.Nodes().Create(n)
	must(i.t)(made, err)
	next := *made
	next.Status = corev1.NodeStatus{Allocatable: schedtest.Resources(can...)}
	made, err = i.client.Nodes().UpdateStatus(&next)
	must(i.t)(made, err)
	ready := *made // no one else takes the taint of a node that is not ready away
	ready.Spec.Taints = nil
	must(i.t)(i.client.Nodes().Update(&ready))
}

func (i *installation) pod(b schedtest.PodBuilder) {
	i.t.Helper()
	must(i.t)(i.client.Pods().Create(b.With(func(p *corev1.Pod) {
		p.UID = ""
		for c := range p.Spec.Containers {
			p.Spec.Containers[c].Image = "nginx"
		}
	}).Obj()))
}

func (i *installation) get(name string) *corev1.Pod {
	i.t.Helper()
	p, err := i.client.Pods().Get("default", name)
	must(i.t)(p, err)
	return p
}

func (i *installation) run(d time.Duration) { i.loop.Run(i.loop.Now().Add(d)) }

func (i *installation) events() []string {
	list, _, err := i.client.Events().List("", nil)
	must(i.t)(list, err)
	var out []string
	for _, e := range list {
		out = append(out, e.Type+" "+e.Reason+" "+e.InvolvedObject.Name+" "+e.Source.Component+": "+e.Message)
	}
	return out
}

func TestSchedulerOverTheAPI(t *testing.T) {
	i := install(t, realistic())
	i.pod(schedtest.Pod("early").Container("cpu", "1"))
	i.run(time.Second)
	early := i.get("early")
	if c := early.Status.Conditions; len(c) != 1 || c[0].Type != corev1.PodScheduled || c[0].Status != corev1.ConditionFalse ||
		c[0].Reason != "Unschedulable" || c[0].Message != "no nodes available to schedule pods" || c[0].LastTransitionTime.IsZero() {
		t.Errorf("conditions: %+v", c)
	}
	i.node("node-1")
	i.run(10 * time.Second)
	early = i.get("early")
	if early.Spec.NodeName != "node-1" || early.Status.Conditions[0].Status != corev1.ConditionTrue {
		t.Errorf("got node %q, conditions %+v", early.Spec.NodeName, early.Status.Conditions)
	}
	want := []string{
		"Normal Scheduled early default-scheduler: Successfully assigned default/early to node-1",
		"Warning FailedScheduling early default-scheduler: no nodes available to schedule pods",
	}
	got := i.events()
	if diff := cmp.Diff(map[string]bool{want[0]: true, want[1]: true}, set(got)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	d := i.s.LastDecision(early.UID)
	if d == nil || d.Outcome != scheduler.Scheduled || d.Node != "node-1" {
		t.Errorf("decision: %+v", d)
	}
}

func set(list []string) map[string]bool {
	m := map[string]bool{}
	for _, s := range list {
		m[s] = true
	}
	return m
}

func TestWritesBelongToTheirSpan(t *testing.T) {
	i := install(t, realistic())
	i.node("node-1")
	i.run(time.Second)
	i.pod(schedtest.Pod("p").Container("cpu", "1"))
	i.pod(schedtest.Pod("big").Container("cpu", "9"))
	i.run(time.Second)
	writes := map[string][]string{}
	for _, s := range i.trace.Spans(0) {
		if s.Kind != trace.Schedule {
			continue
		}
		for _, w := range s.Writes {
			writes[s.Key.Name] = append(writes[s.Key.Name], w.Verb+" "+w.Key.Resource+" "+w.Subresource)
		}
		if len(s.Triggers) == 0 || s.Triggers[0].Key != (kinds.Key{Resource: "pods", Namespace: "default", Name: s.Key.Name}) {
			t.Errorf("%s: triggers %+v", s.Key, s.Triggers)
		}
	}
	want := map[string][]string{
		"p":   {"bind pods binding", "create events "},
		"big": {"create events ", "patch pods status"},
	}
	if diff := cmp.Diff(want, writes); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func TestPreemptionOverTheAPI(t *testing.T) {
	i := install(t, realistic())
	i.node("node-1")
	i.pod(schedtest.Pod("low").Container("cpu", "3"))
	i.run(time.Second)
	must(t)(client.Of[*schedulingv1.PriorityClass](i.client, "priorityclasses.scheduling.k8s.io").Create(
		&schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "important"}, Value: 1000}))
	i.pod(schedtest.Pod("high").Container("cpu", "3").With(func(p *corev1.Pod) { p.Spec.PriorityClassName = "important" }))
	i.run(time.Second)
	high := i.get("high")
	if high.Status.NominatedNodeName != "node-1" {
		t.Fatalf("nominated: %q, condition %+v", high.Status.NominatedNodeName, high.Status.Conditions)
	}
	if low, err := i.client.Pods().Get("default", "low"); err == nil {
		if low.DeletionTimestamp == nil {
			t.Fatal("the victim is not being deleted")
		}
		none := int64(0) // what its kubelet would do
		if err := i.client.Pods().Delete("default", "low", metav1.DeleteOptions{GracePeriodSeconds: &none}); err != nil {
			t.Fatal(err)
		}
	}
	i.run(time.Second)
	if high = i.get("high"); high.Spec.NodeName != "node-1" {
		t.Errorf("high is on %q: %+v", high.Spec.NodeName, high.Status)
	}
}

// The name of a decided pod may have gone to another pod meanwhile.
func TestBindChecksUID(t *testing.T) {
	i := install(t, realistic())
	i.pod(schedtest.Pod("p").Container())
	old := i.get("p")
	none := int64(0)
	if err := i.client.Pods().Delete("default", "p", metav1.DeleteOptions{GracePeriodSeconds: &none}); err != nil {
		t.Fatal(err)
	}
	i.pod(schedtest.Pod("p").Container())
	if err := i.client.Bind(old, "node-1"); err == nil {
		t.Error("another pod was bound")
	}
}

// BenchmarkScheduleOverTheAPI schedules pods from their creation through the API to the watch that shows them
// bound.
func BenchmarkScheduleOverTheAPI(b *testing.B) {
	for _, nodes := range []int{10, 100, 1000} {
		b.Run(strconv.Itoa(nodes)+"nodes", func(b *testing.B) {
			i := install(b, profile{})
			for n := range nodes {
				i.node("node-"+strconv.Itoa(n), "cpu", "100000", "memory", "100Ti", "pods", "1000000")
			}
			i.run(time.Second)
			made := 0
			for b.Loop() {
				i.pod(schedtest.Pod("p"+strconv.Itoa(made)).Container("cpu", "10m", "memory", "1Mi"))
				made++
				i.run(0)
			}
			if d := i.s.LastDecision(i.get("p0").UID); d == nil || d.Outcome != scheduler.Scheduled {
				b.Fatalf("decision %+v", d)
			}
			b.ReportMetric(float64(made)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}
