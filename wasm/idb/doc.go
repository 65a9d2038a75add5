// Package idb keeps a journal in the browser's IndexedDB.
//
// One database has two object stores: "snapshot" with at most one value, and "records" with one value for
// each record under ascending numbers. An Append is a transaction, a Replace is a transaction over both
// stores, so what is there is always a snapshot and the records behind it. Transactions ask for strict
// durability: what they report as written survives a crash of the browser and of the machine. For Chromium that takes
// a new log file after every Load; see renewLog.
//
// It promises: calls take effect in order; answers come through Config.Post; a refusal of the browser is an
// *Error that says what a person can do. A connection that the browser closes is opened again; if the
// database is gone then, Append fails until a Replace has written everything anew.
//
// Every call runs in one goroutine, which waits for nothing but IndexedDB: a transaction ends by itself
// when the program returns to the browser with no request of it pending.
package idb
