package main

import (
	"context"
	"time"

	"terrarium/core/cluster"
)

// slice is how long the cluster runs before requests get their turn.
const slice = 8 * time.Millisecond

// A driver owns a cluster: the one goroutine that touches it. Everyone else goes through do.
type driver struct {
	cluster *cluster.Cluster
	last    time.Time // up to when the cluster's time has passed
	posts   chan func()
	ended   chan struct{} // closed when run has returned
}

func newDriver(c *cluster.Cluster) *driver {
	return &driver{cluster: c, posts: make(chan func(), 256), ended: make(chan struct{})}
}

// do runs f on the cluster's goroutine and waits for it. It reports false when the cluster has ended.
func (d *driver) do(f func()) bool {
	done := make(chan struct{})
	select {
	case d.posts <- func() { f(); close(done) }:
	case <-d.ended:
		return false
	}
	select {
	case <-done:
		return true
	case <-d.ended:
		return false
	}
}

// run lets the cluster live until ctx ends.
func (d *driver) run(ctx context.Context) {
	defer close(d.ended)
	d.last = time.Now()
	paced := d.last
	timer := time.NewTimer(0)
	for {
		select {
		case <-ctx.Done():
			d.cluster.Flush()
			return
		case f := <-d.posts:
			d.pass(time.Now()) // what is asked for happens now
			f()
			d.drain()
		case <-timer.C:
		}
		now := time.Now()
		next := d.cluster.Pace(now.Sub(paced), d.pass(now))
		paced = now
		if next < 0 {
			next = time.Hour
		}
		timer.Reset(next)
	}
}

// pass lets the time pass in the cluster that has passed outside.
func (d *driver) pass(now time.Time) (next time.Duration) {
	wall := now.Sub(d.last)
	d.last = now
	return d.cluster.Clock.Slice(wall, func() bool { return time.Since(now) < slice })
}

// drain runs what has been posted so far.
func (d *driver) drain() {
	for range len(d.posts) {
		(<-d.posts)()
	}
}
