package nodelifecycle

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/loop"
)

// A zoneState says how much of a zone works.
type zoneState string

const (
	zoneInitial zoneState = "Initial"
	zoneNormal  zoneState = "Normal"
	zoneFull    zoneState = "FullDisruption"    // no node is ready
	zonePartial zoneState = "PartialDisruption" // many are not
)

// zoneKey returns the node's failure zone. Models component-helpers node/topology GetZoneKey.
func zoneKey(node *corev1.Node) string {
	label := func(old, now string) string {
		if v, ok := node.Labels[old]; ok {
			return v
		}
		return node.Labels[now]
	}
	zone := label(corev1.LabelFailureDomainBetaZone, corev1.LabelTopologyZone)
	region := label(corev1.LabelFailureDomainBetaRegion, corev1.LabelTopologyRegion)
	if region == "" && zone == "" {
		return ""
	}
	return region + ":\x00:" + zone
}

// stateOf judges a zone by its nodes. Models ComputeZoneState.
func stateOf(ready, notReady int) zoneState {
	switch {
	case ready == 0 && notReady > 0:
		return zoneFull
	case notReady >= unhealthyLeast && float32(notReady)/float32(notReady+ready) >= unhealthyShare:
		return zonePartial
	}
	return zoneNormal
}

// rateOf returns how many nodes a second may be tainted in a zone of that state and size. A zone where no
// node is ready is not slowed down: that is dealt with for all zones together. Models setLimiterInZone.
func rateOf(state zoneState, size int) float64 {
	switch {
	case state != zonePartial:
		return evictionRate
	case size > largeZone:
		return slowRate
	}
	return 0
}

// A bucket holds at most one token; it gets rate of them a second.
type bucket struct {
	rate   float64 // 0: never
	tokens float64
	at     time.Time
}

// take takes the token, if there is one.
func (b *bucket) take(now time.Time) bool {
	b.fill(now)
	if b.rate <= 0 || b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func (b *bucket) fill(now time.Time) {
	b.tokens = min(1, b.tokens+now.Sub(b.at).Seconds()*b.rate)
	b.at = now
}

// wait returns how long until there is a token; ok is false when there never is.
func (b *bucket) wait(now time.Time) (d time.Duration, ok bool) {
	b.fill(now)
	if b.rate <= 0 {
		return 0, false
	}
	return time.Duration((1 - b.tokens) / b.rate * float64(time.Second)), true
}

// setRate changes the rate. A full bucket stays full; else it starts empty. Models SwapLimiter.
func (b *bucket) setRate(rate float64, now time.Time) {
	if rate == b.rate {
		return
	}
	full := b.take(now)
	*b = bucket{rate: rate, at: now}
	if full {
		b.tokens = 1
	}
}

// A zone is where the nodes wait that are to be tainted NoExecute, one at a time.
// Models pkg/controller/nodelifecycle/scheduler RateLimitedTimedQueue.
type zone struct {
	state zoneState
	limit bucket
	queue []string    // names of nodes, each once
	timer *loop.Timer // looks at the queue next
}

func newZone(now time.Time) *zone {
	return &zone{state: zoneInitial, limit: bucket{rate: evictionRate, tokens: 1, at: now}}
}

func (z *zone) waits(node string) bool { return slices.Contains(z.queue, node) }

// add makes the node wait, unless it does already.
func (z *zone) add(node string) {
	if !z.waits(node) {
		z.queue = append(z.queue, node)
	}
}

// remove takes the node off the queue.
func (z *zone) remove(node string) {
	z.queue = slices.DeleteFunc(z.queue, func(n string) bool { return n == node })
}
