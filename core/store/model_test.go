package store_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

// A model is the simplest store there is: the whole state at every revision, and every change.
type model struct {
	states    []map[kinds.Key]value // by revision
	changes   []change
	compacted kinds.Revision
}

type value struct {
	rev  kinds.Revision
	node string
}

type change struct {
	Type string
	Key  kinds.Key
	Rev  kinds.Revision
	Node string
	Old  string
}

func newModel() *model { return &model{states: []map[kinds.Key]value{{}}} }

func (m *model) rev() kinds.Revision      { return kinds.Revision(len(m.states) - 1) }
func (m *model) now() map[kinds.Key]value { return m.states[len(m.states)-1] }
func (m *model) commit(c change, del bool) {
	next := maps.Clone(m.now())
	c.Rev = m.rev() + 1
	if old, ok := next[c.Key]; ok {
		c.Old = old.node
	}
	if next[c.Key] = (value{c.Rev, c.Node}); del {
		delete(next, c.Key)
		c.Node = c.Old
	}
	m.states = append(m.states, next)
	m.changes = append(m.changes, c)
}

func (m *model) write(verb string, key kinds.Key, node string, expected kinds.Revision) error {
	was, ok := m.now()[key]
	switch {
	case verb == "create" && ok:
		return store.ErrExists
	case verb == "create":
		m.commit(change{Type: "ADDED", Key: key, Node: node}, false)
	case !ok:
		return store.ErrNotFound
	case expected != 0 && expected != was.rev:
		return store.ErrConflict
	case verb == "update":
		m.commit(change{Type: "MODIFIED", Key: key, Node: node}, false)
	case verb == "delete":
		m.commit(change{Type: "DELETED", Key: key}, true)
	}
	return nil
}

func (m *model) list(resource, namespace string, rev kinds.Revision) []string {
	var out []string
	for key, v := range m.states[rev] {
		if key.Resource == resource && (namespace == "" || namespace == key.Namespace) {
			out = append(out, line(key, v.rev, v.node))
		}
	}
	slices.Sort(out)
	return out
}

func line(key kinds.Key, rev kinds.Revision, node string) string {
	return key.String() + " " + revText(rev) + " " + node
}

// A run drives a store and a model with the same random operations.
type run struct {
	t     *testing.T
	rand  *rand.Rand
	store *store.Store
	model *model
}

