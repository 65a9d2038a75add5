package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

// What a watch promises, as etcd names it.
var (
	errOrdered      = errors.New("broke Ordered: events come in revision order")
	errUnique       = errors.New("broke Unique: no event comes twice")
	errAtomic       = errors.New("broke Atomic: a list and the events after its revision make the next list")
	errReliable     = errors.New("broke Reliable: no event between the first and the last is left out")
	errResumable    = errors.New("broke Resumable: a watch from the last revision seen goes on where it stopped")
	errBookmarkable = errors.New("broke Bookmarkable: all events up to a bookmark came before it")
)

// A step is one thing a reader got: an event, or a bookmark (Bookmark set).
type step struct {
	change
	Bookmark kinds.Revision
}

// A reading is all a reader of one resource and namespace ("" is all) got since from.
type reading struct {
	resource, namespace string
	from                kinds.Revision
	listed              []string // the list at from
	steps               []step
	resumed             []int // indexes of steps before which the watch was opened again
}

func (r *reading) wants(c change) bool {
	return c.Key.Resource == r.resource && (r.namespace == "" || r.namespace == c.Key.Namespace)
}

func (r *reading) events() (out []change) {
	for _, s := range r.steps {
		if s.Bookmark == 0 {
			out = append(out, s.change)
		}
	}
	return out
}

func validateOrdered(_ *model, r *reading) error {
	if !slices.IsSortedFunc(r.events(), func(a, b change) int { return int(a.Rev - b.Rev) }) {
		return errOrdered
	}
	return nil
}

func validateUnique(_ *model, r *reading) error {
	seen := map[kinds.Revision]bool{}
	for _, c := range r.events() {
		if seen[c.Rev] {
			return fmt.Errorf("%w: revision %d", errUnique, c.Rev)
		}
		seen[c.Rev] = true
	}
	return nil
}

// validateAtomic plays the events over the list and compares with the state at each event's revision.
func validateAtomic(m *model, r *reading) error {
	state := map[string]string{}
	for _, l := range r.listed {
		key, _, _ := strings.Cut(l, " ")
		state[key] = l
	}
	for _, c := range r.events() {
		if state[c.Key.String()] = line(c.Key, c.Rev, c.Node); c.Type == "DELETED" {
			delete(state, c.Key.String())
		}
		var got []string
		for _, l := range state {
			got = append(got, l)
		}
		slices.Sort(got)
		if want := m.list(r.resource, r.namespace, c.Rev); !slices.Equal(got, want) {
			return fmt.Errorf("%w: at revision %d got %q, want %q", errAtomic, c.Rev, got, want)
		}
	}
	return nil
}

func validateReliable(m *model, r *reading) error {
	events := r.events()
	if len(events) == 0 {
		return nil
	}
	return compareWith(errReliable, m, r, events, r.from, events[len(events)-1].Rev)
}

// compareWith says base unless got are exactly the model's changes later than from, up to to.
func compareWith(base error, m *model, r *reading, got []change, from, to kinds.Revision) error {
	var want []change
	for _, c := range m.changes {
		if r.wants(c) && c.Rev > from && c.Rev <= to {
			want = append(want, c)
		}
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%w: got %v, want %v", base, got, want)
	}
	return nil
}

func validateResumable(m *model, r *reading) error {
	for _, i := range r.resumed {
		before, after := (&reading{steps: r.steps[:i]}).events(), (&reading{steps: r.steps[i:]}).events()
		if len(after) == 0 {
			continue
		}
		from := r.from
		if len(before) > 0 {
			from = before[len(before)-1].Rev
		}
		if err := compareWith(errResumable, m, r, after[:1], from, after[0].Rev); err != nil {
			return err
		}
	}
	return nil
}

func validateBookmarkable(m *model, r *reading) error {
	for i, s := range r.steps {
		if s.Bookmark == 0 {
			continue
		}
		before := &reading{steps: r.steps[:i]}
		if err := compareWith(errBookmarkable, m, r, before.events(), r.from, s.Bookmark); err != nil {
			return fmt.Errorf("bookmark %d: %w", s.Bookmark, err)
		}
	}
	return nil
}

var validators = []struct {
	name     string
	broken   error
	validate func(*model, *reading) error
}{
	{"Ordered", errOrdered, validateOrdered},
	{"Unique", errUnique, validateUnique},
	{"Atomic", errAtomic, validateAtomic},
	{"Reliable", errReliable, validateReliable},
	{"Resumable", errResumable, validateResumable},
	{"Bookmarkable", errBookmarkable, validateBookmarkable},
}

// A reader pulls from a cursor at its own pace.
type reader struct {
	reading
	cursor *store.Cursor
	awake  bool // what wake has told it
}

