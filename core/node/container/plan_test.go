package container

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/loop"
	"terrarium/core/node/image"
)

func find(t *testing.T, name string) image.Image {
	t.Helper()
	img, err := image.NewCatalogue().Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestPlan(t *testing.T) {
	sh := func(script string) []string { return []string{"sh", "-c", script} }
	forever := plan{stops: -1}
	ends := func(d time.Duration, code int32) plan { return plan{exits: true, runs: d, code: code, stops: -1} }
	server := plan{stops: 50 * time.Millisecond}
	tests := []struct {
		name, image   string
		command, args []string
		want          plan
	}{
		{"a server", "nginx", nil, nil, server},
		{"a server with arguments", "nginx", nil, []string{"-g", "daemon off;"}, server},
		{"a shell without a terminal", "busybox", nil, nil, ends(0, 0)},
		{"hello-world", "hello-world", nil, nil, plan{exits: true, stops: 10 * time.Millisecond}},
		{"sleep", "busybox", []string{"sleep", "3600"}, nil, ends(time.Hour, 0)},
		{"sleep as arguments", "busybox", nil, []string{"sleep", "1m"}, ends(time.Minute, 0)},
		{"sleep over a server", "nginx", []string{"sleep"}, []string{"5"}, ends(5*time.Second, 0)},
		{"sleep for ever", "busybox", []string{"sleep", "infinity"}, nil, plan{stops: -1}},
		{"sleep nonsense", "busybox", []string{"sleep", "x"}, nil, ends(0, 1)},
		{"path", "busybox", []string{"/bin/false"}, nil, ends(0, 1)},
		{"script", "busybox", sh("echo hello; sleep 2 && exit 3"), nil, ends(2*time.Second, 3)},
		{"script in args", "busybox", []string{"/bin/sh"}, []string{"-c", "sleep 2\nsleep 3"}, ends(5*time.Second, 0)},
		{"and after a failure", "busybox", sh("false && sleep 10"), nil, ends(0, 1)},
		{"or after a failure", "busybox", sh("false || sleep 10"), nil, ends(10*time.Second, 0)},
		{"or after success", "busybox", sh("true || exit 1"), nil, ends(0, 0)},
		{"quotes", "busybox", sh(`echo "a; exit 4"; sleep 1`), nil, ends(time.Second, 0)},
		{"loop", "busybox", sh("while true; do date; sleep 5; done"), nil, forever},
		{"waiting for a service", "busybox", sh("until nslookup db; do sleep 2; done"), nil, forever},
		{"exec", "busybox", sh("exec sleep 7"), nil, ends(7*time.Second, 0)},
		{"a program", "python:3", []string{"python", "app.py"}, nil, forever},
		{"exit with a word", "busybox", sh("exit x"), nil, ends(0, 2)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := planOf(Spec{Image: find(t, tt.image), Container: &corev1.Container{Command: tt.command, Args: tt.args}})
			got.stopped = Exit{}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(plan{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStop(t *testing.T) {
	tests := []struct {
		name, image string
		command     []string
		stops       []time.Duration // Stop is called a second apart with these
		after       time.Duration   // the first Stop, it ends
		code        int32
	}{
		{"a server that listens", "nginx", nil, []time.Duration{30 * time.Second}, 50 * time.Millisecond, 0},
		{"a slow one", "redis", nil, []time.Duration{30 * time.Second}, time.Second, 0},
		{"slower than its grace", "redis", nil, []time.Duration{500 * time.Millisecond}, 500 * time.Millisecond, 137},
		{"one that does not listen", "busybox", []string{"sleep", "3600"}, []time.Duration{30 * time.Second}, 30 * time.Second, 137},
		{"one that ends meanwhile", "busybox", []string{"sleep", "5"}, []time.Duration{30 * time.Second}, 5 * time.Second, 0},
		{"less grace the second time", "busybox", []string{"sleep", "3600"}, []time.Duration{30 * time.Second, 2 * time.Second}, 3 * time.Second, 137},
		{"more grace the second time", "busybox", []string{"sleep", "3600"}, []time.Duration{2 * time.Second, 30 * time.Second}, 2 * time.Second, 137},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := loop.New(time.Unix(0, 0), 1)
			var ended time.Duration
			var exits []Exit
			p := NewSimple(l).Start(Spec{Pod: &corev1.Pod{}, Image: find(t, tt.image), Container: &corev1.Container{Command: tt.command}}, func(e Exit) {
				ended, exits = l.Now().Sub(time.Unix(0, 0)), append(exits, e)
			})
			for i, grace := range tt.stops {
				l.Run(time.Unix(int64(i), 0))
				p.Stop(grace)
			}
			l.Run(time.Unix(7200, 0))
			if len(exits) != 1 || ended != tt.after || exits[0].Code != tt.code {
				t.Errorf("got %v after %v, want one exit %d after %v", exits, ended, tt.code, tt.after)
			}
		})
	}
}
