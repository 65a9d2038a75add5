package store_test

import (
	"errors"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

func podKey(namespace, name string) kinds.Key {
	return kinds.Key{Resource: "pods", Namespace: namespace, Name: name}
}

func pod(key kinds.Key, node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name},
		Spec:       corev1.PodSpec{NodeName: node},
	}
}

func TestCompareAndSet(t *testing.T) {
	s := store.New(store.Config{CheckMutation: true})
	a := podKey("default", "a")
	mustCreate := func() kinds.Revision {
		t.Helper()
		rev, err := s.Create(a, pod(a, ""), 0)
		if err != nil {
			t.Fatal(err)
		}
		return rev
	}
	if _, err := s.Update(a, pod(a, ""), 0, 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("update of nothing: got %v, want ErrNotFound", err)
	}
	first := mustCreate()
	if _, err := s.Create(a, pod(a, ""), 0); !errors.Is(err, store.ErrExists) {
		t.Errorf("second create: got %v, want ErrExists", err)
	}
	second, err := s.Update(a, pod(a, "node-1"), first, 0)
	if err != nil {
		t.Fatal(err)
	}
	var conflict *store.ConflictError
	if _, err := s.Update(a, pod(a, "node-2"), first, 0); !errors.As(err, &conflict) || !errors.Is(err, store.ErrConflict) {
		t.Fatalf("stale update: got %v, want a conflict", err)
	} else if conflict.Want != first || conflict.Got != second {
		t.Errorf("conflict: got %+v, want %d and %d", conflict, first, second)
	}
	if _, err := s.Delete(a, first, 0); !errors.Is(err, store.ErrConflict) {
		t.Errorf("stale delete: got %v, want ErrConflict", err)
	}
	if s.Revision() != second {
		t.Errorf("refused writes took a revision: got %d, want %d", s.Revision(), second)
	}
	if _, err := s.Delete(a, second, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Delete(a, 0, 0); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("second delete: got %v, want ErrNotFound", err)
	}
	mustCreate()
}

func nodeOf(obj kinds.Object) string { return obj.(*corev1.Pod).Spec.NodeName }