func (r *run) key() kinds.Key {
	return kinds.Key{
		Resource:  pick(r.rand, "pods", "pods", "nodes"),
		Namespace: pick(r.rand, "a", "b"),
		Name:      pick(r.rand, "u", "v", "w", "x", "y", "z"),
	}
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// write does one random write, sometimes one that must be refused, to both.
func (r *run) write() {
	key, node := r.key(), pick(r.rand, "node-1", "node-2", "node-3")
	verb := pick(r.rand, "create", "update", "update", "delete")
	var expected kinds.Revision
	switch r.rand.IntN(3) {
	case 0:
		expected = r.model.now()[key].rev
	case 1:
		expected = kinds.Revision(r.rand.Int64N(int64(r.model.rev()) + 2))
	}
	var err error
	switch verb {
	case "create":
		_, err = r.store.Create(key, pod(key, node), 0)
	case "update":
		_, err = r.store.Update(key, pod(key, node), expected, 0)
	case "delete":
		_, err = r.store.Delete(key, expected, 0)
	}
	if want := r.model.write(verb, key, node, expected); !errors.Is(err, want) {
		r.t.Fatalf("%s %v expecting %d: got %v, want %v", verb, key, expected, err, want)
	}
	if r.store.Revision() != r.model.rev() {
		r.t.Fatalf("%s %v: got revision %d, want %d", verb, key, r.store.Revision(), r.model.rev())
	}
}

func (r *run) compact() {
	rev := kinds.Revision(r.rand.Int64N(int64(r.model.rev()) + 1))
	r.store.Compact(rev)
	r.model.compacted = max(r.model.compacted, rev)
	if r.store.Compacted() != r.model.compacted {
		r.t.Fatalf("compacted: got %d, want %d", r.store.Compacted(), r.model.compacted)
	}
}

// read compares every way of reading at a random revision.
func (r *run) read() {
	key := r.key()
	rev := kinds.Revision(r.rand.Int64N(int64(r.model.rev()) + 2))
	namespace := pick(r.rand, "", "a", "b", "c")
	obj, ok, err := r.store.GetAt(key, rev)
	objs, _, listErr := r.store.ListAt(key.Resource, namespace, rev, kinds.Key{}, 0)
	var want error
	if rev < r.model.compacted {
		want = store.ErrTooOld
	} else if rev > r.model.rev() {
		want = store.ErrFuture
	}
	if !errors.Is(err, want) || !errors.Is(listErr, want) {
		r.t.Fatalf("read at %d: got %v and %v, want %v", rev, err, listErr, want)
	}
	if want == nil {
		v, there := r.model.states[rev][key]
		if ok != there || ok && line(key, v.rev, v.node) != show(key, obj) {
			r.t.Fatalf("get %v at %d: got %v, want %v", key, rev, obj, v)
		}
		r.same("list at", r.model.list(key.Resource, namespace, rev), showAll(key.Resource, objs))
		r.same("chunks", r.model.list(key.Resource, namespace, rev), r.chunks(key.Resource, namespace, rev))
	}
	live, at := r.store.List(key.Resource, namespace)
	r.same("list", r.model.list(key.Resource, namespace, at), showAll(key.Resource, live))
	if n := r.store.Count(key.Resource, namespace); n != len(live) {
		r.t.Fatalf("count: got %d, want %d", n, len(live))
	}
	obj, ok = r.store.Get(key)
	if v, there := r.model.now()[key]; ok != there || ok && line(key, v.rev, v.node) != show(key, obj) {
		r.t.Fatalf("get %v: got %v, want %v", key, obj, v)
	}
}

// chunks lists in pieces of random size and checks that each says how much is left.
func (r *run) chunks(resource, namespace string, rev kinds.Revision) []string {
	var all []string
	var after kinds.Key
	total := len(r.model.list(resource, namespace, rev))
	for {
		objs, remaining, err := r.store.ListAt(resource, namespace, rev, after, 1+r.rand.IntN(3))
		if err != nil {
			r.t.Fatal(err)
		}
		all = append(all, showAll(resource, objs)...)
		if remaining != total-len(all) {
			r.t.Fatalf("remaining after %v: got %d, want %d", after, remaining, total-len(all))
		}
		if remaining == 0 {
			return all
		}
		last := objs[len(objs)-1]
		after = kinds.Key{Resource: resource, Namespace: last.GetNamespace(), Name: last.GetName()}
	}
}

func (r *run) same(what string, want, got []string) {
	r.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Fatalf("%s at revision %d (-model +store):\n%s", what, r.model.rev(), diff)
	}
}

// reload replaces the store with one loaded from it.
func (r *run) reload() {
	next := store.New(store.Config{CheckMutation: true})
	next.Load(r.store.Revision(), r.store.All())
	r.store = next
	r.model.compacted = r.model.rev()
}

func show(key kinds.Key, obj kinds.Object) string {
	return key.String() + " " + obj.GetResourceVersion() + " " + nodeOf(obj)
}

func showAll(resource string, objs []kinds.Object) []string {
	var out []string
	for _, obj := range objs {
		out = append(out, show(kinds.Key{Resource: resource, Namespace: obj.GetNamespace(), Name: obj.GetName()}, obj))
	}
	return out
}

func FuzzModel(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		t.Logf("seed %d", seed)
		r := &run{t: t, rand: rand.New(rand.NewPCG(seed, 0)), store: store.New(store.Config{CheckMutation: true}), model: newModel()}
		for range 400 {
			switch n := r.rand.IntN(100); {
			case n < 70:
				r.write()
			case n < 97:
				r.read()
			case n < 99:
				r.compact()
			default:
				r.reload()
			}
		}
		r.store.CheckMutation()
		if names := strings.Join(r.store.Resources(), " "); names != "nodes pods" {
			t.Errorf("resources: got %q", names)
		}
	})
}
