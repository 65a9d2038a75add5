package journal

import (
	"errors"
	"strconv"
	"time"

	"terrarium/core/kinds"
	"terrarium/core/store"
)

// Config says how a Journal behaves; its zero value works.
type Config struct {
	// Extras returns what else a restore needs: the clock, the seed, counters. It is called for every
	// record.
	Extras func() map[string][]byte
	// SnapshotFactor says when a snapshot is due: when the records since the last one exceed it this
	// many times (or are very many). Less space and a faster restore, more writing. Default 4.
	SnapshotFactor int
	// SnapshotMin is how many bytes of records are always left alone. Default 1 MiB.
	SnapshotMin int
	// Step is how many objects one Pace, or the part of a snapshot in one Flush, encodes, so that none
	// takes long. Default 250.
	Step int
	// Rest is how long, by the wall clock, Pace leaves between records that nobody waits for: what a
	// crash may lose, against how often the disk is bothered. Default 100 ms.
	Rest time.Duration
	// Lazy is the same while the cluster is busy: an object that changes often is then encoded once.
	// Default 1 s.
	Lazy time.Duration
}

func (c *Config) setDefaults() {
	if c.Extras == nil {
		c.Extras = func() map[string][]byte { return nil }
	}
	if c.SnapshotFactor <= 0 {
		c.SnapshotFactor = 4
	}
	if c.SnapshotMin <= 0 {
		c.SnapshotMin = 1 << 20
	}
	if c.Step <= 0 {
		c.Step = 250
	}
	if c.Rest <= 0 {
		c.Rest = 100 * time.Millisecond
	}
	if c.Lazy <= 0 {
		c.Lazy = time.Second
	}
}

// A Journal keeps one store on one backend.
type Journal struct {
	cfg     Config
	store   *store.Store
	backend Backend
	codec   Codec
	layout  layout
	phase   phase

	dirty   keySet        // keys changed later than begun
	touches uint64        // calls of Touch
	begun   mark          // up to here is durable or in the write in flight
	durable mark          // up to here is kept for good
	pending *write        // a record that is being encoded
	writing *write        // in flight; there is at most one, and none pending: a failure concerns no other
	unsaved time.Duration // wall time that Pace was told of since a record was begun
	again   bool          // Flush was called while a write was in flight
	busy    bool          // the last Pace was told that the cluster has something to do at once

	failed   error // why the last write failed; nil once one succeeded
	failures int   // in a row

	records  int // behind the snapshot
	logged   int // bytes of them
	snapshot int // bytes of the snapshot
	building *builder
	// mustReplace is set when what is kept has a broken end, which no record may follow.
	mustReplace bool
	enc         encoder

	waiters  []waiter
	restored map[string][]byte
	dropped  int
}

// A phase says what the journal may do.
type phase uint8

const (
	unopened phase = iota // before Restore has finished: nothing is written
	open
	detached // Restore failed or Close was called: nothing is ever written
)

// A mark says how much is kept or is to be: every commit up to rev, and the extras as of so many Touches.
type mark struct {
	rev     kinds.Revision
	touches uint64
}

func (m mark) covers(o mark) bool { return m.rev >= o.rev && m.touches >= o.touches }

// now marks all there is.
func (j *Journal) now() mark { return mark{j.store.Revision(), j.touches} }

// A write is on its way to the backend.
type write struct {
	keys     []kinds.Key // dirty again if it fails
	encoded  int         // how many of them are
	from, to mark
	extras   map[string][]byte
	record   []byte // nil for a snapshot
	size     int
}

// keepMemory bounds the memory that is kept from one record to the next.
const keepMemory = 1 << 20

// New returns the journal of s, which calls Commit from its Config.OnCommit. Nothing is written before
// Restore.
func New(s *store.Store, backend Backend, codec Codec, cfg Config) *Journal {
	cfg.setDefaults()
	return &Journal{cfg: cfg, store: s, backend: backend, codec: codec}
}

// Commit notes that ev is to be kept.
func (j *Journal) Commit(ev store.Event) { j.dirty.add(ev.Key) }

// Touch asks for a record at the next Flush even if nothing was committed, to keep the extras.
func (j *Journal) Touch() { j.touches++ }

// Flush writes what was committed since the last record as one record. It is cheap when there is nothing
// to do. While a write is in flight it waits for its end, so that slow storage makes larger records.
func (j *Journal) Flush() {
	if j.phase == open && j.failed == nil {
		j.flush()
	}
}

func (j *Journal) flush() {
	if j.pending != nil {
		j.encode(len(j.pending.keys))
	}
	j.stepSnapshot()
	switch {
	case !j.dirtied() || j.failed != nil:
	case j.writing != nil:
		j.again = true
	default:
		j.append()
	}
}

