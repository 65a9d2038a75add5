// Package noderesources places pods by what they request: NodeResourcesFit refuses nodes without enough
// left and prefers, by the profile's strategy, emptier or fuller ones; NodeResourcesBalancedAllocation
// prefers nodes whose CPU and memory are used evenly.
package noderesources

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
)

// FitName is the name of NodeResourcesFit in profiles.
const FitName = "NodeResourcesFit"

// FitArgs configures NodeResourcesFit.
type FitArgs struct {
	// IgnoredResources and IgnoredResourceGroups ("example.com") are extended resources that are not
	// checked.
	IgnoredResources      []string
	IgnoredResourceGroups []string
	// Strategy says which nodes are good. The zero Strategy is LeastAllocated over CPU and memory.
	Strategy Strategy
}

// Fit is the NodeResourcesFit plugin.
type Fit struct {
	args      FitArgs
	scorer    scorer
	resources []ResourceSpec
	slot      framework.Slot[requestList]
	refusals  [numInsufficient][2]framework.Status // by set of short resources, and whether unresolvable
}

var (
	_ framework.FilterPlugin      = (*Fit)(nil)
	_ framework.PreScorePlugin    = (*Fit)(nil)
	_ framework.ScorePlugin       = (*Fit)(nil)
	_ framework.EnqueueExtensions = (*Fit)(nil)
)

// NewFit returns the plugin, or an error for a strategy that makes no sense.
func NewFit(slots *framework.Slots, args FitArgs) (*Fit, error) {
	resources, err := resourcesOrDefault(args.Strategy.Resources)
	if err != nil {
		return nil, err
	}
	f := &Fit{args: args, resources: resources, slot: framework.NewSlot[requestList](slots)}
	if f.scorer, err = args.Strategy.scorer(resources); err != nil {
		return nil, err
	}
	for set := range f.refusals {
		reasons := insufficient(set).reasons()
		f.refusals[set][0] = framework.NewStatus(framework.Unschedulable, FitName, reasons...)
		f.refusals[set][1] = framework.NewStatus(framework.UnschedulableAndUnresolvable, FitName, reasons...)
	}
	return f, nil
}

// Name returns the plugin's name.
func (*Fit) Name() string { return FitName }

// insufficient is a set of resources of which a node has too little left.
type insufficient uint8

const (
	tooManyPods insufficient = 1 << iota
	shortCPU
	shortMemory
	shortEphemeralStorage
	numInsufficient = 1 << iota
)

func (s insufficient) reasons() []string {
	var out []string
	for i, reason := range []string{"Too many pods", "Insufficient cpu", "Insufficient memory", "Insufficient ephemeral-storage"} {
		if s&(1<<i) != 0 {
			out = append(out, reason)
		}
	}
	return out
}

// Filter refuses a node with too little left of anything. It is unresolvable when even the empty node
// would be too small.
func (f *Fit) Filter(_ *framework.CycleState, pod *framework.PodInfo, node *framework.NodeInfo) framework.Status {
	short, never := shortage(&pod.Requests, node)
	if len(pod.Requests.Scalars) > 0 {
		if names, unresolvable := f.shortScalars(&pod.Requests, node); len(names) > 0 {
			return f.refuse(short, names, never || unresolvable)
		}
	}
	switch {
	case short == 0:
		return framework.Status{}
	case never:
		return f.refusals[short][1]
	}
	return f.refusals[short][0]
}

// shortage returns what the node has too little of, and whether emptying it would not help.
// Models pkg/scheduler/framework/plugins/noderesources fitsRequest.
func shortage(want *framework.Resource, node *framework.NodeInfo) (short insufficient, never bool) {
	can, used := &node.Allocatable, &node.Requested
	if int64(len(node.Pods))+1 > can.Pods {
		short |= tooManyPods
	}
	if want.MilliCPU > 0 && want.MilliCPU > can.MilliCPU-used.MilliCPU {
		short |= shortCPU
		never = never || want.MilliCPU > can.MilliCPU
	}
	if want.Memory > 0 && want.Memory > can.Memory-used.Memory {
		short |= shortMemory
		never = never || want.Memory > can.Memory
	}
	if want.EphemeralStorage > 0 && want.EphemeralStorage > can.EphemeralStorage-used.EphemeralStorage {
		short |= shortEphemeralStorage
		never = never || want.EphemeralStorage > can.EphemeralStorage
	}
	return short, never
}

func (f *Fit) shortScalars(want *framework.Resource, node *framework.NodeInfo) (names []string, never bool) {
	for _, s := range want.Scalars {
		if s.Value == 0 || f.ignores(s.Name) {
			continue
		}
		can, _ := node.Allocatable.Scalar(s.Name)
		used, _ := node.Requested.Scalar(s.Name)
		if s.Value > can-used {
			names = append(names, "Insufficient "+string(s.Name))
			never = never || s.Value > can
		}
	}
	return names, never
}

func (f *Fit) ignores(name corev1.ResourceName) bool {
	if len(f.args.IgnoredResources) == 0 && len(f.args.IgnoredResourceGroups) == 0 || !framework.IsExtended(name) {
		return false
	}
	group, _, _ := strings.Cut(string(name), "/")
	return slices.Contains(f.args.IgnoredResources, string(name)) || slices.Contains(f.args.IgnoredResourceGroups, group)
}

func (f *Fit) refuse(short insufficient, scalars []string, never bool) framework.Status {
	code := framework.Unschedulable
	if never {
		code = framework.UnschedulableAndUnresolvable
	}
	return framework.NewStatus(code, FitName, append(short.reasons(), scalars...)...)
}

// fitsEmpty reports whether the pod would fit on the node if nothing else were there.
func (f *Fit) fitsEmpty(pod *framework.PodInfo, node *corev1.Node) bool {
	return f.Filter(nil, pod, framework.NewNodeInfo(node)).IsSuccess()
}

// PreScore works out what the strategy counts of the pod.
func (f *Fit) PreScore(state *framework.CycleState, pod *framework.PodInfo, _ []*framework.NodeInfo) framework.Status {
	f.slot.Set(state, podRequests(pod, f.resources, false))
	return framework.Status{}
}

// Score rates the node by the strategy.
func (f *Fit) Score(state *framework.CycleState, pod *framework.PodInfo, node *framework.NodeInfo) (int64, framework.Status) {
	requests, ok := f.slot.Get(state)
	if !ok {
		requests = podRequests(pod, f.resources, false)
	}
	return f.scorer(requests, node), framework.Status{}
}
