package journal

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

var update = flag.Bool("update", false, "write the golden file of the current format")

func sample() []byte {
	var e encoder
	e.begin(layout{}.version(), kindRecord, 3, 9, map[string][]byte{"clock": {1, 2}, "": nil})
	e.put(podKey("a"), 4, []byte("object"))
	e.delete(podKey("b"))
	e.put(kinds.Key{Resource: "nodes", Name: "n"}, 9, nil)
	return e.finish()
}

func TestRecord(t *testing.T) {
	version, payload, rest, err := split(append(sample(), "more"...))
	if err != nil || version != 1 || string(rest) != "more" {
		t.Fatal(version, rest, err)
	}
	got, err := decode(payload)
	if err != nil {
		t.Fatal(err)
	}
	want := record{kind: kindRecord, from: 3, to: 9,
		extras: map[string][]byte{"clock": {1, 2}, "": {}},
		ops: []op{
			{key: podKey("a"), rev: 4, data: []byte("object")},
			{key: podKey("b")},
			{key: kinds.Key{Resource: "nodes", Name: "n"}, rev: 9, data: []byte{}},
		}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(record{}, op{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFlippedBits changes every bit of a record: each is noticed.
func TestFlippedBits(t *testing.T) {
	for i := range sample() {
		for bit := range 8 {
			data := sample()
			data[i] ^= 1 << bit
			if _, _, _, err := split(data); err == nil {
				t.Errorf("byte %d, bit %d: not noticed", i, bit)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(sample()[headerSize:])
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := decode(payload)
		if err != nil {
			return
		}
		var e encoder
		e.begin(1, r.kind, r.from, r.to, r.extras)
		for _, o := range r.ops {
			if o.rev == 0 {
				e.delete(o.key)
			} else {
				e.put(o.key, o.rev, o.data)
			}
		}
		_, again, _, err := split(e.finish())
		if err != nil {
			t.Fatal(err)
		}
		back, err := decode(again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, back, cmp.AllowUnexported(record{}, op{})); diff != "" {
			t.Errorf("decoded, encoded, decoded (-first +second):\n%s", diff)
		}
	})
}

// FuzzImage reads anything as what is kept: no panic, and every byte is accounted for.
func FuzzImage(f *testing.F) {
	f.Add(sample(), true)
	f.Add(append(sample(), sample()...), false)
	f.Fuzz(func(t *testing.T, data []byte, isSnapshot bool) {
		im := newImage(layout{})
		if err := im.read(data, isSnapshot); err == nil && im.bytes+im.dropped != len(data) {
			t.Errorf("%d bytes read and %d dropped of %d", im.bytes, im.dropped, len(data))
		}
		if _, _, _, err := split(im.encode()); err != nil {
			t.Error(err)
		}
	})
}

const golden = "testdata/v1.journal"

// goldenCluster fills a cluster with what the golden file holds.
func goldenCluster(t *testing.T, m *Memory) *cluster {
	c := mustStart(t, m, Config{}, nil)
	c.set("a", "node-1")
	c.set("b", "node-1")
	c.journal.Flush()
	c.set("a", "node-2")
	c.set("b", "")
	c.set("c", "node-3")
	c.journal.Flush()
	return c
}

// TestGoldenV1 reads a file of the first format as it was written then.
func TestGoldenV1(t *testing.T) {
	c := goldenCluster(t, &Memory{})
	if *update {
		m := &Memory{}
		goldenCluster(t, m)
		if err := os.WriteFile(golden, bytes.Join(m.Records, nil), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	restored := mustStart(t, &Memory{Records: [][]byte{data}}, Config{}, c.states)
	restored.checkRestored(5)
}

// TestMigration gives the next version a payload that ends in a byte more.
func TestMigration(t *testing.T) {
	v2 := layout{upgrades: []func([]byte) ([]byte, error){func(payload []byte) ([]byte, error) {
		return append(bytes.Clone(payload), opDelete, 0, 0, 0), nil
	}}}
	m := &Memory{}
	want := goldenCluster(t, m).state()
	open := func(l layout) (*cluster, error) {
		c := &cluster{t: t, states: map[kinds.Revision]map[string]string{}}
		c.store = store.New(store.Config{OnCommit: func(ev store.Event) { c.journal.Commit(ev) }})
		c.journal = New(c.store, m, podCodec{}, Config{})
		c.journal.layout = l
		var failed error
		c.journal.Restore(func(_ bool, err error) { failed = err })
		return c, failed
	}
	c, err := open(v2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, c.state()); diff != "" {
		t.Errorf("upgraded (-want +got):\n%s", diff)
	}
	if len(m.Records) != 0 || m.Snapshot[3] != 2 {
		t.Errorf("the old format is still there: %d records, snapshot of version %d", len(m.Records), m.Snapshot[3])
	}
	c.set("d", "node-4")
	c.journal.Flush()
	kept := bytes.Clone(m.Snapshot)

	old, err := open(layout{})
	if !errors.Is(err, ErrNewer) {
		t.Fatalf("older program: got %v, want ErrNewer", err)
	}
	old.set("e", "node-5")
	old.journal.Flush()
	old.journal.Retry()
	if !bytes.Equal(kept, m.Snapshot) || len(m.Records) != 1 {
		t.Error("the older program wrote over what the newer one kept")
	}
	again, err := open(v2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.state(), again.state()); diff != "" {
		t.Errorf("the newer program again (-want +got):\n%s", diff)
	}
}