func (j *Journal) dirtied() bool { return len(j.dirty.list) > 0 || j.touches > j.begun.touches }

// append writes a record of all that is dirty.
func (j *Journal) append() {
	j.begin()
	j.encode(len(j.pending.keys))
}

// begin begins a record of all that is dirty.
func (j *Journal) begin() {
	w := j.take()
	j.pending = w
	j.unsaved = 0
	j.enc.begin(j.layout.version(), kindRecord, w.from.rev, w.to.rev, w.extras)
	j.enc.expect(len(w.keys))
}

// take returns a write of all that is dirty.
func (j *Journal) take() *write {
	w := &write{keys: j.dirty.take(), from: j.begun, to: j.now(), extras: j.cfg.Extras()}
	j.begun = w.to
	return w
}

// encode adds the next n keys to the pending record, and writes it when all are in.
func (j *Journal) encode(n int) {
	w := j.pending
	for ; w.encoded < len(w.keys) && n > 0; n-- {
		if err := j.encodeKey(w.keys[w.encoded], w.to.rev); errors.Is(err, store.ErrTooOld) {
			j.giveBack(w)
			j.append() // at once, so that it comes to an end
			return
		} else if err != nil {
			j.fail(w, err)
			return
		}
		w.encoded++
	}
	if w.encoded < len(w.keys) {
		return
	}
	w.record = j.enc.finish()
	w.size = len(w.record)
	j.pending, j.writing = nil, w
	j.backend.Append(w.record, func(err error) { j.finish(w, err) })
}

// encodeKey adds the state of key at rev to the pending record.
func (j *Journal) encodeKey(key kinds.Key, rev kinds.Revision) error {
	obj, ok, err := j.store.GetAt(key, rev)
	if err != nil {
		return err
	}
	if !ok {
		j.enc.delete(key)
		return nil
	}
	return j.encodeObject(&j.enc, key, obj)
}

// giveBack makes what w holds dirty again.
func (j *Journal) giveBack(w *write) {
	j.pending = nil
	j.begun = j.durable
	j.dirty.putBack(w.keys)
}

func (j *Journal) encodeObject(e *encoder, key kinds.Key, obj kinds.Object) error {
	rev, err := strconv.ParseInt(obj.GetResourceVersion(), 10, 64)
	if err != nil {
		panic("BUG: " + key.String() + " is in the store with resourceVersion " + strconv.Quote(obj.GetResourceVersion()))
	}
	data, err := j.codec.Encode(obj)
	if err != nil {
		return &CodecError{key, err}
	}
	e.put(key, kinds.Revision(rev), data)
	return nil
}

// finish takes the backend's answer to w.
func (j *Journal) finish(w *write, err error) {
	if j.writing != w {
		panic("BUG: the backend answered a write twice")
	}
	j.writing = nil
	if err != nil {
		j.fail(w, err)
		return
	}
	j.failed, j.failures = nil, 0
	j.durable = w.to
	if w.record == nil {
		j.snapshot, j.records, j.logged, j.mustReplace = w.size, 0, 0, false
	} else {
		j.recorded(w)
	}
	if cap(j.enc.buf) > keepMemory {
		j.enc.buf = nil
	}
	again := j.again || j.urgent() || j.building != nil && j.building.done
	j.again = false
	j.settle()
	if again {
		j.Flush()
	}
}

// urgent reports whether someone waits for a commit that is not in a write in flight.
func (j *Journal) urgent() bool {
	for _, w := range j.waiters {
		if !j.begun.covers(w.mark) || j.pending != nil && !j.pending.from.covers(w.mark) {
			return true
		}
	}
	return false
}

// fail takes w back: what it held is dirty again. It may have been kept all the same; the next record
// begins where w began and holds all of it, so either way the records add up.
func (j *Journal) fail(w *write, err error) {
	j.giveBack(w)
	j.failed = err
	j.failures++
	j.unsaved = 0
	j.building = nil
	j.again = false
	j.refuse(err)
}

// Retry tries a failed write again, with everything committed since. It does nothing when no write failed.
// Every second try writes a snapshot, which needs nothing of what is there and frees the records' space.
func (j *Journal) Retry() {
	if j.phase != open || j.failed == nil || j.writing != nil {
		return
	}
	if j.mustReplace || j.failures%2 == 0 {
		j.replaceAll()
	} else {
		j.append()
	}
}

// Close gives up the backend after what it has begun. Nothing more is written; call Flush before.
func (j *Journal) Close() {
	if j.phase == detached {
		return
	}
	j.phase = detached
	j.refuse(ErrClosed)
	j.backend.Close()
}
