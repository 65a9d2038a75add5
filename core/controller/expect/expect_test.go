package expect

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
)

var (
	epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	web   = kinds.Key{Resource: "replicasets.apps", Namespace: "default", Name: "web"}
)

func TestCounts(t *testing.T) {
	var c Counts
	check := func(what string, want bool, after time.Duration) {
		t.Helper()
		if got := c.Satisfied(web, epoch.Add(after)); got != want {
			t.Errorf("%s: satisfied %v, want %v", what, got, want)
		}
	}
	check("nothing expected", true, 0)
	c.Creates(web, 2, epoch)
	c.Created(web)
	check("one of two came", false, 0)
	check("waited too long", true, Timeout+1)
	c.Created(web)
	check("both came", true, 0)
	c.Created(web)
	check("one more than expected", true, 0)

	c.Deletes(web, []types.UID{"a", "b"}, epoch)
	c.Deleted(web, "a")
	c.Deleted(web, "a")
	check("one of two, seen twice", false, 0)
	c.Deleted(web, "c")
	check("another one", false, 0)
	c.Deleted(web, "b")
	check("both", true, 0)

	c.Creates(web, 1, epoch)
	c.Forget(web)
	check("forgotten", true, 0)
	c.Created(kinds.Key{Name: "unknown"})
}

func TestWrites(t *testing.T) {
	seen := map[string]kinds.Revision{"pods": 5, "replicasets.apps": 5}
	w := NewWrites(func(r string) kinds.Revision { return seen[r] })
	wrote := func(resource, version string) { w.Wrote(web, resource, &metav1.ObjectMeta{ResourceVersion: version}) }
	if w.Behind(web) {
		t.Error("behind without having written")
	}
	wrote("pods", "7")
	wrote("pods", "6")
	wrote("replicasets.apps", "8")
	wrote("pods", "")
	if !w.Behind(web) {
		t.Error("two writes are not seen yet")
	}
	if w.Behind(kinds.Key{Name: "other"}) {
		t.Error("another key waits for nothing")
	}
	seen["replicasets.apps"] = 9
	if !w.Behind(web) {
		t.Error("the pod is not seen yet")
	}
	seen["pods"] = 7
	if w.Behind(web) || len(w.wrote) != 0 {
		t.Error("all is seen")
	}
}
