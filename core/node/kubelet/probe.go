package kubelet

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// upAfter is how long after its start a container passes its startup probe.
//
// Differs: a simulated server passes every probe that it is asked, so that only the times at which
// pkg/kubelet/prober would first ask are left of it; liveness probes have nothing to find.
func upAfter(c *corev1.Container) time.Duration { return asked(c.StartupProbe) }

// readyAfter is how long after its start a container is ready: once it is up, and has passed its readiness
// probe as often in a row as it must.
func readyAfter(c *corev1.Container) time.Duration {
	p := c.ReadinessProbe
	d := max(upAfter(c), asked(p))
	if p != nil && p.SuccessThreshold > 1 {
		d += time.Duration(p.SuccessThreshold-1) * time.Duration(max(p.PeriodSeconds, 1)) * time.Second
	}
	return d
}

// asked is how long after the start of a container its probe is made for the first time.
func asked(p *corev1.Probe) time.Duration {
	if p == nil {
		return 0
	}
	return time.Duration(p.InitialDelaySeconds) * time.Second
}

// watchProbes notices when the running container is up and when it is ready.
func (u *unit) watchProbes() {
	since := u.worker.now().Sub(u.startedAt)
	u.up = since >= upAfter(u.spec)
	if u.role == initContainer {
		return
	}
	ready := readyAfter(u.spec)
	u.ready = u.up && since >= ready
	switch {
	case !u.up:
		u.after(upAfter(u.spec)-since, "startup probe passes", u.watchProbes)
	case !u.ready:
		u.after(ready-since, "readiness probe passes", u.watchProbes)
	}
}
