package node_test

import (
	"testing"
	"time"

	"terrarium/core/cluster"
)

func TestDeletion(t *testing.T) {
	const (
		server   = `{name: c, image: nginx}`
		sleeper  = `{name: c, image: busybox:1.28, command: [sleep, "3600"]}`
		badImage = `{name: c, image: "nginx:1.161"}`
	)
	tests := []struct {
		name, spec, query string
		least, most       time.Duration
		last              string // state before it is gone
	}{
		{"server", `{containers: [` + server + `]}`, "", 0, time.Second, "Succeeded c=Completed(0)"},
		{"sleeper", `{containers: [` + sleeper + `]}`, "", 30 * time.Second, 31 * time.Second, "Failed c=Error(137)"},
		{"its-own-grace", `{terminationGracePeriodSeconds: 5, containers: [` + sleeper + `]}`, "", 5 * time.Second, 6 * time.Second, "Failed c=Error(137)"},
		{"the-request-s-grace", `{containers: [` + sleeper + `]}`, "?gracePeriodSeconds=10", 10 * time.Second, 11 * time.Second, "Failed c=Error(137)"},
		{"forced", `{containers: [` + sleeper + `]}`, "?gracePeriodSeconds=0", 0, 0, "Running c=Ready"},
		{"never-ran", `{containers: [` + badImage + `]}`, "", 0, time.Second, ""},
	}
	w := newWorld(t, cluster.Config{Nodes: 1})
	for _, tt := range tests {
		w.run(tt.name, tt.spec)
	}
	w.advance(8 * time.Second)
	for _, tt := range tests {
		w.serve("DELETE", pods+"/"+tt.name+tt.query, "", "")
		took := w.until(time.Minute, tt.name+" is gone", func() bool { return !w.exists("pods", "default", tt.name) })
		if took < tt.least || took > tt.most {
			t.Errorf("%s: gone after %v, want %v to %v", tt.name, took, tt.least, tt.most)
		}
		h := w.history[tt.name]
		if tt.last != "" && h[len(h)-2] != tt.last {
			t.Errorf("%s: got %v, want %q before the end", tt.name, h, tt.last)
		}
	}
	check(t, "events", []string{"Killing: Stopping container c"}, w.events("server", "Scheduled", "Pulling", "Pulled", "Created", "Started"))
}

func TestDeletedWhileItStarts(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	for step := 50 * time.Millisecond; step < 4*time.Second; step += 250 * time.Millisecond {
		w.run("web", `{containers: [{name: c, image: nginx, imagePullPolicy: Always}]}`)
		w.advance(step)
		w.serve("DELETE", pods+"/web", "", "")
		w.until(2*time.Second, "it is gone", func() bool { return !w.exists("pods", "default", "web") })
	}
	w.advance(time.Minute)
	w.run("last", `{containers: [{name: c, image: nginx}]}`)
	w.running("last")
}

func TestForceAfterGraceful(t *testing.T) {
	w := newWorld(t, cluster.Config{Nodes: 1})
	w.run("slow", `{terminationGracePeriodSeconds: 600, containers: [{name: c, image: busybox:1.28, command: [sleep, "3600"]}]}`)
	w.running("slow")
	w.serve("DELETE", pods+"/slow", "", "")
	w.advance(10 * time.Second)
	w.serve("DELETE", pods+"/slow?gracePeriodSeconds=5", "", "")
	if took := w.until(time.Minute, "it is gone", func() bool { return !w.exists("pods", "default", "slow") }); took > 6*time.Second {
		t.Errorf("gone after %v, want 5s", took)
	}
}
