package nodelifecycle

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(d time.Duration) metav1.Time { return metav1.Time{Time: epoch.Add(d)} }

func aNode(conditions ...corev1.NodeCondition) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "n", CreationTimestamp: at(0), Labels: map[string]string{}},
		Status:     corev1.NodeStatus{Conditions: conditions},
	}
}

func ready(status corev1.ConditionStatus, heartbeat time.Duration) corev1.NodeCondition {
	return corev1.NodeCondition{Type: corev1.NodeReady, Status: status, LastHeartbeatTime: at(heartbeat), Reason: "KubeletReady"}
}

func aLease(renewed time.Duration) *coordinationv1.Lease {
	t := metav1.MicroTime{Time: epoch.Add(renewed)}
	return &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{RenewTime: &t}}
}

func TestObserve(t *testing.T) {
	seen := &health{probed: epoch, ready: &corev1.NodeCondition{LastHeartbeatTime: at(0)}, lease: aLease(0)}
	tests := []struct {
		name   string
		was    *health
		node   *corev1.Node
		lease  *coordinationv1.Lease
		now    time.Duration
		silent bool
		probed time.Duration
	}{
		{"first seen, however old its heartbeat", nil, aNode(ready("True", -time.Hour)), nil, time.Minute, false, time.Minute},
		{"never posted a status: 60 s from its creation", nil, aNode(), nil, time.Minute, false, 0},
		{"and then it is silent", nil, aNode(), nil, time.Minute + 1, true, 0},
		{"50 s of silence are allowed", seen, aNode(ready("True", 0)), aLease(0), 50 * time.Second, false, 0},
		{"more are not", seen, aNode(ready("True", 0)), aLease(0), 50*time.Second + 1, true, 0},
		{"a heartbeat", seen, aNode(ready("True", 40*time.Second)), aLease(0), time.Minute, false, time.Minute},
		{"a renewed lease will do", seen, aNode(ready("True", 0)), aLease(10 * time.Second), time.Minute, false, time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, silent := observe(tt.was, tt.node, tt.lease, epoch.Add(tt.now))
			if silent != tt.silent || !h.probed.Equal(epoch.Add(tt.probed)) {
				t.Errorf("got silent %v, last sign at %v; want %v, %v", silent, h.probed.Sub(epoch), tt.silent, tt.probed)
			}
		})
	}
}

func TestSilentConditions(t *testing.T) {
	pressure := corev1.NodeCondition{Type: corev1.NodeMemoryPressure, Status: "Unknown", Reason: "kept", LastTransitionTime: at(1)}
	network := corev1.NodeCondition{Type: corev1.NodeNetworkUnavailable, Status: "False"}
	node := aNode(ready("True", 0), pressure, network)
	got := silentConditions(node, at(time.Minute))
	unknown := func(c corev1.NodeConditionType, reason, message string) corev1.NodeCondition {
		return corev1.NodeCondition{Type: c, Status: "Unknown", Reason: reason, Message: message, LastHeartbeatTime: at(0), LastTransitionTime: at(time.Minute)}
	}
	want := []corev1.NodeCondition{
		unknown(corev1.NodeReady, "NodeStatusUnknown", "Kubelet stopped posting node status."), pressure, network,
		unknown(corev1.NodeDiskPressure, "NodeStatusNeverUpdated", "Kubelet never posted node status."),
		unknown(corev1.NodePIDPressure, "NodeStatusNeverUpdated", "Kubelet never posted node status."),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	if node.Status.Conditions[0].Status != "True" {
		t.Error("the cached node was changed")
	}
}

func keys(taints []corev1.Taint) (out []string) {
	for _, t := range taints {
		out = append(out, t.Key)
	}
	return out
}

func TestSchedulingTaints(t *testing.T) {
	tainted := func(n *corev1.Node, keys ...string) *corev1.Node {
		for _, k := range keys {
			n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: k, Effect: corev1.TaintEffectNoSchedule})
		}
		return n
	}
	cordoned := aNode(ready("True", 0))
	cordoned.Spec.Unschedulable = true
	tests := []struct {
		name        string
		node        *corev1.Node
		add, remove []string
	}{
		{"ready", aNode(ready("True", 0)), nil, nil},
		{"not ready", aNode(ready("False", 0)), []string{"node.kubernetes.io/not-ready"}, nil},
		{"unknown after not ready", tainted(aNode(ready("Unknown", 0)), "node.kubernetes.io/not-ready"),
			[]string{"node.kubernetes.io/unreachable"}, []string{"node.kubernetes.io/not-ready"}},
		{"under pressure", aNode(ready("True", 0), corev1.NodeCondition{Type: corev1.NodeMemoryPressure, Status: "True"}),
			[]string{"node.kubernetes.io/memory-pressure"}, nil},
		{"cordoned", cordoned, []string{"node.kubernetes.io/unschedulable"}, nil},
		{"cordoned and tainted", tainted(cordoned.DeepCopy(), "node.kubernetes.io/unschedulable"), nil, nil},
		{"uncordoned", tainted(aNode(ready("True", 0)), "node.kubernetes.io/unschedulable"), nil, []string{"node.kubernetes.io/unschedulable"}},
		{"a person's taint", tainted(aNode(ready("True", 0)), "dedicated"), nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			add, remove := schedulingTaints(tt.node)
			if diff := cmp.Diff([][]string{tt.add, tt.remove}, [][]string{keys(add), keys(remove)}); diff != "" {
				t.Errorf("add and remove (-want +got):\n%s", diff)
			}
			next, changed := editTaints(tt.node, add, remove, at(0))
			if again, more := schedulingTaints(next); len(again)+len(more) > 0 || changed != (len(add)+len(remove) > 0) {
				t.Errorf("after the edit: add %v, remove %v, changed %v", again, more, changed)
			}
		})
	}
}

