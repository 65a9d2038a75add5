package state_test

import (
	"testing"

	"terrarium/core/projection/wire"
	"terrarium/web/state"
)

// What is asked for counts until all answers are there, whatever older frames say, and for its object only.
func TestInspectorReplicas(t *testing.T) {
	i := state.NewInspector()
	open := func(name string, replicas int64) {
		ref := wire.Ref{Resource: "deployments.apps", Namespace: "default", Name: name}
		i.Open(ref)
		i.Apply(&wire.Inspect{Ref: ref, Path: "/" + name, Found: true, Replicas: replicas})
	}
	want := func(when string, replicas int64) {
		t.Helper()
		if got := i.Replicas(); got != replicas {
			t.Errorf("%s: %d replicas, want %d", when, got, replicas)
		}
	}
	open("web", 2)
	want("nothing asked", 2)
	first := i.Ask(3)
	second := i.Ask(4)
	open("web", 3)
	want("the frame of the first", 4)
	first()
	want("the first answered", 4)
	open("other", 7)
	want("another object", 7)
	open("web", 3)
	want("back", 4)
	second()
	want("all answered", 3)
}