func (r *run) open(resource, namespace string) *reader {
	from := r.model.compacted + kinds.Revision(r.rand.Int64N(int64(r.model.rev()-r.model.compacted)+1))
	rd := &reader{reading: reading{resource: resource, namespace: namespace, from: from}}
	objs, _, err := r.store.ListAt(resource, namespace, from, kinds.Key{}, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	rd.listed = showAll(resource, objs)
	r.watch(rd, from)
	return rd
}

func (r *run) watch(rd *reader, from kinds.Revision) {
	c, err := r.store.Watch(rd.resource, rd.namespace, from, func() {
		if rd.awake {
			r.t.Fatal("a cursor is woken that was not found drained")
		}
		rd.awake = true
	})
	if err != nil {
		r.t.Fatal(err)
	}
	rd.cursor, rd.awake = c, c.Revision() < r.store.Revision()
}

// pull takes up to n events.
func (r *run) pull(rd *reader, n int) {
	for range n {
		ev, ok, err := rd.cursor.Next()
		if err != nil {
			r.t.Fatal(err)
		}
		if ok && !rd.awake {
			r.t.Fatalf("revision %d came without a wake", ev.Revision)
		}
		if !ok {
			rd.awake = false
			return
		}
		rd.steps = append(rd.steps, step{change: changeOf(ev)})
	}
}

func (r *run) resume(rd *reader) {
	from := rd.cursor.Revision()
	if events := rd.events(); r.rand.IntN(2) == 0 {
		if from = rd.from; len(events) > 0 {
			from = events[len(events)-1].Rev
		}
	}
	rd.cursor.Close()
	rd.awake = false
	rd.resumed = append(rd.resumed, len(rd.steps))
	r.watch(rd, from)
}

func changeOf(ev store.Event) change {
	c := change{Type: string(ev.Type), Key: ev.Key, Rev: ev.Revision, Node: nodeOf(ev.Object)}
	if ev.Old != nil {
		c.Old = nodeOf(ev.Old)
	}
	if ev.Object.GetResourceVersion() != revText(ev.Revision) {
		c.Type += " with resourceVersion " + ev.Object.GetResourceVersion()
	}
	return c
}

func revText(r kinds.Revision) string { return strconv.FormatInt(int64(r), 10) }

// watchHistory runs random writes under random readers and returns what they got.
func watchHistory(t *testing.T, seed uint64) (*model, []*reading) {
	r := &run{t: t, rand: rand.New(rand.NewPCG(seed, 1)), store: store.New(store.Config{CheckMutation: true}), model: newModel()}
	var readers []*reader
	for range 300 {
		switch n := r.rand.IntN(100); {
		case n < 50:
			r.write()
		case n < 55:
			readers = append(readers, r.open(pick(r.rand, "pods", "nodes"), pick(r.rand, "", "a", "b")))
		case len(readers) == 0:
		case n < 85:
			r.pull(readers[r.rand.IntN(len(readers))], 1+r.rand.IntN(5))
		case n < 93:
			rd := readers[r.rand.IntN(len(readers))]
			if rev := rd.cursor.Revision(); rev > 0 {
				rd.steps = append(rd.steps, step{Bookmark: rev})
			}
		default:
			r.resume(readers[r.rand.IntN(len(readers))])
		}
	}
	var out []*reading
	for _, rd := range readers {
		r.pull(rd, 1000)
		rd.steps = append(rd.steps, step{Bookmark: rd.cursor.Revision()})
		if rd.cursor.Revision() != r.store.Revision() {
			t.Errorf("drained cursor is at %d, store at %d", rd.cursor.Revision(), r.store.Revision())
		}
		out = append(out, &rd.reading)
	}
	return r.model, out
}

func TestGuarantees(t *testing.T) {
	for _, v := range validators {
		t.Run(v.name, func(t *testing.T) {
			for seed := range uint64(60) {
				m, readings := watchHistory(t, seed)
				for _, r := range readings {
					if err := v.validate(m, r); err != nil {
						t.Fatalf("seed %d, %s/%s from %d: %v", seed, r.resource, r.namespace, r.from, err)
					}
				}
			}
		})
	}
}

// TestValidatorsCatch breaks a true reading on purpose: a check that cannot fail checks nothing.
func TestValidatorsCatch(t *testing.T) {
	at := func(rev kinds.Revision, node string) step {
		typ := "MODIFIED"
		if rev == 1 {
			typ = "ADDED"
		}
		old := map[string]string{"n2": "n1", "n3": "n2", "n4": "n3"}[node]
		return step{change: change{Type: typ, Key: podKey("a", "u"), Rev: rev, Node: node, Old: old}}
	}
	m := newModel()
	m.write("create", podKey("a", "u"), "n1", 0)
	for _, n := range []string{"n2", "n3", "n4"} {
		m.write("update", podKey("a", "u"), n, 0)
	}
	one, two, three, four := at(1, "n1"), at(2, "n2"), at(3, "n3"), at(4, "n4")
	tests := []struct {
		name    string
		steps   []step
		resumed []int
		want    error
	}{
		{"swapped", []step{one, three, two, four}, nil, errOrdered},
		{"twice", []step{one, two, two, three}, nil, errUnique},
		{"wrong state", []step{one, at(2, "n9")}, nil, errAtomic},
		{"left out", []step{one, three}, nil, errReliable},
		{"resumed late", []step{one, three}, []int{1}, errResumable},
		{"bookmark early", []step{one, {Bookmark: 2}, two}, nil, errBookmarkable},
		{"true", []step{one, {Bookmark: 1}, two, three, {Bookmark: 3}, four}, []int{2}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &reading{resource: "pods", steps: tt.steps, resumed: tt.resumed}
			caught := tt.want == nil
			for _, v := range validators {
				err := v.validate(m, r)
				if tt.want == nil && err != nil {
					t.Errorf("got %v, want none", err)
				}
				caught = caught || errors.Is(err, tt.want)
			}
			if !caught {
				t.Errorf("not caught: %v", tt.want)
			}
		})
	}
}
