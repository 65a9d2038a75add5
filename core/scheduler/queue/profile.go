package queue

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
)

// A verdict says what an event does with a waiting pod. Greater is sooner.
type verdict uint8

const (
	skip         verdict = iota // nothing
	afterBackoff                // to the active part once its back-off is over
	immediately                 // to the active part
)

// A profile is what the queue needs of a Framework.
type profile struct {
	framework *framework.Framework
	events    []framework.PluginEvents // in the order of the profile
}

func newProfile(f *framework.Framework) *profile { return &profile{f, f.Events()} }

// registered reports whether any plugin registered for the event.
func (p *profile) registered(e framework.ClusterEvent) bool {
	for i := range p.events {
		if matches(p.events[i].Events, e) {
			return true
		}
	}
	return false
}

func (p *profile) registeredBy(plugin string, e framework.ClusterEvent) bool {
	for i := range p.events {
		if p.events[i].Plugin == plugin {
			return matches(p.events[i].Events, e)
		}
	}
	return false
}

func matches(registered []framework.EventWithHint, e framework.ClusterEvent) bool {
	for i := range registered {
		if registered[i].Event.Matches(e) {
			return true
		}
	}
	return false
}

// worth judges whether an event may let a pod be scheduled, by asking the plugins that refused it.
// Models pkg/scheduler/backend/queue isPodWorthRequeuing.
func (p *profile) worth(it *item, e event) verdict {
	if len(it.Unschedulable) == 0 && len(it.Pending) == 0 {
		return afterBackoff
	}
	if e.event.IsWildCard() {
		if pod, ok := e.new.(*corev1.Pod); e.new != nil && (!ok || pod.UID != it.UID) {
			return skip // meant for another pod
		}
		return afterBackoff
	}
	best := skip
	for i := range p.events {
		plugin := &p.events[i]
		pending := it.Pending.Has(plugin.Plugin)
		if !pending && !it.Unschedulable.Has(plugin.Plugin) {
			continue
		}
		if !queues(plugin.Events, it.Pod, e) {
			continue
		}
		if pending {
			return immediately
		}
		best = afterBackoff
	}
	return best
}

// queues reports whether one of the plugin's registrations says so for the event.
func queues(registered []framework.EventWithHint, pod *corev1.Pod, e event) bool {
	for i := range registered {
		r := &registered[i]
		if r.Event.Matches(e.event) && (r.Hint == nil || r.Hint(pod, e.old, e.new) == framework.Queue) {
			return true
		}
	}
	return false
}
