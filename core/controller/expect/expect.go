// Package expect is what a controller waits to see in its informers after it wrote: a cache lags behind the
// writes, and a controller that counts its pods too early makes too many.
//
// Counts are upstream's expectations: so many creates, these deletes. Writes remember revisions.
package expect

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
)

// Timeout is how long a count that is not fulfilled keeps its controller waiting.
const Timeout = 5 * time.Minute

// Counts are the creates and deletes that each key waits for. The zero value is ready to use.
type Counts struct {
	byKey map[kinds.Key]*count
}

type count struct {
	creates int
	deletes map[types.UID]bool
	since   time.Time
}

// Creates makes key wait for n creates, forgetting what it waited for.
func (c *Counts) Creates(key kinds.Key, n int, now time.Time) {
	c.set(key, &count{creates: n, since: now})
}

// Deletes makes key wait for the deletion of each of the objects, forgetting what it waited for.
func (c *Counts) Deletes(key kinds.Key, uids []types.UID, now time.Time) {
	set := make(map[types.UID]bool, len(uids))
	for _, uid := range uids {
		set[uid] = true
	}
	c.set(key, &count{deletes: set, since: now})
}

func (c *Counts) set(key kinds.Key, n *count) {
	if c.byKey == nil {
		c.byKey = make(map[kinds.Key]*count)
	}
	c.byKey[key] = n
}

// Created notes that a create was seen, or that it will not come.
func (c *Counts) Created(key kinds.Key) {
	if n := c.byKey[key]; n != nil {
		n.creates--
	}
}

// Deleted notes that a delete was seen (as a deletion timestamp or as the end), or that it will not come.
// Seeing one twice is the same as once.
func (c *Counts) Deleted(key kinds.Key, uid types.UID) {
	if n := c.byKey[key]; n != nil {
		delete(n.deletes, uid)
	}
}

// Forget drops what key waits for.
func (c *Counts) Forget(key kinds.Key) { delete(c.byKey, key) }

// Satisfied reports whether key waits for nothing, or has waited too long.
func (c *Counts) Satisfied(key kinds.Key, now time.Time) bool {
	n := c.byKey[key]
	if n == nil {
		return true
	}
	return n.creates <= 0 && len(n.deletes) == 0 || now.Sub(n.since) > Timeout
}
