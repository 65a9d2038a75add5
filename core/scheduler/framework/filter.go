package framework

import (
	"fmt"
	"slices"
	"strings"
)

// RunPreFilter runs the PreFilter plugins. names are the nodes left to look at, nil for all; by names the
// plugins that narrowed them down.
func (f *Framework) RunPreFilter(state *CycleState, pod *PodInfo, nodes []*NodeInfo) (names []string, by Names, s Status) {
	var refused Status
	for _, p := range f.preFilter {
		only, s := p.PreFilter(state, pod, nodes)
		switch {
		case s.IsSkip():
			if p.filter >= 0 {
				state.skipFilter |= 1 << p.filter
			}
			continue
		case s.Code() == UnschedulableAndUnresolvable:
			return nil, nil, s.WithPlugin(p.Name()) // preemption cannot help: the rest need not run
		case s.Code() == Unschedulable:
			refused = s.WithPlugin(p.Name()) // preemption may help and needs what the rest prepare
			continue
		case !s.IsSuccess():
			return nil, nil, AsStatus(fmt.Errorf("running PreFilter plugin %q: %w", p.Name(), s.Err())).WithPlugin(p.Name())
		}
		if only == nil {
			continue
		}
		by = by.Add(p.Name())
		names = intersect(names, only)
		if len(names) == 0 {
			return []string{}, by, NewStatus(UnschedulableAndUnresolvable, "", nobodyLeft(by))
		}
	}
	return names, by, refused
}

func intersect(names, only []string) []string {
	if names == nil {
		return only
	}
	var both []string
	for _, n := range names {
		if _, ok := slices.BinarySearch(only, n); ok {
			both = append(both, n)
		}
	}
	return both
}

func nobodyLeft(by Names) string {
	if len(by) == 1 {
		return "node(s) didn't satisfy plugin " + by[0]
	}
	return "node(s) didn't satisfy plugin(s) " + by.sorted() + " simultaneously"
}

// sorted returns "[a b]".
func (n Names) sorted() string {
	s := slices.Clone(n)
	slices.Sort(s)
	return "[" + strings.Join(s, " ") + "]"
}

// AbsentReason is the answer for nodes that PreFilter plugins ruled out by name.
func (n Names) AbsentReason() Status {
	return NewStatus(UnschedulableAndUnresolvable, "", "node(s) didn't satisfy plugin(s) "+n.sorted())
}

// Filter runs the Filter plugins until one refuses the node.
func (f *Framework) Filter(state *CycleState, pod *PodInfo, node *NodeInfo) Status {
	skip := state.skipFilter
	for i, p := range f.filter {
		if skip>>i&1 != 0 {
			continue
		}
		s := p.Filter(state, pod, node)
		if s.IsSuccess() {
			continue
		}
		if !s.IsRejected() {
			s = AsStatus(fmt.Errorf("running %q filter plugin: %w", p.Name(), s.Err()))
		}
		return s.WithPlugin(p.Name())
	}
	return Status{}
}

// FilterWithNominated runs the Filter plugins with the pods counted in that are nominated to the node and
// matter as much or more than pod, and if the pod fits then, once more without them: it must fit either
// way, because they may end up elsewhere.
func (f *Framework) FilterWithNominated(state *CycleState, pod *PodInfo, node *NodeInfo) Status {
	if f.cfg.Nominated == nil {
		return f.Filter(state, pod, node)
	}
	nominated := f.cfg.Nominated(node.Name)
	if len(nominated) == 0 {
		return f.Filter(state, pod, node)
	}
	with, withState, added := node.Clone(), state.Clone(), false
	for _, n := range nominated {
		if n.Priority < pod.Priority || n.UID == pod.UID {
			continue
		}
		with.AddPod(n)
		if s := f.AddPod(withState, pod, n, with); !s.IsSuccess() {
			return AsStatus(s.Err())
		}
		added = true
	}
	if added {
		if s := f.Filter(withState, pod, with); !s.IsSuccess() {
			return s
		}
	}
	return f.Filter(state, pod, node)
}

// AddPod tells the PreFilter plugins that a pod is on the node now.
func (f *Framework) AddPod(state *CycleState, pod, added *PodInfo, node *NodeInfo) Status {
	return f.extend(state, func(x PreFilterExtensions) Status { return x.AddPod(state, pod, added, node) })
}

// RemovePod tells the PreFilter plugins that a pod is off the node now.
func (f *Framework) RemovePod(state *CycleState, pod, removed *PodInfo, node *NodeInfo) Status {
	return f.extend(state, func(x PreFilterExtensions) Status { return x.RemovePod(state, pod, removed, node) })
}

func (f *Framework) extend(state *CycleState, call func(PreFilterExtensions) Status) Status {
	for _, p := range f.preFilter {
		if p.extensions == nil || (p.filter >= 0 && state.skipFilter>>p.filter&1 != 0) {
			continue
		}
		if s := call(p.extensions); !s.IsSuccess() {
			return AsStatus(fmt.Errorf("running PreFilterExtension on plugin %q: %w", p.Name(), s.Err()))
		}
	}
	return Status{}
}

// RunPostFilter runs the PostFilter plugins until one makes a node feasible or says that nothing can.
func (f *Framework) RunPostFilter(state *CycleState, pod *PodInfo, failed *NodeStatuses) (Nomination, Status) {
	var result Nomination
	var reasons []string
	var rejector string
	for _, p := range f.postFilter {
		n, s := p.PostFilter(state, pod, failed, f)
		switch {
		case s.IsSuccess():
			return n, s
		case s.Code() == UnschedulableAndUnresolvable:
			return n, s.WithPlugin(p.Name())
		case !s.IsRejected():
			return Nomination{}, AsStatus(s.Err()).WithPlugin(p.Name())
		}
		if n.Override {
			result = n
		}
		reasons = append(reasons, s.Reasons()...)
		if rejector == "" {
			rejector = p.Name()
		}
	}
	return result, NewStatus(Unschedulable, rejector, reasons...)
}
