// Package journal keeps a store on a Backend: memory, a file, or IndexedDB.
//
// What is kept is a snapshot and the records written since. A record holds the final state of every key
// that changed since the record before it, so one Flush a loop slice is a group commit.
//
// It promises:
//   - what is kept is always the state at one revision: a crash at any instant loses at most the newest
//     commits, never one in the middle;
//   - WhenDurable answers nil only after everything up to that revision is kept for good;
//   - after a failed write nothing is acknowledged until a Retry has saved everything; nothing that was
//     acknowledged is lost, and what is unsaved is bounded by the number of keys;
//   - a format from an older version is read and rewritten; one from a newer version is refused and left
//     alone.
//
// It does not promise to keep history: after a restore the store's history starts at its revision.
//
// Use: make the store with OnCommit calling Journal.Commit, call Restore, run, call Flush once per slice of
// the loop. Like the store it belongs to one goroutine; a Backend calls back on that one.
//
//	commits:   1 a   2 b   3 a | 4 b   5 -a | 6 c
//	records:   (0,3] a b       | (3,5] b -a | (5,6] c
//	snapshot at 5 of b, then record (5,6]: Replace drops the records before in the same step.
package journal
