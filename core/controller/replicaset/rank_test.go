package replicaset

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func aPod(name string, change ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(name), Labels: map[string]string{"app": "web"}},
	}
	for _, f := range change {
		f(p)
	}
	return p
}

func on(node string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = node } }

func phase(ph corev1.PodPhase) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Status.Phase = ph } }

func made(ago time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.CreationTimestamp = metav1.Time{Time: epoch.Add(-ago)} }
}

func ready(ago time.Duration) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: epoch.Add(-ago)},
		}}
	}
}

func restarted(n int32) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{RestartCount: n}, {RestartCount: 0}}
	}
}

func sidecarRestarted(n int32) func(*corev1.Pod) {
	always := corev1.ContainerRestartPolicyAlways
	return func(p *corev1.Pod) {
		p.Spec.InitContainers = []corev1.Container{{Name: "side", RestartPolicy: &always}, {Name: "init"}}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "side", RestartCount: n}, {Name: "init", RestartCount: 99}}
	}
}

func cost(text string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Annotations = map[string]string{corev1.PodDeletionCost: text} }
}

func running(node string, more ...func(*corev1.Pod)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		for _, f := range append([]func(*corev1.Pod){on(node), phase(corev1.PodRunning)}, more...) {
			f(p)
		}
	}
}

// The pods are in the order in which they are given up.
func TestDeletionOrder(t *testing.T) {
	month, hours8, hours5, hours2 := 30*24*time.Hour, 8*time.Hour, 5*time.Hour, 2*time.Hour
	order := []*corev1.Pod{
		aPod("unscheduled-pending", phase(corev1.PodPending)),
		aPod("scheduled-pending", on("n"), phase(corev1.PodPending)),
		aPod("unknown", on("n"), phase(corev1.PodUnknown)),
		aPod("running-not-ready", running("n")),
		aPod("cheap", running("n", ready(0), cost("-10"))),
		aPod("restarted-5", running("n", ready(hours8), restarted(5), made(hours8)), cost("1")),
		aPod("restarted-2", running("n", ready(hours8), restarted(2), made(hours8)), cost("1")),
		aPod("sidecar-4", running("n", ready(hours8), sidecarRestarted(4), made(hours8)), cost("2")),
		aPod("sidecar-3", running("n", ready(hours8), sidecarRestarted(3), made(hours8)), cost("2")),
		aPod("ready-2h", running("n", ready(hours2), made(month)), cost("3")),
		aPod("ready-5h", running("n", ready(hours5), made(month)), cost("3")),
		aPod("ready-month", running("n", ready(month), made(month)), cost("3")),
		aPod("made-2h", running("n", ready(hours2), made(hours2)), cost("4")),
		aPod("made-month", running("n", ready(hours2), made(month)), cost("4")),
	}
	seed := uint64(7)
	for range 20 {
		shuffled := append([]*corev1.Pod(nil), order...)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got := names(chooseDeletions(shuffled, nil, len(order)-1, epoch))
		if diff := cmp.Diff(names(order[:len(order)-1]), got); diff != "" {
			t.Fatalf("seed %d: order (-want +got):\n%s", seed, diff)
		}
		seed++
	}
}

func TestDeletionPrefersCrowdedNodes(t *testing.T) {
	alone := aPod("alone", running("a", ready(time.Hour)))
	crowded := aPod("crowded", running("b", ready(9*time.Hour)))
	ended := aPod("ended", running("a", phase(corev1.PodSucceeded)))
	related := []*corev1.Pod{alone, crowded, aPod("old", running("b", ready(time.Hour))), ended, ended}
	if got := names(chooseDeletions([]*corev1.Pod{alone, crowded}, related, 1, epoch)); got[0] != "crowded" {
		t.Errorf("got %v, want the pod beside another of the same Deployment", got)
	}
	if got := names(chooseDeletions([]*corev1.Pod{alone, crowded}, nil, 1, epoch)); got[0] != "alone" {
		t.Errorf("without relatives: got %v, want the one ready for less time", got)
	}
}

// Times of one order of magnitude are equal, and the UID decides.
func TestDeletionComparesTimesByMagnitude(t *testing.T) {
	a := aPod("a", running("n", ready(100*time.Second), made(time.Hour)))
	b := aPod("b", running("n", ready(101*time.Second), made(time.Hour)))
	c := aPod("c", running("n", ready(40*time.Second), made(time.Hour)))
	a.UID, b.UID, c.UID = "2", "1", "3"
	got := names(chooseDeletions([]*corev1.Pod{a, b, c}, nil, 2, epoch))
	if diff := cmp.Diff([]string{"c", "b"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestDeletionCost(t *testing.T) {
	for text, want := range map[string]int32{"": 0, "10": 10, "-3": -3, "+10": 0, "008": 0, "0": 0, "x": 0, "99999999999": 0} {
		if got := deletionCost(aPod("p", cost(text))); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func names(list []*corev1.Pod) (out []string) {
	for _, p := range list {
		out = append(out, p.Name)
	}
	return out
}
