//go:build js && wasm

package idb

import (
	"sync"
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"terrarium/core/store/journal"
	"terrarium/wasm/jsutil"
)

// Config says how a Backend behaves.
type Config struct {
	// Name is the database's name.
	Name string
	// Post runs a func on the thread that owns the journal. Every answer comes through it.
	Post func(func())
	// OpenTimeout is how long opening may take, which another tab can hold up. Default 10 s.
	OpenTimeout time.Duration
}

// A Backend keeps a journal in an IndexedDB database.
type Backend struct {
	cfg Config

	mu    sync.Mutex
	queue []func()
	more  chan struct{} // holds one token while queue may have something

	// The rest belongs to the goroutine that works the queue.
	conn    *idb.Database   // nil until opened and after the browser closed it
	opening chan connection // gets the result of an open that has begun; nil if none
	next    int             // number of the next record
	used    bool            // the database holds what was loaded or written here
	gone    bool            // it was found empty after that
	ended   error           // why every call but Clear is refused, if so
}

var _ journal.Backend = (*Backend)(nil)

// New returns the backend on the database of that name, which is opened, and made if there is none, by the
// first call.
func New(cfg Config) *Backend {
	if cfg.OpenTimeout <= 0 {
		cfg.OpenTimeout = 10 * time.Second
	}
	b := &Backend{cfg: cfg, more: make(chan struct{}, 1), next: 1}
	go b.work()
	return b
}

// Load implements journal.Backend.
func (b *Backend) Load(done func(snapshot []byte, records [][]byte, err error)) {
	var snapshot []byte
	var records [][]byte
	b.enqueue(func() (err error) {
		snapshot, records, err = b.load()
		return err
	}, func(err error) { done(snapshot, records, err) })
}

// Append implements journal.Backend.
func (b *Backend) Append(record []byte, done func(error)) {
	b.enqueue(func() error {
		number := b.next
		b.next++ // whatever comes of it: a write that failed may be there all the same
		return b.write(func(tx *idb.Transaction) error {
			records, err := tx.ObjectStore(recordStore)
			if err == nil {
				_, err = records.AddKey(js.ValueOf(number), jsutil.ToJS(record))
			}
			return err
		}, recordStore)
	}, done)
}

// Replace implements journal.Backend.
func (b *Backend) Replace(snapshot []byte, done func(error)) {
	b.enqueue(func() error { return b.replace(snapshot) }, done)
}

// Clear deletes everything that is kept. It is possible after Close and when nothing else is, too.
func (b *Backend) Clear(done func(error)) {
	b.enqueue(func() error {
		ended := b.ended
		b.ended = nil
		err := b.replace(nil)
		if b.ended = ended; ended != nil {
			b.drop()
		}
		return err
	}, done)
}

// Close implements journal.Backend. What was asked for before still happens.
func (b *Backend) Close() {
	b.enqueue(func() error {
		b.drop()
		b.ended = journal.ErrClosed
		return nil
	}, func(error) {})
}

// enqueue has do run behind everything enqueued before, and done told its error.
func (b *Backend) enqueue(do func() error, done func(error)) {
	b.mu.Lock()
	b.queue = append(b.queue, func() {
		err := b.guard(do)
		b.cfg.Post(func() { done(err) })
	})
	b.mu.Unlock()
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// work runs what is enqueued, for as long as the program.
func (b *Backend) work() {
	for range b.more {
		b.mu.Lock()
		queue := b.queue
		b.queue = nil
		b.mu.Unlock()
		for _, f := range queue {
			f()
		}
	}
}

// guard runs do, and turns whatever goes wrong into an error.
func (b *Backend) guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			b.drop()
			err = &Error{Reason: Failed, Err: asError(p)}
		}
	}()
	return do()
}
