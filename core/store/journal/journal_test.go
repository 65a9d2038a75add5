package journal

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

// A podCodec keeps pods as protobuf.
type podCodec struct{}

func (podCodec) Encode(obj kinds.Object) ([]byte, error) { return obj.(*corev1.Pod).Marshal() }

func (podCodec) Decode(_ string, data []byte) (kinds.Object, error) {
	p := &corev1.Pod{}
	return p, p.Unmarshal(data)
}

func podKey(name string) kinds.Key {
	return kinds.Key{Resource: "pods", Namespace: "default", Name: name}
}

func pod(key kinds.Key, node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name},
		Spec:       corev1.PodSpec{NodeName: node},
	}
}

// A cluster is a store with its journal, and the state at every revision so far.
type cluster struct {
	t       testing.TB
	store   *store.Store
	journal *Journal
	states  map[kinds.Revision]map[string]string
	commits int
	acked   kinds.Revision // the highest revision that WhenDurable answered nil for
	refused int            // how many got an error
}

// start restores a cluster from backend. states are those of the cluster it continues.
func start(t testing.TB, backend Backend, cfg Config, states map[kinds.Revision]map[string]string) (*cluster, error) {
	t.Helper()
	c := &cluster{t: t, states: states}
	if states == nil {
		c.states = map[kinds.Revision]map[string]string{0: {}}
	}
	c.store = store.New(store.Config{OnCommit: func(ev store.Event) { c.journal.Commit(ev) }, CheckMutation: true})
	if cfg.Extras == nil {
		cfg.Extras = func() map[string][]byte {
			return map[string][]byte{"commits": []byte(strconv.Itoa(c.commits)), "seed": []byte("7")}
		}
	}
	c.journal = New(c.store, backend, podCodec{}, cfg)
	var failed error
	c.journal.Restore(func(found bool, err error) { failed = err })
	if m, ok := backend.(*Memory); ok {
		m.Deliver(1)
	}
	c.commits, _ = strconv.Atoi(string(c.journal.Extras()["commits"]))
	return c, failed
}

func mustStart(t testing.TB, backend Backend, cfg Config, states map[kinds.Revision]map[string]string) *cluster {
	t.Helper()
	c, err := start(t, backend, cfg, states)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *cluster) state() map[string]string {
	state := map[string]string{}
	for key, obj := range c.store.All() {
		state[key.String()] = obj.GetResourceVersion() + " " + obj.(*corev1.Pod).Spec.NodeName
	}
	return state
}

