// Package nodelifecycle is the node lifecycle controller: it notices that a node no longer gives a sign of
// life, says so in the node's conditions and taints, and holds back when too many fail at once.
//
// It promises: upstream's periods, conditions, taints, zone states and eviction rates (Kubernetes 1.37,
// pkg/controller/nodelifecycle). What to do about a node is decided in health.go, taints.go and zone.go
// from values alone. Pods are evicted by package tainteviction, which follows the NoExecute taints.
//
// Differs: a pass over healthy nodes leaves no trace; a span is opened only for a node that something is
// done about. Adding a taint and removing its opposite is one write.
package nodelifecycle

import "time"

// Name is what the controller calls itself in spans and requests; eventSource in events.
const (
	Name        = "node-lifecycle-controller"
	account     = "node-controller"
	eventSource = "node-controller"
)

const (
	monitorPeriod = 5 * time.Second
	// graceKnown is how long a node that has posted a status may be silent, graceNew one that has not yet.
	graceKnown = 50 * time.Second
	graceNew   = 60 * time.Second

	workers = 8

	// evictionRate is how many nodes a second are tainted NoExecute in a healthy zone; slowRate in a large
	// zone of which much is unhealthy. Smaller zones stop then.
	evictionRate = 0.1
	slowRate     = 0.01
	largeZone    = 50
	// unhealthyShare of a zone's nodes, and at least unhealthyLeast, make it unhealthy.
	unhealthyShare = 0.55
	unhealthyLeast = 3
	taintPeriod    = 100 * time.Millisecond

	// tries is how often a write that conflicts is made anew on the live node.
	tries = 5
)
