// Package store keeps the objects of a cluster at every recent revision.
//
// Every commit (create, update, delete) of any resource takes the next revision: one ever-growing
// sequence for the whole cluster, as etcd has. The newest state is read by key or as a sorted list; the
// state at an older revision can be read until it is compacted; a Cursor pulls the changes of one
// resource from a revision on.
//
// It promises:
//   - a write that names an expected revision changes nothing unless that is the object's revision;
//   - a cursor gives every later change of its resource (and namespace) once, in order, or ErrTooOld;
//   - reads at a revision see exactly the commits up to it;
//   - committed objects are never changed, so readers share them by pointer.
//
// It does not promise that an event still is the newest state, that a reader who falls behind the kept
// history can go on (it gets ErrTooOld and lists again), or anything to concurrent callers: one goroutine
// owns a Store.
//
// Tombstones: a deleted key keeps its history until compaction.
//
//	commits:        1 create a   2 update a   3 delete a   4 create a
//	versions of a:  1:v1         2:v2         3:(gone)     4:v4
//
//	Compact(1) leaves 1:v1 2:v2 3:(gone) 4:v4   reads at 1, 2, 3, 4
//	Compact(2) leaves      2:v2 3:(gone) 4:v4   reads at 2, 3, 4
//	Compact(3) leaves                    4:v4   reads at 3 (finds nothing), 4
package store
