//go:build js && wasm

package main

import (
	"errors"

	"terrarium/core/cluster"
	"terrarium/core/kinds"
	"terrarium/core/store/journal"
	"terrarium/wasm/idb"
)

// errMemoryOnly says why a page that nothing guards from a second one keeps nothing.
var errMemoryOnly = errors.New("this page is neither on https nor on localhost, so the browser lets several tabs write over each other: nothing is kept, and the cluster lives until the tab is closed")

// A keeper keeps a cluster and knows how that stands; Journal.Pace tries again when it fails. Where the browser has no
// storage for the page the cluster lives in memory, and the keeper says so.
type keeper struct {
	cluster *cluster.Cluster
	backend *idb.Backend // nil where nothing is kept
	refused error        // why nothing is kept
}

func newKeeper(c *cluster.Cluster, memoryOnly bool) *keeper {
	k := &keeper{cluster: c}
	if memoryOnly {
		k.refused = errMemoryOnly
		return k
	}
	// Nothing here blocks, so no callback is ever in the middle of something when idb has an answer.
	k.backend = idb.New(idb.Config{Name: "terrarium", Post: func(f func()) { f() }})
	return k
}

// restore brings back what is kept and goes on with done, whatever comes of it.
func (k *keeper) restore(done func(found bool)) {
	if k.backend == nil {
		done(false)
		return
	}
	k.cluster.Keep(k.backend, func(found bool, err error) {
		k.refused = err
		done(found && err == nil)
	})
}

// erase deletes what is kept and lets go of the storage.
func (k *keeper) erase(done func(error)) {
	if k.backend == nil {
		done(nil)
		return
	}
	k.cluster.Journal.Close()
	k.backend.Clear(func(err error) {
		k.backend.Close()
		done(err)
	})
}

// status says how what is kept stands, and what is wrong, in words for a person.
func (k *keeper) status() (saved, message string) {
	if k.refused != nil {
		return journal.NotSaved.String(), k.refused.Error()
	}
	state, err := k.cluster.Journal.State()
	if state == journal.NotSaved && err != nil {
		return state.String(), err.Error()
	}
	return state.String(), ""
}

// whenDurable calls done once everything up to rev is kept. A cluster that is kept nowhere does not make
// anybody wait for it.
func (k *keeper) whenDurable(rev kinds.Revision, done func(error)) {
	if k.refused != nil {
		done(nil)
		return
	}
	k.cluster.WhenDurable(rev, done)
}

// onceKept calls done when the cluster is kept for the first time, and never where it is not.
func (k *keeper) onceKept(done func()) {
	if k.refused != nil {
		return
	}
	k.cluster.WhenSaved(func(err error) {
		if err == nil {
			done()
		}
	})
}

// whenSaved is whenDurable for everything there is, the clock included.
func (k *keeper) whenSaved(done func(error)) {
	if k.refused != nil {
		done(nil)
		return
	}
	k.cluster.WhenSaved(done)
}
