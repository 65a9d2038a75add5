package kubelet

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestBackoffDoubles(t *testing.T) {
	var b backoff
	now := time.Unix(0, 0)
	var got []time.Duration
	for range 8 { // it runs for a second and crashes, again and again
		now = now.Add(time.Second)
		failed := now
		at := b.until(failed, now)
		if at.IsZero() {
			got = append(got, 0)
		} else {
			got = append(got, at.Sub(failed))
			now = at
		}
		b.next(failed, now)
	}
	s := time.Second
	if diff := cmp.Diff([]time.Duration{0, 10 * s, 20 * s, 40 * s, 80 * s, 160 * s, 300 * s, 300 * s}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if at := b.until(now.Add(601*s), now.Add(601*s)); !at.IsZero() {
		t.Errorf("after ten minutes without a failure it waits until %v", at)
	}
	b.next(now.Add(601*s), now.Add(601*s))
	if b.delay != 10*s {
		t.Errorf("after ten minutes without a failure the delay is %v, want 10s", b.delay)
	}
}

func TestDelayIsRecalled(t *testing.T) {
	s := time.Second
	for waited, want := range map[time.Duration]time.Duration{
		0: 10 * s, 4 * s: 10 * s, 10 * s: 20 * s, 13 * s: 20 * s, 22 * s: 40 * s, 160 * s: 300 * s, 300 * s: 300 * s, time.Hour: 300 * s,
	} {
		if got := longerThan(waited); got != want {
			t.Errorf("after a wait of %v: got %v, want %v", waited, got, want)
		}
	}
	if got := announced("back-off 1m20s restarting failed container=a pod=b"); got != 80*s {
		t.Errorf("got %v, want 1m20s", got)
	}
}

func TestAddresses(t *testing.T) {
	a := newAddresses("10.244.3.0/29")
	var got []string
	for range 6 {
		ip, _ := a.take()
		got = append(got, ip)
	}
	// .0 is the network, .1 the node's bridge, .7 for broadcast.
	if diff := cmp.Diff([]string{"10.244.3.2", "10.244.3.3", "10.244.3.4", "10.244.3.5", "10.244.3.6", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	a.free("10.244.3.4")
	if ip, ok := a.take(); ip != "10.244.3.4" || !ok {
		t.Errorf("got %q, want the freed one", ip)
	}
	a.free("10.244.3.2")
	a.keep("10.244.3.2")
	if ip, ok := a.take(); ok {
		t.Errorf("got %q, which is kept", ip)
	}
	if _, ok := newAddresses("").take(); ok {
		t.Error("an address without a CIDR")
	}
}

func TestCapacity(t *testing.T) {
	list := func(kv ...string) corev1.ResourceList {
		out := corev1.ResourceList{}
		for i := 0; i < len(kv); i += 2 {
			out[corev1.ResourceName(kv[i])] = resource.MustParse(kv[i+1])
		}
		return out
	}
	tests := []struct {
		name                  string
		capacity, allocatable corev1.ResourceList
		want                  corev1.ResourceList // allocatable
	}{
		{"nothing said", nil, nil, list("cpu", "4", "memory", "8Gi", "pods", "110", "ephemeral-storage", "100Gi")},
		{"capacity", list("cpu", "1", "pods", "1000"), nil, list("cpu", "1", "memory", "8Gi", "pods", "1000", "ephemeral-storage", "100Gi")},
		{"less is allocatable", nil, list("cpu", "3500m"), list("cpu", "3500m", "memory", "8Gi", "pods", "110", "ephemeral-storage", "100Gi")},
		{"more than there is", nil, list("cpu", "64"), list("cpu", "4", "memory", "8Gi", "pods", "110", "ephemeral-storage", "100Gi")},
	}
	for _, tt := range tests {
		got := Allocatable(&corev1.NodeStatus{Capacity: tt.capacity, Allocatable: tt.allocatable})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestProbeTimes(t *testing.T) {
	probe := func(delay, period, success int32) *corev1.Probe {
		return &corev1.Probe{InitialDelaySeconds: delay, PeriodSeconds: period, SuccessThreshold: success}
	}
	s := time.Second
	tests := []struct {
		name      string
		c         corev1.Container
		up, ready time.Duration
	}{
		{"no probes", corev1.Container{}, 0, 0},
		{"readiness", corev1.Container{ReadinessProbe: probe(5, 10, 1)}, 0, 5 * s},
		{"readiness twice", corev1.Container{ReadinessProbe: probe(5, 10, 3)}, 0, 25 * s},
		{"startup", corev1.Container{StartupProbe: probe(20, 10, 1)}, 20 * s, 20 * s},
		{"readiness after startup", corev1.Container{StartupProbe: probe(20, 10, 1), ReadinessProbe: probe(5, 10, 1)}, 20 * s, 20 * s},
	}
	for _, tt := range tests {
		if up, ready := upAfter(&tt.c), readyAfter(&tt.c); up != tt.up || ready != tt.ready {
			t.Errorf("%s: got %v, %v, want %v, %v", tt.name, up, ready, tt.up, tt.ready)
		}
	}
}
