package apiserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/apiserver"
)

// events reads a stream to its end as "TYPE name".
func events(t *testing.T, e *apiserver.EventEncoder) (out []string) {
	t.Helper()
	for {
		line, ok, ended := e.Next()
		if !ok {
			return out
		}
		var ev struct {
			Type   string
			Object struct {
				Metadata struct{ Name string }
				Reason   string
			}
		}
		if err := json.Unmarshal(line, &ev); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		out = append(out, strings.TrimSpace(ev.Type+" "+ev.Object.Metadata.Name+ev.Object.Reason))
		if ended {
			return out
		}
	}
}

func TestWatchBySelector(t *testing.T) {
	w := newWorld(t)
	w.do("POST", configMaps, `{"metadata":{"name":"before","labels":{"app":"x"}}}`, 201)
	stream := w.rest("GET", configMaps+"?watch=true&labelSelector=app%3Dx", "").Watch
	w.do("POST", configMaps, `{"metadata":{"name":"other","labels":{"app":"y"}}}`, 201)
	w.do("PATCH", configMaps+"/other", `merge {"metadata":{"labels":{"app":"x"}}}`, 200)
	w.do("PATCH", configMaps+"/other", `merge {"data":{"k":"v"}}`, 200)
	w.do("PATCH", configMaps+"/other", `merge {"metadata":{"labels":{"app":"y"}}}`, 200)
	w.do("DELETE", configMaps+"/before", "", 200)
	want := []string{"ADDED before", "ADDED other", "MODIFIED other", "DELETED other", "DELETED before"}
	if diff := cmp.Diff(want, events(t, stream)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestWatchWakesOnce(t *testing.T) {
	w := newWorld(t)
	list := w.do("GET", configMaps, "", 200)
	stream := w.rest("GET", configMaps+"?watch=true&resourceVersion="+at(list, "metadata.resourceVersion").(string), "").Watch
	wakes := 0
	stream.OnWake(func() { wakes++ })
	for i := range 3 {
		w.do("POST", configMaps, fmt.Sprintf(`{"metadata":{"name":"c%d"}}`, i), 201)
	}
	if wakes != 1 {
		t.Errorf("%d wakes for three changes that nobody has read, want 1", wakes)
	}
	if got := events(t, stream); len(got) != 3 {
		t.Errorf("events %v, want three", got)
	}
	w.do("DELETE", configMaps+"/c0", "", 200)
	if wakes != 2 {
		t.Errorf("%d wakes after the reader caught up and one more change, want 2", wakes)
	}
}

func TestWatchTooOld(t *testing.T) {
	w := newWorld(t)
	stream := w.rest("GET", configMaps+"?watch=true&resourceVersion=1", "").Watch
	w.do("POST", configMaps, `{"metadata":{"name":"a"}}`, 201)
	w.store.Compact(w.store.Revision())
	if diff := cmp.Diff([]string{"ERROR Expired"}, events(t, stream)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if got := w.do("GET", configMaps+"?watch=true&resourceVersion=1", "", 410); got["reason"] != "Expired" {
		t.Errorf("reason %v, want Expired", got["reason"])
	}
}

func TestListInChunks(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.do("POST", configMaps, fmt.Sprintf(`{"metadata":{"name":"c%d"}}`, i), 201)
	}
	var names []string
	next := ""
	for range 3 {
		got := w.do("GET", configMaps+"?limit=2"+next, "", 200)
		for _, item := range got["items"].([]any) {
			names = append(names, at(item.(map[string]any), "metadata.name").(string))
		}
		// What comes in between is not seen: the list shows one revision.
		w.do("POST", configMaps, fmt.Sprintf(`{"metadata":{"name":"c2-%d"}}`, len(names)), 201)
		token, _ := at(got, "metadata.continue").(string)
		next = "&continue=" + token
	}
	if diff := cmp.Diff([]string{"c0", "c1", "c2", "c3", "c4"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
