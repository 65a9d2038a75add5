package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"terrarium/core/apiserver"
	"terrarium/core/apply"
	"terrarium/core/cluster"
)

var runs = flag.Int("runs", 100, "how many seeds TestSameHistory compares")

// A side is where a scenario can be played.
type side interface {
	apply(yaml string) object
	request(method, path string, body any) (status int, answer object)
	advance(d time.Duration)
	hash() string
}

// TestSameHistory plays one scenario with many seeds natively and in the browser: the trace, which covers
// every commit and every span with their times, must be the same. Every other seed plays without a SharedWorker.
func TestSameHistory(t *testing.T) {
	needBrowser(t)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	hashes := make(map[string]bool)
	for seed := range *runs {
		want := playOut(newNative(t, uint64(seed), start))
		if again := playOut(newNative(t, uint64(seed), start)); again != want {
			t.Fatalf("seed %d: natively the trace hash is %s, then %s", seed, want, again)
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p := open(t, options{fallback: seed%2 == 1, query: fmt.Sprintf("?seed=%d&start=%s&paused=1", seed, start.Format(time.RFC3339))})
			if got := playOut(p); got != want {
				t.Errorf("seed %d: the trace hash is %s in the browser, %s natively", seed, got, want)
			}
		})
		hashes[want] = true
	}
	if *runs > 1 && len(hashes) == 1 {
		t.Error("every seed gives the same history")
	}
}

// playOut plays the scenario and returns the trace's hash.
func playOut(s side) string {
	s.apply(nginx)
	s.advance(15 * time.Second)
	s.request("PATCH", deployment+"/scale", object{"spec": object{"replicas": 5}})
	s.advance(20 * time.Second)
	_, list := s.request("GET", "/api/v1/namespaces/default/pods", nil)
	for _, pod := range list.items()[:2] {
		s.request("DELETE", "/api/v1/namespaces/default/pods/"+pod.text("metadata", "name"), nil)
	}
	s.advance(3 * time.Second)
	s.apply(strings.Replace(nginx, "1.7.9", "1.9.1", 1))
	s.advance(30 * time.Second)
	s.request("PATCH", "/api/v1/nodes/node-2", object{"metadata": object{"annotations": object{"terrarium.dev/power": "off"}}})
	s.advance(7 * time.Minute)
	return s.hash()
}

func (p *tab) hash() (hash string) {
	p.Helper()
	p.eval("terrarium.traceHash()", &hash)
	return hash
}

// native plays on a cluster in this process, built as wasm/cluster builds it.
type native struct {
	testing.TB
	cluster *cluster.Cluster
	applier *apply.Applier
}

func newNative(t testing.TB, seed uint64, start time.Time) *native {
	t.Helper()
	c := cluster.New(cluster.Config{Seed: seed, Start: start, Nodes: 3})
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	c.Clock.Pause()
	applier := apply.New(apply.Config{Kinds: c.Kinds, Codec: c.Codec, User: cluster.Admin, Write: c.Serve, Read: c.API.ServeREST})
	return &native{t, c, applier}
}

func (n *native) apply(yaml string) object {
	n.Helper()
	if answer := n.applier.Apply(apply.Request{Text: yaml}); len(answer.Errors) > 0 {
		n.Fatalf("apply: %+v", answer.Errors)
	}
	return nil
}

func (n *native) request(method, path string, body any) (int, object) {
	n.Helper()
	req := &apiserver.RESTRequest{Method: method, Path: path, ContentType: "application/json"}
	if method == "PATCH" {
		req.ContentType = "application/merge-patch+json"
	}
	if body != nil {
		req.Body = []byte(quote(body))
	}
	resp := n.cluster.Serve(req)
	var o object
	if err := json.Unmarshal(resp.Body, &o); err != nil {
		n.Fatal(err)
	}
	return resp.Code, o
}

func (n *native) advance(d time.Duration) {
	n.Helper()
	done := false
	if err := n.cluster.Clock.Advance(d, func() { done = true }); err != nil {
		n.Fatal(err)
	}
	for !done {
		n.cluster.Clock.Slice(0, func() bool { return true })
	}
}

func (n *native) hash() string { return n.cluster.Trace.Hash() }
