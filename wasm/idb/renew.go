//go:build js && wasm

package idb

import (
	"context"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"
)

// renewLog has Chromium begin a new log file before anything more is written to the present one.
//
// Chromium keeps IndexedDB in LevelDB and goes on with the log file that is there. When it was killed in the
// middle of a write, the last record of that file is cut short; the next one follows it all the same, the start
// after that takes the file for damaged, and every database of the page is deleted. When a database is deleted,
// however, what the log holds moves to a table at once and a new log begins. That takes it some 5 ms, in which
// being killed again would still do harm. Elsewhere nothing but a small database comes and goes.
func renewLog(name string, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := idb.Global().Open(ctx, name, version, func(*idb.Database, uint, uint) error { return nil })
	if err != nil {
		return err
	}
	db, err := request.Await(ctx)
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	deletion, err := idb.Global().DeleteDatabase(name)
	if err != nil {
		return err
	}
	return deletion.Await(ctx)
}