func TestStateOfZone(t *testing.T) {
	for _, tt := range []struct {
		ready, notReady int
		want            zoneState
	}{
		{3, 0, zoneNormal}, {2, 1, zoneNormal}, {0, 1, zoneFull}, {1, 2, zoneNormal}, {2, 3, zonePartial}, {3, 3, zoneNormal}, {0, 0, zoneNormal},
	} {
		if got := stateOf(tt.ready, tt.notReady); got != tt.want {
			t.Errorf("%d ready, %d not: got %s, want %s", tt.ready, tt.notReady, got, tt.want)
		}
	}
	if rateOf(zonePartial, 50) != 0 || rateOf(zonePartial, 51) != 0.01 || rateOf(zoneFull, 9) != 0.1 || rateOf(zoneNormal, 9) != 0.1 {
		t.Error("rates are not upstream's")
	}
}

func TestBucket(t *testing.T) {
	z := newZone(epoch)
	b := &z.limit
	take := func(after time.Duration, want bool) {
		t.Helper()
		if got := b.take(epoch.Add(after)); got != want {
			t.Errorf("after %v: got %v", after, got)
		}
	}
	take(0, true)
	take(0, false)
	if wait, ok := b.wait(epoch.Add(4 * time.Second)); !ok || wait.Round(time.Millisecond) != 6*time.Second {
		t.Errorf("wait: got %v, %v", wait, ok)
	}
	take(10*time.Second+1, true)
	b.setRate(0, epoch.Add(time.Hour))
	take(2*time.Hour, false)
	if _, ok := b.wait(epoch.Add(2 * time.Hour)); ok {
		t.Error("there will never be a token")
	}
	b.setRate(0.1, epoch.Add(2*time.Hour))
	take(2*time.Hour+9*time.Second, false)
	take(2*time.Hour+11*time.Second, true)
}

func TestZoneQueue(t *testing.T) {
	z := newZone(epoch)
	for _, n := range []string{"a", "b", "a", "c"} {
		z.add(n)
	}
	z.remove("b")
	if diff := cmp.Diff([]string{"a", "c"}, z.queue); diff != "" {
		t.Errorf("queue (-want +got):\n%s", diff)
	}
}

func TestZoneKey(t *testing.T) {
	n := aNode()
	if got := zoneKey(n); got != "" {
		t.Errorf("got %q", got)
	}
	n.Labels[corev1.LabelTopologyZone], n.Labels[corev1.LabelTopologyRegion] = "z", "r"
	if got := zoneKey(n); got != "r:\x00:z" {
		t.Errorf("got %q", got)
	}
}

func TestUnready(t *testing.T) {
	pod := &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: "True", Reason: "r"}}}}
	next, ok := unready(pod, at(5))
	if c := next.Status.Conditions[0]; !ok || c.Status != "False" || c.Reason != "r" || c.LastTransitionTime != at(5) || pod.Status.Conditions[0].Status != "True" {
		t.Errorf("got %+v, %v", c, ok)
	}
	if _, ok := unready(next, at(9)); ok {
		t.Error("twice is not needed")
	}
	if _, ok := unready(&corev1.Pod{}, at(9)); ok {
		t.Error("a pod that was never ready stays as it is")
	}
}

func TestMissingLabels(t *testing.T) {
	n := aNode()
	n.Labels = map[string]string{corev1.LabelOSStable: "linux", corev1.LabelArchStable: "arm64", "beta.kubernetes.io/arch": "amd64"}
	want := map[string]string{"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "arm64"}
	if diff := cmp.Diff(want, missingLabels(n)); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if got := missingLabels(aNode()); got != nil {
		t.Errorf("got %v", got)
	}
}