func fill(t testing.TB, s *store.Store, n int, resource, namespace string) {
	t.Helper()
	for range n {
		key := kinds.Key{Resource: resource, Namespace: namespace, Name: "p" + strconv.Itoa(int(s.Revision()))}
		if _, err := s.Create(key, pod(key, ""), 0); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHistoryIsBounded(t *testing.T) {
	s := store.New(store.Config{History: 80, CheckMutation: true})
	a := podKey("default", "a")
	s.Create(a, pod(a, ""), 0)
	lagging, err := s.Watch("pods", "", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	quiet, err := s.Watch("pods", "quiet", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Watch("nodes", "", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Delete(a, 0, 0)
	fill(t, s, 200, "pods", "busy")

	if kept := s.Revision() - s.Compacted(); kept < 80 || kept > 90 {
		t.Errorf("got %d commits kept, want 80 to 90", kept)
	}
	for range 2 {
		if _, ok, err := lagging.Next(); ok || !errors.Is(err, store.ErrTooOld) {
			t.Errorf("lagging cursor: got %v, %v; want ErrTooOld, for good", ok, err)
		}
	}
	for _, c := range []*store.Cursor{quiet, other} {
		if _, ok, err := c.Next(); ok || err != nil || c.Revision() != s.Revision() {
			t.Errorf("cursor that missed nothing: got %v, %v at %d; want drained at %d", ok, err, c.Revision(), s.Revision())
		}
	}
	if _, err := s.Watch("pods", "", s.Compacted()-1, nil); !errors.Is(err, store.ErrTooOld) {
		t.Errorf("watch from before: got %v, want ErrTooOld", err)
	}
	if _, err := s.Watch("pods", "", s.Revision()+1, nil); !errors.Is(err, store.ErrFuture) {
		t.Errorf("watch from after: got %v, want ErrFuture", err)
	}
}

func TestDeletedEvent(t *testing.T) {
	s := store.New(store.Config{})
	a := podKey("default", "a")
	s.Create(a, pod(a, "node-1"), 7)
	c, _ := s.Watch("pods", "default", s.Revision(), nil)
	rev, _ := s.Delete(a, 0, 8)
	ev, ok, err := c.Next()
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if ev.Type != store.Deleted || ev.Revision != rev || ev.Span != 8 {
		t.Errorf("got %+v", ev)
	}
	if got := ev.Object.GetResourceVersion(); got != revText(rev) || nodeOf(ev.Object) != "node-1" {
		t.Errorf("last state: got %s %s", got, nodeOf(ev.Object))
	}
	if got := ev.Old.GetResourceVersion(); got != "1" {
		t.Errorf("the state before was changed: got revision %s, want 1", got)
	}
}

func TestWakes(t *testing.T) {
	s := store.New(store.Config{})
	woken := 0
	c, err := s.Watch("pods", "a", 0, func() { woken++ })
	if err != nil {
		t.Fatal(err)
	}
	expect := func(want int, when string) {
		t.Helper()
		if woken != want {
			t.Errorf("%s: woken %d times, want %d", when, woken, want)
		}
	}
	fill(t, s, 3, "nodes", "")
	fill(t, s, 3, "pods", "b")
	expect(0, "others' changes")
	fill(t, s, 3, "pods", "a")
	expect(1, "three changes")
	c.Next()
	fill(t, s, 1, "pods", "a")
	expect(1, "not drained yet")
	for ok := true; ok; _, ok, _ = c.Next() {
	}
	fill(t, s, 1, "pods", "a")
	expect(2, "drained")
	for ok := true; ok; _, ok, _ = c.Next() {
	}
	c.Close()
	c.Close()
	fill(t, s, 1, "pods", "a")
	expect(2, "closed")
}

func panicOf(f func()) (msg string) {
	defer func() {
		if p := recover(); p != nil {
			msg = p.(string)
		}
	}()
	f()
	return ""
}

func TestBugsPanic(t *testing.T) {
	a, b := podKey("default", "a"), podKey("default", "b")
	tests := []struct {
		name string
		do   func(s *store.Store, committed *corev1.Pod)
		want string
	}{
		{"changed, then read", func(s *store.Store, p *corev1.Pod) {
			p.Labels["app"] = "other"
			s.Get(a)
		}, "BUG: pods/default/a was changed after it was committed as revision 1, at .ObjectMeta.Labels[app]"},
		{"changed, then updated", func(s *store.Store, p *corev1.Pod) {
			next := *p
			next.Labels["app"] = "other"
			s.Update(a, &next, 0, 0)
		}, "BUG: pods/default/a was changed after it was committed as revision 1, at .ObjectMeta.Labels[app]"},
		{"changed, then checked", func(s *store.Store, p *corev1.Pod) {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{})
			s.CheckMutation()
		}, "BUG: pods/default/a was changed after it was committed as revision 1, at .Spec.Containers"},
		{"updated with itself", func(s *store.Store, p *corev1.Pod) { s.Update(a, p, 0, 0) },
			"BUG: pods/default/a is updated with the committed object itself; it must be copied to be changed"},
		{"committed twice", func(s *store.Store, p *corev1.Pod) { s.Create(b, p, 0) },
			"BUG: pods/default/b is committed with an object that was committed before; it must be copied to be changed"},
		{"copied", func(s *store.Store, p *corev1.Pod) {
			next := *p
			next.Status.Phase = corev1.PodRunning
			s.Update(a, &next, 1, 0)
			s.Compact(s.Revision())
			s.CheckMutation()
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := store.New(store.Config{CheckMutation: true})
			p := pod(a, "")
			p.Labels = map[string]string{"app": "web"}
			s.Create(a, p, 0)
			if got := panicOf(func() { tt.do(s, p) }); got != tt.want {
				t.Errorf("got panic %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("write within a commit", func(t *testing.T) {
		var s *store.Store
		s = store.New(store.Config{OnCommit: func(store.Event) { s.Delete(a, 0, 0) }})
		want := "BUG: pods/default/a is written from within another commit"
		if got := panicOf(func() { s.Create(a, pod(a, ""), 0) }); got != want {
			t.Errorf("got panic %q, want %q", got, want)
		}
	})
}
