package cluster

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"terrarium/core/kinds"
	"terrarium/core/store/journal"
)

// Keep keeps the cluster on a backend: it restores what is kept there, if anything, and from then on every
// Flush writes what was committed. Call it once, before Start; done is called at once or when the backend has
// answered.
//
// After an error the cluster is new, works, and is not kept; what the backend holds stays as it is.
func (c *Cluster) Keep(backend journal.Backend, done func(found bool, err error)) {
	c.Journal = journal.New(c.Store, backend, storedCodec{c.Codec}, journal.Config{Extras: c.extras})
	c.Journal.Restore(func(found bool, err error) {
		if found && err == nil {
			err = c.recall(c.Journal.Extras())
		}
		c.OnCommit(c.Journal.Commit)
		c.Clock.OnChange(c.Journal.Touch)
		done(found, err)
	})
}

// Flush writes what was committed since the last Flush. Call it once a loop slice.
func (c *Cluster) Flush() {
	if c.Journal != nil {
		c.Journal.Flush()
	}
}

// Pace is Flush for a loop that must not be held up: wall is the time since the last Pace, next how long the
// cluster has nothing to do. It returns when to be called again; see journal.Pace.
func (c *Cluster) Pace(wall, next time.Duration) time.Duration {
	if c.Journal == nil {
		return next
	}
	return c.Journal.Pace(wall, next)
}

// WhenDurable calls done with nil once everything up to rev is kept for good, or at once where the
// cluster is kept nowhere.
func (c *Cluster) WhenDurable(rev kinds.Revision, done func(error)) {
	if c.Journal == nil || rev == 0 {
		done(nil)
		return
	}
	c.Journal.WhenDurable(rev, done)
}

// WhenSaved is WhenDurable for everything there is: every commit, the clock's speed and whether it stands.
func (c *Cluster) WhenSaved(done func(error)) {
	if c.Journal == nil {
		done(nil)
		return
	}
	c.Journal.WhenSaved(done)
}

// The extras of a record: what is not in the store and has to come back with it.
const (
	extraNow    = "now"    // virtual time, nanoseconds since 1970
	extraSeed   = "seed"   // of this run
	extraSpeed  = "speed"  // bits of a float64
	extraPaused = "paused" // 1 or 0
)

func (c *Cluster) extras() map[string][]byte {
	paused := uint64(0)
	if c.Clock.Paused() {
		paused = 1
	}
	return map[string][]byte{
		extraNow:    binary.BigEndian.AppendUint64(nil, uint64(c.Loop.Now().UnixNano())),
		extraSeed:   binary.BigEndian.AppendUint64(nil, c.Loop.Seed()),
		extraSpeed:  binary.BigEndian.AppendUint64(nil, math.Float64bits(c.Clock.Speed())),
		extraPaused: binary.BigEndian.AppendUint64(nil, paused),
	}
}

// recall goes on from where the kept cluster stopped. The seed is mixed with the revision, so that a
// cluster that comes back does not draw the same names again.
func (c *Cluster) recall(extras map[string][]byte) error {
	n := make(map[string]uint64, 4)
	for _, key := range []string{extraNow, extraSeed, extraSpeed, extraPaused} {
		if len(extras[key]) != 8 {
			return fmt.Errorf("the kept cluster lacks its %s", key)
		}
		n[key] = binary.BigEndian.Uint64(extras[key])
	}
	const golden = 0x9e3779b97f4a7c15
	c.Loop.Restart(time.Unix(0, int64(n[extraNow])).UTC(), n[extraSeed]^uint64(c.Store.Revision())*golden)
	c.Clock.target = c.Loop.Now()
	if err := c.Clock.SetSpeed(math.Float64frombits(n[extraSpeed])); err != nil {
		return err
	}
	if n[extraPaused] == 1 {
		c.Clock.Pause()
	}
	return nil
}

// storedCodec is how the journal sees the codec.
type storedCodec struct{ codec stored }

type stored interface {
	EncodeStored(kinds.Object) ([]byte, error)
	DecodeStored(resource string, data []byte) (kinds.Object, error)
}

func (s storedCodec) Encode(obj kinds.Object) ([]byte, error) { return s.codec.EncodeStored(obj) }

func (s storedCodec) Decode(resource string, data []byte) (kinds.Object, error) {
	return s.codec.DecodeStored(resource, data)
}
