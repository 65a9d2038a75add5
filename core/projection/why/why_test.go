package why_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/kinds/all"
	"terrarium/core/projection/internal/history"
	"terrarium/core/projection/why"
	"terrarium/core/trace"
)

func teller(h *history.History) *why.Teller { return why.New(h.Trace, all.Registry(), h.Get) }

func sentences(t *why.Teller, key kinds.Key) (said []string) {
	for _, s := range t.Explain(key).Sentences {
		said = append(said, s.Text)
	}
	return said
}

func TestExplain(t *testing.T) {
	tests := []struct {
		name string
		make func(h *history.History)
		keep int
		key  kinds.Key
		want []string
	}{
		{
			name: "from the request to the running pod",
			make: func(h *history.History) { h.Rollout("web", 2) },
			key:  history.Pod("web-5d9c-1"),
			want: []string{
				"admin created Deployment web.",
				"deployment-controller created ReplicaSet web-5d9c, because Deployment web was created by admin.",
				"replicaset-controller created Pod web-5d9c-1, because ReplicaSet web-5d9c was created by deployment-controller.",
				"default-scheduler changed Pod web-5d9c-1: bound to node-2, because Pod web-5d9c-1 was created by replicaset-controller.",
				"kubelet on node-2 changed Pod web-5d9c-1: now Running (image pulled).",
			},
		},
		{
			name: "the newest of one name only",
			make: func(h *history.History) {
				pod := history.Pod("p")
				for range 2 {
					h.Span("admin", trace.Request, pod, nil, func(*trace.Span) { h.Write("create", pod, &corev1.Pod{}) })
					h.Span("admin", trace.Request, pod, nil, func(*trace.Span) { h.Write("delete", pod, nil) })
				}
			},
			key:  history.Pod("p"),
			want: []string{"admin created Pod p.", "admin deleted Pod p."},
		},
		{
			name: "what a controller found when it first listed",
			make: func(h *history.History) {
				var applied trace.Trigger
				h.Span("admin", trace.Request, history.Deployment("web"), nil, func(*trace.Span) {
					applied = h.Write("create", history.Deployment("web"), &appsv1.Deployment{})
				})
				found := trace.Trigger{Key: applied.Key, Revision: applied.Revision, Type: "SYNC"}
				h.Span("deployment-controller", trace.Reconcile, applied.Key, []trace.Trigger{found}, func(*trace.Span) {
					h.Write("create", history.ReplicaSet("web-1"), &appsv1.ReplicaSet{})
				})
			},
			key: history.ReplicaSet("web-1"),
			want: []string{
				"admin created Deployment web.",
				"deployment-controller created ReplicaSet web-1, because Deployment web was created by admin.",
			},
		},
		{
			name: "owners stand in for what was dropped",
			make: func(h *history.History) {
				h.Rollout("web", 1)
				for range 100 {
					h.Heartbeat("node-1")
				}
			},
			keep: 10,
			key:  history.Pod("web-5d9c-0"),
			want: []string{"Deployment web owns ReplicaSet web-5d9c.", "ReplicaSet web-5d9c owns Pod web-5d9c-0."},
		},
		{
			name: "nothing known",
			make: func(*history.History) {},
			key:  history.Pod("x"),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := history.New(tt.keep)
			tt.make(h)
			if d := cmp.Diff(tt.want, sentences(teller(h), tt.key)); d != "" {
				t.Errorf("sentences (-want +got):\n%s", d)
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	h := history.New(0)
	pod := func(name string) kinds.Key { return history.Pod(name) }
	tests := []struct {
		name string
		work func(s *trace.Span)
		want string
	}{
		{"one", func(*trace.Span) { h.Write("create", pod("a"), &corev1.Pod{}) }, "created Pod a"},
		{"several of a kind", func(*trace.Span) {
			h.Write("create", pod("b"), &corev1.Pod{})
			h.Write("create", pod("c"), &corev1.Pod{})
			h.Write("create", pod("d"), &corev1.Pod{})
		}, "created 3 Pods"},
		{"of several kinds", func(*trace.Span) {
			h.Write("delete", pod("b"), nil)
			h.Write("create", kinds.Key{Resource: "configmaps", Namespace: "team-a", Name: "cfg"}, &corev1.ConfigMap{})
		}, "deleted Pod b and created ConfigMap team-a/cfg"},
		{"refused", func(*trace.Span) {
			h.Trace.Write(trace.Write{Verb: "update", Key: pod("c"), Err: "the object has been modified\nstack"})
		}, "could not update Pod c: the object has been modified"},
		{"dry run", func(*trace.Span) { h.Trace.Write(trace.Write{Verb: "create", Key: pod("x")}) }, "looked at Pod worked-on and had nothing to do"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := h.Span("c", trace.Reconcile, pod("worked-on"), nil, tt.work)
			if got := teller(h).Describe(s); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
