package store

import (
	"slices"

	"terrarium/core/kinds"
)

// A Cursor pulls the changes of one resource, in one namespace or all, each once and in order.
type Cursor struct {
	store     *Store
	table     *table
	namespace string
	wake      func()
	// next is where to look on, a sequence number of the table's log. It means nothing while drained:
	// then every change so far was seen, and next is set by the one that comes.
	next    uint64
	drained bool
	closed  bool
}

// Watch returns a cursor over the changes of resource, in namespace ("" is all), later than from. Pull
// what is there already; whenever the cursor is drained and a change comes, wake is called, once, from
// within the commit: it may only mark or post. Possible errors: ErrTooOld, ErrFuture.
func (s *Store) Watch(resource, namespace string, from kinds.Revision, wake func()) (*Cursor, error) {
	if err := s.readable(from); err != nil {
		return nil, err
	}
	t := s.table(resource)
	c := &Cursor{store: s, table: t, namespace: namespace, wake: wake, next: t.log.after(from)}
	if err := c.skip(); err != nil {
		return nil, err
	}
	t.cursors = append(t.cursors, c)
	return c, nil
}

// notify tells the cursor of the event just committed with the given sequence number.
func (c *Cursor) notify(ev *Event, seq uint64) {
	if !c.drained || c.namespace != "" && c.namespace != ev.Key.Namespace {
		return
	}
	c.drained = false
	c.next = seq
	if c.wake != nil {
		c.wake()
	}
}

// Next returns the next change; ok is false when all were seen. The error is ErrTooOld when changes not
// yet seen have been compacted; it stays so.
func (c *Cursor) Next() (ev Event, ok bool, err error) {
	if err := c.skip(); err != nil || c.drained {
		return Event{}, false, err
	}
	ev = *c.table.log.at(c.next)
	c.next++
	c.store.check(ev.Key, ev.Object)
	return ev, true, nil
}

// skip moves to the next event of the cursor's namespace or finds itself drained.
func (c *Cursor) skip() error {
	if c.closed {
		c.drained = true
	}
	if c.drained {
		return nil
	}
	log := &c.table.log
	if c.next < log.first {
		return ErrTooOld
	}
	end := log.end()
	if c.namespace != "" {
		for c.next < end && log.at(c.next).Key.Namespace != c.namespace {
			c.next++
		}
	}
	c.drained = c.next == end
	return nil
}

// Revision returns a revision up to which the cursor has given every change: a reader that stops here
// can watch on from it. It is the store's revision when the cursor is drained.
func (c *Cursor) Revision() kinds.Revision {
	log := &c.table.log
	if !c.drained && c.next < log.first {
		return 0 // too old: nothing to resume from
	}
	seq := c.next
	if !c.drained {
		for seq < log.end() && c.namespace != "" && log.at(seq).Key.Namespace != c.namespace {
			seq++
		}
		if seq < log.end() {
			return log.at(seq).Revision - 1
		}
	}
	return c.store.rev
}

// Close ends the cursor: it is not woken again and gives nothing more.
func (c *Cursor) Close() {
	if c.closed {
		return
	}
	c.closed, c.drained = true, true
	t := c.table
	if i := slices.Index(t.cursors, c); i >= 0 {
		// A wake may close cursors while commit walks the list, so the list itself is left alone.
		t.cursors = slices.Delete(slices.Clone(t.cursors), i, i+1)
	}
}
