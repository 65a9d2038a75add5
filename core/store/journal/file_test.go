package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"terrarium/core/kinds"
)

func openFile(t testing.TB, path string) *File {
	t.Helper()
	f, err := OpenFile(path, FileConfig{SkipSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// An ack says that a revision was acknowledged when the file had a size.
type ack struct {
	size int64
	rev  kinds.Revision
}

// history runs a cluster on a file and returns its states and what it acknowledged since the last snapshot.
func history(t *testing.T, path string, cfg Config) (*cluster, []ack) {
	f := openFile(t, path)
	c := mustStart(t, f, cfg, nil)
	var acks []ack
	for i := range 24 {
		for j := range 1 + i%3 {
			c.set(string(rune('a'+(i*7+j*3)%15)), []string{"node-1", "node-2", "", "node-3"}[(i+j)%4])
		}
		before := f.size
		c.want(c.store.Revision())
		c.journal.Flush()
		if c.acked != c.store.Revision() {
			t.Fatal("not acknowledged")
		}
		if f.size < before {
			acks = nil
		}
		acks = append(acks, ack{f.size, c.acked})
	}
	f.Close()
	return c, acks
}

// TestTornAnywhere cuts the file at every byte, restores, goes on, and restores again: in memory, and at
// some of the cuts from a real file.
func TestTornAnywhere(t *testing.T) {
	tests := []struct {
		name string
		cfg  Config
	}{
		{"records", Config{}},
		{"snapshot and records", Config{SnapshotMin: 700, SnapshotFactor: 1, Step: 4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			whole, acks := history(t, path, tt.cfg)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			first := 0 // bytes that were written in one step, by Replace
			if beginsSnapshot(data) {
				first = int(acks[0].size)
			} else if tt.cfg.SnapshotMin > 0 {
				t.Fatal("no snapshot was written")
			}
			t.Logf("%d bytes, %d of them a snapshot", len(data), first)
			for cut := first; cut <= len(data); cut++ {
				m := &Memory{Records: [][]byte{data[:cut]}}
				tear(t, func() Backend { return m }, cut, whole, acks)
				if cut%64 == 0 || cut == len(data) {
					if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
						t.Fatal(err)
					}
					tear(t, func() Backend { return openFile(t, path) }, cut, whole, acks)
				}
				if t.Failed() {
					t.Fatalf("cut at byte %d", cut)
				}
			}
		})
	}
}

// tear opens what is left after cut bytes, twice, with a write between.
func tear(t *testing.T, open func() Backend, cut int, whole *cluster, acks []ack) {
	var acked kinds.Revision
	for _, a := range acks {
		if a.size <= int64(cut) {
			acked = a.rev
		}
	}
	b := open()
	c := mustStart(t, b, Config{}, whole.states)
	c.checkRestored(acked)
	c.states = map[kinds.Revision]map[string]string{}
	c.set("a", "node-9")
	c.journal.Flush()
	b.Close()
	b = open()
	again := mustStart(t, b, Config{}, c.states)
	again.checkRestored(c.store.Revision())
	if again.journal.Dropped() != 0 {
		t.Error("the torn end is still there")
	}
	b.Close()
}

func TestDamagedSnapshotIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	history(t, path, Config{SnapshotMin: 700, SnapshotFactor: 1})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[200] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := start(t, openFile(t, path), Config{}, nil)
	if !errors.Is(err, ErrCorrupt) {
		t.Fatalf("got %v, want ErrCorrupt", err)
	}
	c.want(c.set("a", "node-1"))
	c.journal.Flush()
	c.journal.Retry()
	c.expectState(NotSaved, ErrCorrupt)
	if c.refused != 1 {
		t.Error("a detached journal acknowledged")
	}
	if after, _ := os.ReadFile(path); string(after) != string(data) {
		t.Error("the damaged file was written to")
	}
}

// TestFileFails closes the file under the backend: writes fail, a Replace mends.
func TestFileFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	f := openFile(t, path)
	c := mustStart(t, f, Config{}, nil)
	c.want(c.set("a", "node-1"))
	c.journal.Flush()
	f.f.Close()
	c.set("b", "node-1")
	c.journal.Flush()
	c.expectState(NotSaved, os.ErrClosed)
	c.journal.Retry() // an append
	c.expectState(NotSaved, os.ErrClosed)
	c.journal.Retry() // a snapshot
	c.expectState(Saved, nil)
	c.want(c.set("c", "node-1"))
	c.journal.Flush()
	f.Close()
	mustStart(t, openFile(t, path), Config{}, c.states).checkRestored(3)
}
