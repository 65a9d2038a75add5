package store_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

func podKey(namespace, name string) kinds.Key { return kinds.Key{"pods", namespace, name} }

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
