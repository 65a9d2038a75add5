package cluster

import (
	"time"

	"terrarium/core/loop"
)

// A Profile says how long things take in a cluster, in virtual time.
type Profile struct {
	Name     string
	API      loop.Range // one request
	Watch    loop.Range // a change on its way to an informer
	Schedule loop.Range // one scheduling cycle
	Pull     loop.Range // an image that is not on the node yet
	Start    loop.Range // a container
}

// Realistic returns the profile that feels like a cluster.
func Realistic() Profile {
	return Profile{
		Name:     "realistic",
		API:      loop.Range{Min: time.Millisecond, Max: 5 * time.Millisecond},
		Watch:    loop.Range{Min: time.Millisecond, Max: 10 * time.Millisecond},
		Schedule: loop.Range{Min: 5 * time.Millisecond, Max: 20 * time.Millisecond},
		Pull:     loop.Range{Min: 500 * time.Millisecond, Max: 3 * time.Second},
		Start:    loop.Range{Min: 200 * time.Millisecond, Max: time.Second},
	}
}

// Instant returns the profile in which nothing takes time but what upstream waits for on purpose
// (back-off, grace, probe and heartbeat periods).
func Instant() Profile { return Profile{Name: "instant"} }
