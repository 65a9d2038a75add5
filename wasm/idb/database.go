//go:build js && wasm

package idb

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"terrarium/wasm/jsutil"
)

const (
	version       = 1 // of the database's make-up; the records have a version of their own
	snapshotStore = "snapshot"
	recordStore   = "records"
)

// load reads everything.
func (b *Backend) load() (snapshot []byte, records [][]byte, err error) {
	tx, err := b.begin(idb.TransactionReadOnly, snapshotStore, recordStore)
	if err != nil {
		return nil, nil, err
	}
	if snapshot, records, err = b.read(tx); err != nil {
		return nil, nil, b.failed(err)
	}
	b.used = true
	if snapshot != nil || len(records) > 0 {
		_ = renewLog(b.cfg.Name+"-log", b.cfg.OpenTimeout) // a precaution: what is kept can be used without it
	}
	return snapshot, records, nil
}

func (b *Backend) read(tx *idb.Transaction) (snapshot []byte, records [][]byte, err error) {
	ctx := context.Background()
	store, err := tx.ObjectStore(snapshotStore)
	if err != nil {
		return nil, nil, err
	}
	get, err := store.Get(js.ValueOf(0))
	if err != nil {
		return nil, nil, err
	}
	value, err := get.Await(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !value.IsUndefined() {
		snapshot = jsutil.ToGo(value)
	}
	if store, err = tx.ObjectStore(recordStore); err != nil {
		return nil, nil, err
	}
	cursor, err := store.OpenCursor(idb.CursorNext)
	if err != nil {
		return nil, nil, err
	}
	err = cursor.Iter(ctx, func(c *idb.CursorWithValue) error {
		key, err := c.Key()
		if err != nil {
			return err
		}
		value, err := c.Value()
		if err != nil {
			return err
		}
		records = append(records, jsutil.ToGo(value))
		b.next = key.Int() + 1
		return nil
	})
	return snapshot, records, err
}

// replace leaves snapshot, or nothing if it is nil.
func (b *Backend) replace(snapshot []byte) error {
	err := b.write(func(tx *idb.Transaction) error {
		records, err := tx.ObjectStore(recordStore)
		if err != nil {
			return err
		}
		if _, err := records.Clear(); err != nil {
			return err
		}
		store, err := tx.ObjectStore(snapshotStore)
		if err != nil {
			return err
		}
		if snapshot == nil {
			_, err = store.Clear()
		} else {
			_, err = store.PutKey(js.ValueOf(0), jsutil.ToJS(snapshot))
		}
		return err
	}, recordStore, snapshotStore)
	if err == nil {
		b.gone = false
	}
	return err
}

// write runs do in a transaction and waits until that is durable.
func (b *Backend) write(do func(*idb.Transaction) error, stores ...string) error {
	tx, err := b.begin(idb.TransactionReadWrite, stores...)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		tx.Abort() // may have ended by itself; err says more
		return b.failed(err)
	}
	if err := tx.Await(context.Background()); err != nil {
		return b.failed(err)
	}
	b.used = true
	return nil
}

// begin starts a transaction, on a new connection if the browser has closed the old one.
func (b *Backend) begin(mode idb.TransactionMode, stores ...string) (*idb.Transaction, error) {
	had := b.conn != nil
	for {
		if err := b.open(); err != nil {
			return nil, err
		}
		if b.gone && mode == idb.TransactionReadWrite && len(stores) == 1 {
			return nil, &Error{Reason: Gone} // a record would follow nothing
		}
		options := idb.TransactionOptions{Mode: mode, Durability: idb.DurabilityStrict}
		tx, err := b.conn.TransactionWithOptions(options, stores[0], stores[1:]...)
		if err == nil {
			return tx, nil
		}
		err = b.failed(err)
		if !had {
			return nil, err
		}
		had = false
	}
}

// open connects to the database.
func (b *Backend) open() error {
	if b.ended != nil {
		return b.ended
	}
	if b.conn != nil {
		return nil
	}
	if b.opening == nil {
		b.opening = make(chan connection, 1)
		go connect(b.cfg.Name, b.opening)
	}
	patience := time.NewTimer(b.cfg.OpenTimeout)
	defer patience.Stop()
	select {
	case c := <-b.opening:
		b.opening = nil
		b.conn = c.db
		b.gone = b.gone || c.made && b.used
		return c.err
	case <-patience.C:
		return &Error{Reason: Blocked} // the next try goes on waiting for this one
	}
}

// A connection is what became of opening a database.
type connection struct {
	db   *idb.Database
	made bool // it was not there before
	err  error
}

// connect opens the database of that name for as long as it takes.
func connect(name string, result chan<- connection) {
	var c connection
	defer func() {
		if p := recover(); p != nil { // no indexedDB here: go-indexeddb panics
			c = connection{err: &Error{Reason: Unavailable, Err: asError(p)}}
		}
		result <- c
	}()
	request, err := idb.Global().Open(context.Background(), name, version, func(db *idb.Database, _, _ uint) error {
		c.made = true
		for _, name := range []string{snapshotStore, recordStore} {
			if _, err := db.CreateObjectStore(name, idb.ObjectStoreOptions{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		c.db, err = request.Await(context.Background())
	}
	if err != nil {
		c = connection{err: &Error{Reason: opened(nameOf(err)), Err: err}}
	}
}

// failed gives err its reason. The connection is given up unless it is known to be good.
func (b *Backend) failed(err error) error {
	e := &Error{Reason: used(nameOf(err)), Err: err}
	switch e.Reason {
	case Full:
	case Taken:
		b.ended = e
		b.drop()
	default:
		b.drop()
	}
	return e
}

// drop gives up the connection.
func (b *Backend) drop() {
	if b.conn != nil {
		b.conn.Close() // may be closed already
		b.conn = nil
	}
}

// nameOf returns the name of the DOMException that err is, or "".
func nameOf(err error) string {
	var thrown js.Error
	if errors.As(err, &thrown) {
		return thrown.Get("name").String()
	}
	for _, name := range exceptions() {
		if errors.Is(err, idb.NewDOMException(name)) {
			return name
		}
	}
	return ""
}

func asError(p any) error {
	if err, ok := p.(error); ok {
		return err
	}
	return fmt.Errorf("%v", p)
}
