package record

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Upstream's figures.
const (
	maxSimilar      = 10               // events that differ only in their message before they are combined
	similarInterval = 10 * time.Minute // how long they count as similar
	spamBurst       = 25
	spamInterval    = 5 * time.Minute // one more event is allowed each
	keep            = 4096            // objects and events remembered
)

// An aggregateKey is what similar events have in common; with the message it is one event.
type aggregateKey struct {
	uid               types.UID
	kind              string
	namespace, name   string
	fieldPath         string
	eventType, reason string
}

type eventKey struct {
	aggregateKey
	message string
}

type similar struct {
	messages []string // different ones, at most maxSimilar
	last     time.Time
}

type bucket struct {
	tokens float64
	last   time.Time
}

// A correlator decides what becomes of an event, from the ones before.
type correlator struct {
	similar map[aggregateKey]similar
	events  map[eventKey]types.NamespacedName
	spam    map[types.UID]*bucket
	count   uint64 // makes names unique within one instant
}

func newCorrelator() correlator {
	return correlator{
		similar: make(map[aggregateKey]similar),
		events:  make(map[eventKey]types.NamespacedName),
		spam:    make(map[types.UID]*bucket),
	}
}

// A decision says what becomes of an event: dropped, counted on the named one, or made with the message.
type decision struct {
	drop              bool
	key               eventKey
	namespace, name   string // of the event to raise
	eventType, reason string
	message           string
}

func (c *correlator) next() uint64 {
	c.count++
	return c.count
}

func (c *correlator) decide(now time.Time, ref corev1.ObjectReference, eventType, reason, message string) decision {
	key := eventKey{aggregateKey{ref.UID, ref.Kind, ref.Namespace, ref.Name, ref.FieldPath, eventType, reason}, message}
	if c.combined(now, key) {
		key.message = "" // one event for all messages
		message = "(combined from similar events): " + message
	}
	d := decision{key: key, eventType: eventType, reason: reason, message: message}
	if !c.take(now, ref.UID) {
		d.drop = true
		return d
	}
	if at, ok := c.events[key]; ok {
		d.namespace, d.name = at.Namespace, at.Name
	}
	return d
}

// combined reports whether there have been so many events like this one that they are told together.
func (c *correlator) combined(now time.Time, key eventKey) bool {
	s, ok := c.similar[key.aggregateKey]
	if !ok && len(c.similar) >= keep {
		clear(c.similar)
	}
	if now.Sub(s.last) > similarInterval {
		s.messages = nil
	}
	s.last = now
	if len(s.messages) < maxSimilar && !slices.Contains(s.messages, key.message) {
		s.messages = append(s.messages, key.message)
	}
	c.similar[key.aggregateKey] = s
	return len(s.messages) >= maxSimilar
}

// take takes one token of the object's bucket, if there is one.
func (c *correlator) take(now time.Time, uid types.UID) bool {
	b := c.spam[uid]
	if b == nil {
		if len(c.spam) >= keep {
			clear(c.spam)
		}
		b = &bucket{tokens: spamBurst, last: now}
		c.spam[uid] = b
	}
	b.tokens = min(spamBurst, b.tokens+float64(now.Sub(b.last))/float64(spamInterval))
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// made remembers the event that now stands for the decision's key.
func (c *correlator) made(d decision, ev *corev1.Event) {
	if len(c.events) >= keep {
		clear(c.events)
	}
	c.events[d.key] = types.NamespacedName{Namespace: ev.Namespace, Name: ev.Name}
}
