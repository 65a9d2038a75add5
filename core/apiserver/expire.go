package apiserver

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds"
	"terrarium/core/loop"
)

// Upstream's --event-ttl, and how often what has passed it is looked for.
const (
	eventTTL     = time.Hour
	expirePeriod = time.Minute
)

// ExpireEvents makes events go an hour after they were last written, from now on.
//
// Differs: upstream's events have a lease in etcd and go to the second; these may stay a minute longer.
func (s *Server) ExpireEvents() {
	s.loop.After(expirePeriod, loop.Label{Component: "kube-apiserver", Action: "expire old events"}, func() {
		s.expireEvents()
		s.ExpireEvents()
	})
}

func (s *Server) expireEvents() {
	now := s.loop.Now()
	if now.Before(s.nextExpiry) {
		return
	}
	oldest := now // of those that stay; what is written later is newer
	kind := s.kinds.ByStorageResource("events")
	objs, _ := s.store.List(kind.StorageResource(), "")
	for _, o := range objs {
		ev, ok := o.(*corev1.Event)
		if !ok {
			continue
		}
		last := lastWritten(ev)
		if now.Sub(last) > eventTTL {
			// Nobody else writes between the list and here, so the revision is right.
			s.store.Delete(kinds.Key{Resource: kind.StorageResource(), Namespace: ev.Namespace, Name: ev.Name}, kinds.RevisionOf(ev), 0)
		} else if last.Before(oldest) {
			oldest = last
		}
	}
	s.nextExpiry = oldest.Add(eventTTL)
}

func lastWritten(ev *corev1.Event) time.Time {
	last := ev.CreationTimestamp.Time
	if ev.LastTimestamp.After(last) {
		last = ev.LastTimestamp.Time
	}
	if ev.Series != nil && ev.Series.LastObservedTime.After(last) {
		last = ev.Series.LastObservedTime.Time
	}
	return last
}
