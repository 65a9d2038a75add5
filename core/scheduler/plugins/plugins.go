// Package plugins puts kube-scheduler's default profile together.
package plugins

import (
	"math/rand/v2"

	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/plugins/defaultbinder"
	"terrarium/core/scheduler/plugins/defaultpreemption"
	"terrarium/core/scheduler/plugins/imagelocality"
	"terrarium/core/scheduler/plugins/nodeaffinity"
	"terrarium/core/scheduler/plugins/nodename"
	"terrarium/core/scheduler/plugins/nodeports"
	"terrarium/core/scheduler/plugins/noderesources"
	"terrarium/core/scheduler/plugins/nodeunschedulable"
	"terrarium/core/scheduler/plugins/queuesort"
	"terrarium/core/scheduler/plugins/schedulinggates"
	"terrarium/core/scheduler/plugins/tainttoleration"
)

// Deps is what the plugins need beside the pod and the nodes of a cycle.
type Deps struct {
	Images  imagelocality.Images
	Binder  defaultbinder.Binder
	Cluster defaultpreemption.Cluster
	Rand    *rand.Rand
}

// Args configures the plugins that have settings. The zero Args is kube-scheduler's default.
type Args struct {
	NodeAffinity       nodeaffinity.Args
	Fit                noderesources.FitArgs
	BalancedAllocation noderesources.BalancedAllocationArgs
	Preemption         defaultpreemption.Args
}

// Default returns the plugins of kube-scheduler's default profile that there are, in its order and with its
// weights.
// Models pkg/scheduler/apis/config/v1 getDefaultPlugins.
func Default(d Deps, args Args) ([]framework.Enabled, error) {
	slots := &framework.Slots{}
	affinity, err := nodeaffinity.New(slots, args.NodeAffinity)
	if err != nil {
		return nil, err
	}
	fit, err := noderesources.NewFit(slots, args.Fit)
	if err != nil {
		return nil, err
	}
	balanced, err := noderesources.NewBalancedAllocation(slots, args.BalancedAllocation)
	if err != nil {
		return nil, err
	}
	preemption, err := defaultpreemption.New(d.Cluster, d.Rand, args.Preemption)
	if err != nil {
		return nil, err
	}
	return []framework.Enabled{
		{Plugin: schedulinggates.SchedulingGates{}},
		{Plugin: queuesort.PrioritySort{}},
		{Plugin: nodename.New()},
		{Plugin: nodeunschedulable.New()},
		{Plugin: tainttoleration.New(slots), Weight: 3},
		{Plugin: affinity, Weight: 2},
		{Plugin: nodeports.New()},
		{Plugin: fit, Weight: 1},
		{Plugin: preemption},
		{Plugin: balanced, Weight: 1},
		{Plugin: imagelocality.New(slots, d.Images), Weight: 1},
		{Plugin: defaultbinder.New(d.Binder)},
	}, nil
}
