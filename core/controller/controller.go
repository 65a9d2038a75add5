// Package controller runs reconcile functions: it takes keys off a work queue, opens a span for each, and
// retries what failed. Each controller of kube-controller-manager has a folder of its own below.
//
// It promises: one key is never reconciled twice at the same time; a reconcile runs at one instant of
// virtual time, after which its worker is busy for as long as the requests it made took; an error, or a
// panic, is retried with a growing delay.
//
// Models client-go examples/workqueue and every controller's processNextWorkItem.
package controller

import (
	"fmt"
	"runtime/debug"
	"time"

	"terrarium/core/kinds"
	"terrarium/core/loop"
	"terrarium/core/trace"
	"terrarium/core/workqueue"
)

// Config is what a controller's run loop needs.
type Config struct {
	Name    string // "replicaset-controller"
	Workers int    // default 5, as kube-controller-manager's concurrent syncs
	Loop    *loop.Loop
	Trace   *trace.Recorder
	Queue   *workqueue.Queue
	// Reconcile compares what is wanted with what is, for one key, and writes through the API. It must
	// not assume anything about why it was called.
	Reconcile func(key kinds.Key) error
	// MaxRetries drops a key after so many failures in a row; 0 retries for ever.
	MaxRetries int
	// Ready, when set, must return true before the first key is taken (caches have synced).
	Ready func() bool
}

// A Controller hands keys to a reconcile function.
type Controller struct {
	cfg    Config
	label  loop.Label
	idle   int  // workers that hold no key
	posted bool // a task that takes keys is on the loop
}

// New returns a controller and connects it to its queue; it starts with the first key added.
func New(cfg Config) *Controller {
	if cfg.Workers == 0 {
		cfg.Workers = 5
	}
	c := &Controller{cfg: cfg, idle: cfg.Workers, label: loop.Label{Component: cfg.Name, Action: "reconcile"}}
	cfg.Queue.OnReady(c.Kick)
	return c
}

// Queue returns the controller's queue.
func (c *Controller) Queue() *workqueue.Queue { return c.cfg.Queue }

// Name returns the controller's name.
func (c *Controller) Name() string { return c.cfg.Name }

// Kick makes the controller look at its queue; Config.Ready turning true is such an occasion.
func (c *Controller) Kick() {
	if c.posted || c.idle == 0 || c.cfg.Queue.Len() == 0 {
		return
	}
	if c.cfg.Ready != nil && !c.cfg.Ready() {
		return
	}
	c.posted = true
	c.cfg.Loop.Post(c.label, c.next)
}

// next reconciles one key and keeps its worker busy for the time that took.
func (c *Controller) next() {
	c.posted = false
	item, ok := c.cfg.Queue.Get()
	if !ok {
		return
	}
	c.idle--
	cost := c.reconcile(item)
	done := func() {
		c.idle++
		c.cfg.Queue.Done(item.Key)
		c.Kick()
	}
	if cost <= 0 {
		done()
	} else {
		c.cfg.Loop.After(cost, loop.Label{Component: c.cfg.Name, Action: "finish", Object: item.Key.ID()}, done)
	}
	c.Kick()
}

// reconcile runs the function inside a span and returns the span's duration, in virtual time.
func (c *Controller) reconcile(item workqueue.Item) (cost time.Duration) {
	span := c.cfg.Trace.Begin(c.cfg.Name, trace.Reconcile, item.Key, item.Triggers)
	err := c.call(item.Key)
	c.cfg.Trace.End(span, err)
	switch {
	case err == nil:
		c.cfg.Queue.Forget(item.Key)
	case c.cfg.MaxRetries > 0 && c.cfg.Queue.NumRequeues(item.Key) >= c.cfg.MaxRetries:
		c.cfg.Queue.Forget(item.Key)
	default:
		c.cfg.Queue.AddRateLimited(item.Key)
	}
	return span.Cost()
}

// call turns a panic of one reconcile into an error, so that one bad object cannot stop the cluster.
func (c *Controller) call(key kinds.Key) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("BUG: %s panicked on %s: %v\n%s", c.cfg.Name, key, p, debug.Stack())
		}
	}()
	return c.cfg.Reconcile(key)
}