func (c *cluster) set(name, node string) kinds.Revision {
	c.t.Helper()
	key := podKey(name)
	var rev kinds.Revision
	var err error
	_, ok := c.store.Get(key)
	switch {
	case !ok:
		rev, err = c.store.Create(key, pod(key, node), 0)
	case node == "":
		rev, err = c.store.Delete(key, 0, 0)
	default:
		rev, err = c.store.Update(key, pod(key, node), 0, 0)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.commits++
	c.states[rev] = c.state()
	return rev
}

// want asks to be told when rev is durable.
func (c *cluster) want(rev kinds.Revision) {
	c.journal.WhenDurable(rev, func(err error) {
		if err != nil {
			c.refused++
			return
		}
		if c.journal.Durable() < rev {
			c.t.Errorf("revision %d is acknowledged, durable is %d", rev, c.journal.Durable())
		}
		c.acked = max(c.acked, rev)
	})
}

// checkRestored compares what a restore found with the state at its revision.
func (c *cluster) checkRestored(acked kinds.Revision) {
	c.t.Helper()
	rev := c.store.Revision()
	if rev < acked {
		c.t.Fatalf("restored revision %d, but %d was acknowledged", rev, acked)
	}
	if diff := cmp.Diff(c.states[rev], c.state()); diff != "" {
		c.t.Fatalf("restored at revision %d (-was +is):\n%s", rev, diff)
	}
	if rev > 0 && c.commits != int(rev) {
		c.t.Fatalf("extras at revision %d: got %d commits", rev, c.commits)
	}
}

func (c *cluster) expectState(want State, wantErr error) {
	c.t.Helper()
	if got, err := c.journal.State(); got != want || !errors.Is(err, wantErr) {
		c.t.Errorf("state: got %v, %v; want %v, %v", got, err, want, wantErr)
	}
}

func TestFlush(t *testing.T) {
	m := &Memory{}
	c := mustStart(t, m, Config{}, nil)
	c.expectState(Saved, nil)
	c.journal.Flush()
	if len(m.Records) != 0 {
		t.Error("a clean flush wrote a record")
	}
	c.set("a", "node-1")
	c.set("b", "node-1")
	c.set("b", "node-2")
	c.set("c", "node-1")
	c.set("c", "")
	c.want(2)
	c.want(5)
	c.expectState(Saving, nil)
	if c.acked != 0 || !c.journal.urgent() {
		t.Error("acknowledged before a flush")
	}
	c.journal.Flush()
	c.expectState(Saved, nil)
	if len(m.Records) != 1 || c.acked != 5 || c.journal.urgent() || c.journal.Durable() != 5 {
		t.Errorf("got %d records, acked %d, durable %d", len(m.Records), c.acked, c.journal.Durable())
	}
	c.journal.Touch()
	c.expectState(Saving, nil)
	saved := false
	c.journal.WhenSaved(func(err error) { saved = err == nil })
	if saved {
		t.Error("touched, and all is said to be saved before a flush")
	}
	c.journal.Flush()
	if len(m.Records) != 2 || !saved {
		t.Errorf("touched: %d records, saved %t", len(m.Records), saved)
	}
	next := mustStart(t, m, Config{}, c.states)
	next.checkRestored(5)
	if got := string(next.journal.Extras()["seed"]); got != "7" {
		t.Errorf("extras: got seed %q", got)
	}
}

// TestManySmallRecords become a snapshot long before they are big.
func TestManySmallRecords(t *testing.T) {
	m := &Memory{}
	c := mustStart(t, m, Config{}, nil)
	most := 0
	for i := range 600 {
		c.set("a", "node-"+strconv.Itoa(i))
		c.journal.Flush()
		most = max(most, len(m.Records))
	}
	if most > 260 || len(m.Snapshot) == 0 {
		t.Errorf("got %d records at most", most)
	}
	mustStart(t, m, Config{}, c.states).checkRestored(600)
}

func TestOneWriteInFlight(t *testing.T) {
	m := &Memory{Async: true}
	c := mustStart(t, m, Config{}, nil)
	c.set("a", "node-1")
	c.journal.Flush()
	for i := range 5 {
		c.want(c.set("a", "node-"+strconv.Itoa(i)))
		c.journal.Flush()
	}
	if n := m.Deliver(1); n != 1 || len(m.Records) != 1 || c.acked != 0 {
		t.Errorf("got %d records, acked %d; want the first alone", len(m.Records), c.acked)
	}
	if n := m.Deliver(5); n != 1 || len(m.Records) != 2 || c.acked != 6 {
		t.Errorf("got %d more writes, acked %d; want all that waited in one", n, c.acked)
	}
	c.expectState(Saved, nil)
}

// TestPace keeps a busy cluster lazily, in parts, and at once when somebody waits.
func TestPace(t *testing.T) {
	const ms, idle, busy = time.Millisecond, time.Duration(-1), time.Duration(0)
	m := &Memory{Async: true}
	c := mustStart(t, m, Config{Step: 10}, nil)
	pace := func(wall, next, want time.Duration, wantRecords int) {
		t.Helper()
		got := c.journal.Pace(wall, next)
		m.Deliver(9)
		if got != want || len(m.Records) != wantRecords {
			t.Errorf("got %v and %d records, want %v and %d", got, len(m.Records), want, wantRecords)
		}
	}
	fill := func(node string) {
		for i := range 25 {
			c.set("pod-"+strconv.Itoa(i), node)
		}
	}
	pace(time.Hour, idle, idle, 0)
	c.set("pod-0", "node-0")
	pace(0, idle, idle, 1) // nothing was written for long
	c.set("pod-0", "node-1")
	pace(20*ms, idle, 80*ms, 1)
	pace(0, 30*ms, 30*ms, 1)
	pace(80*ms, idle, idle, 2)

	fill("node-1")
	pace(600*ms, busy, busy, 2)
	fill("node-2")
	pace(600*ms, busy, 0, 2) // late: a record of revision 52 is begun
	fill("node-3")
	pace(0, busy, 0, 2)
	pace(0, busy, 0, 3)
	mustStart(t, &Memory{Records: m.Records}, Config{}, c.states).checkRestored(52)
	pace(0, busy, 0, 3)
	pace(100*ms, idle, 0, 3) // idle: the next one is begun
	c.want(60)
	pace(0, busy, 0, 4) // and written at once
	if c.acked != 60 {
		t.Errorf("acknowledged %d, want 60", c.acked)
	}
	fill("node-4")
	pace(100*ms, idle, 0, 4)
	c.set("pod-0", "node-5")
	c.store.Compact(c.store.Revision())
	pace(0, idle, idle, 5) // what it had begun is compacted: all at once
	mustStart(t, &Memory{Records: m.Records}, Config{}, c.states).checkRestored(103)

	c.set("pod-0", "node-6")
	c.journal.Pace(time.Second, idle)
	c.set("pod-0", "node-7")
	if got := c.journal.Pace(time.Second, idle); got != 25*ms {
		t.Errorf("while a write is in flight: got %v, want to be called again", got)
	}
	m.Err, m.Fail = errors.New("disk on fire"), 2
	m.Deliver(1)
	pace(400*ms, idle, 600*ms, 5)
	pace(600*ms, idle, 1000*ms, 5) // tries again, in vain
	pace(1500*ms, idle, 500*ms, 5)
	pace(500*ms, idle, 100*ms, 0) // by a snapshot, in place of the records
	c.expectState(Saved, nil)
}

// TestTornEndIsReplaced fails the snapshot that a torn end calls for: no record may follow it before.
func TestTornEndIsReplaced(t *testing.T) {
	m := &Memory{}
	c := goldenCluster(t, m)
	m.Records[1] = m.Records[1][:20]
	m.Async, m.Err = true, errors.New("disk on fire")
	c = mustStart(t, m, Config{}, c.states)
	c.checkRestored(2)
	m.Fail = 1
	m.Deliver(1)
	c.expectState(NotSaved, m.Err)
	rev := c.set("d", "node-1")
	c.journal.Retry()
	m.Deliver(1)
	c.want(rev)
	if c.acked != rev {
		t.Fatalf("acknowledged %d, want %d", c.acked, rev)
	}
	mustStart(t, &Memory{Snapshot: m.Snapshot, Records: m.Records}, Config{}, c.states).checkRestored(rev)
}

// TestLostBeginning takes away what the records that are kept follow: they are not taken for the end of a crash.
func TestLostBeginning(t *testing.T) {
	m := &Memory{}
	goldenCluster(t, m)
	m.Records = m.Records[1:]
	rest := len(m.Records)
	c, err := start(t, m, Config{}, nil)
	if !errors.Is(err, ErrCorrupt) {
		t.Fatalf("got %v, want ErrCorrupt", err)
	}
	c.expectState(NotSaved, ErrCorrupt)
	if m.Snapshot != nil || len(m.Records) != rest {
		t.Error("what is left was written to")
	}
}

func TestFailure(t *testing.T) {
	full := errors.New("quota exceeded")
	for _, lie := range []bool{false, true} {
		t.Run("kept all the same "+strconv.FormatBool(lie), func(t *testing.T) {
			m := &Memory{Lie: lie}
			c := mustStart(t, m, Config{}, nil)
			c.want(c.set("a", "node-1"))
			c.journal.Flush()
			c.expectState(Saved, nil)

			m.Err, m.Fail = full, 3
			c.want(c.set("b", "node-1"))
			c.journal.Flush()
			c.expectState(NotSaved, full)
			c.set("a", "node-2")
			c.want(c.set("b", ""))
			c.journal.Flush()
			if c.acked != 1 || c.refused != 2 {
				t.Errorf("while failing: acked %d, refused %d; want 1, 2", c.acked, c.refused)
			}
			var backoffs []time.Duration
			for range 2 {
				backoffs = append(backoffs, c.journal.Backoff())
				c.journal.Retry()
				c.expectState(NotSaved, full)
				mustStart(t, &Memory{Snapshot: m.Snapshot, Records: m.Records}, Config{}, c.states).checkRestored(1)
			}
			if want := []time.Duration{time.Second, 2 * time.Second}; !slices.Equal(backoffs, want) {
				t.Errorf("back-off: got %v, want %v", backoffs, want)
			}
			c.journal.Retry()
			c.expectState(Saved, nil)
			c.journal.Retry()
			c.want(4)
			if c.acked != 4 {
				t.Errorf("after the retry: acked %d, want 4", c.acked)
			}
			mustStart(t, m, Config{}, c.states).checkRestored(4)
		})
	}
}

func TestClose(t *testing.T) {
	m := &Memory{Async: true}
	c := mustStart(t, m, Config{}, nil)
	c.want(c.set("a", "node-1"))
	c.journal.Close()
	c.journal.Close()
	c.want(1)
	c.journal.Flush()
	if c.refused != 2 || m.Deliver(9) != 0 {
		t.Errorf("refused %d, want 2 and nothing written", c.refused)
	}
	c.expectState(NotSaved, ErrClosed)
}

// TestRandom runs a journal on a backend that fails, lies, delays and crashes, and checks every restore.
func TestRandom(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 2))
		m := &Memory{Async: r.IntN(3) > 0, Err: errors.New("disk on fire")}
		cfg := Config{SnapshotMin: 400, SnapshotFactor: 1, Step: 2}
		c := mustStart(t, m, cfg, nil)
		var acked kinds.Revision
		for range 250 {
			switch n := r.IntN(100); {
			case n < 40:
				c.set(string(rune('a'+r.IntN(12))), []string{"node-1", "node-2", ""}[r.IntN(3)])
			case n < 50:
				c.journal.Flush()
			case n < 60:
				c.journal.Pace(time.Duration(r.IntN(400))*time.Millisecond, time.Duration(r.IntN(3)-1))
			case n < 75:
				m.Deliver(1 + r.IntN(2))
			case n < 85:
				c.want(c.store.Revision() - kinds.Revision(r.Int64N(int64(c.store.Revision())+1)))
			case n < 90:
				m.Fail, m.Lie = r.IntN(3), r.IntN(2) == 0
			case n < 95:
				c.journal.Retry()
			default:
				acked = max(acked, c.acked)
				m.Crash()
				m.Fail = 0
				states := c.states
				c = mustStart(t, m, cfg, states)
				t.Logf("seed %d: restored at %d", seed, c.store.Revision())
				c.checkRestored(acked)
			}
		}
		m.Fail = 0
		for range 6 {
			c.journal.Retry()
			c.journal.Flush()
			m.Deliver(9)
		}
		if s, err := c.journal.State(); s != Saved {
			t.Fatalf("seed %d: in the end %v, %v", seed, s, err)
		}
		if c.want(c.store.Revision()); c.acked != c.store.Revision() {
			t.Fatalf("seed %d: saved, but not acknowledged", seed)
		}
		m.Async = false
		mustStart(t, m, cfg, c.states).checkRestored(c.store.Revision())
		if t.Failed() {
			t.FailNow()
		}
	}
}
