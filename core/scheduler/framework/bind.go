package framework

import (
	"fmt"
	"time"
)

// maxPermitTimeout is the longest a Permit plugin may let a pod wait.
const maxPermitTimeout = 15 * time.Minute

// RunReserve runs the Reserve plugins. When it fails the caller must RunUnreserve.
func (f *Framework) RunReserve(state *CycleState, pod *PodInfo, node string) Status {
	for _, p := range f.reserve {
		if s := stage("Reserve", p, p.Reserve(state, pod, node)); !s.IsSuccess() {
			return s
		}
	}
	return Status{}
}

// RunUnreserve takes reservations back, last first.
func (f *Framework) RunUnreserve(state *CycleState, pod *PodInfo, node string) {
	for i := len(f.reserve) - 1; i >= 0; i-- {
		f.reserve[i].Unreserve(state, pod, node)
	}
}

// A PermitWait is how long one plugin may hold a pod.
type PermitWait struct {
	Plugin  string
	Timeout time.Duration
}

// RunPermit asks the Permit plugins. The Status is Wait when some want the pod to wait and none refuses.
func (f *Framework) RunPermit(state *CycleState, pod *PodInfo, node string) ([]PermitWait, Status) {
	var waits []PermitWait
	for _, p := range f.permit {
		s, timeout := p.Permit(state, pod, node)
		if s.IsWait() {
			waits = append(waits, PermitWait{p.Name(), min(timeout, maxPermitTimeout)})
			continue
		}
		if s = stage("Permit", p, s); !s.IsSuccess() {
			return nil, s.WithPlugin(p.Name())
		}
	}
	if len(waits) > 0 {
		return waits, NewStatus(Wait, waits[0].Plugin, "one or more plugins asked to wait and no plugin rejected pod")
	}
	return nil, Status{}
}

// RunPreBind runs the PreBind plugins.
func (f *Framework) RunPreBind(state *CycleState, pod *PodInfo, node string) Status {
	for _, p := range f.preBind {
		if s := stage("PreBind", p, p.PreBind(state, pod, node)); !s.IsSuccess() {
			return s
		}
	}
	return Status{}
}

// RunBind has the pod bound by the first Bind plugin that does not Skip.
func (f *Framework) RunBind(state *CycleState, pod *PodInfo, node string) Status {
	s := SkipStatus()
	for _, p := range f.bind {
		if s = p.Bind(state, pod, node); !s.IsSkip() {
			return stage("Bind", p, s)
		}
	}
	return s
}

// RunPostBind tells the PostBind plugins that the pod is bound.
func (f *Framework) RunPostBind(state *CycleState, pod *PodInfo, node string) {
	for _, p := range f.postBind {
		p.PostBind(state, pod, node)
	}
}

// stage names the plugin in a refusal and in an error.
func stage(point string, p Plugin, s Status) Status {
	switch {
	case s.IsSuccess():
		return s
	case s.IsRejected():
		return s.WithPlugin(p.Name())
	}
	return AsStatus(fmt.Errorf("running %s plugin %q: %w", point, p.Name(), s.Err()))
}
