package noderesources

import (
	"math"

	"terrarium/core/scheduler/framework"
)

// BalancedAllocationName is the name of NodeResourcesBalancedAllocation in profiles.
const BalancedAllocationName = "NodeResourcesBalancedAllocation"

// BalancedAllocationArgs configures NodeResourcesBalancedAllocation.
type BalancedAllocationArgs struct {
	Resources []ResourceSpec // default CPU and memory
}

// BalancedAllocation is the NodeResourcesBalancedAllocation plugin.
type BalancedAllocation struct {
	resources []ResourceSpec
	counted   counted
	slot      framework.Slot[requestList]
}

var (
	_ framework.PreScorePlugin = (*BalancedAllocation)(nil)
	_ framework.ScorePlugin    = (*BalancedAllocation)(nil)
)

// NewBalancedAllocation returns the plugin.
func NewBalancedAllocation(slots *framework.Slots, args BalancedAllocationArgs) (*BalancedAllocation, error) {
	resources, err := resourcesOrDefault(args.Resources)
	if err != nil {
		return nil, err
	}
	return &BalancedAllocation{resources, newCounted(resources), framework.NewSlot[requestList](slots)}, nil
}

// Name returns the plugin's name.
func (*BalancedAllocation) Name() string { return BalancedAllocationName }

// PreScore works out the pod's requests. A pod without any is not balanced: all would land on one node.
func (b *BalancedAllocation) PreScore(state *framework.CycleState, pod *framework.PodInfo, _ []*framework.NodeInfo) framework.Status {
	requests := podRequests(pod, b.resources, true)
	for _, r := range requests {
		if r != 0 {
			b.slot.Set(state, requests)
			return framework.Status{}
		}
	}
	return framework.SkipStatus()
}

// Score is 75 when the pod leaves the balance of the node as it is, up to 100 when it improves it and down
// to 50 when it worsens it.
func (b *BalancedAllocation) Score(state *framework.CycleState, _ *framework.PodInfo, node *framework.NodeInfo) (int64, framework.Status) {
	requests, ok := b.slot.Get(state)
	if !ok {
		return 0, framework.Status{}
	}
	with, without := b.balance(requests, node)
	return framework.MaxScore/2 + (framework.MaxScore/2+with-without)/2, framework.Status{}
}

// balance rates how even the used fractions of the resources are, with and without the pod: 100 minus
// their standard deviation in percent.
func (b *BalancedAllocation) balance(requests requestList, node *framework.NodeInfo) (with, without int64) {
	var after, before fractions
	for i := range b.counted {
		can, have := b.counted[i].amounts(requests[i], node, &node.Requested)
		if can == 0 {
			continue
		}
		after.add(float64(have+requests[i]) / float64(can))
		before.add(float64(have) / float64(can))
	}
	return after.evenness(), before.evenness()
}

// fractions collects used fractions. The first two need no memory: usually there are no more.
type fractions struct {
	n             int
	first, second float64
	more          []float64
}

func (f *fractions) add(v float64) {
	v = min(v, 1)
	switch f.n {
	case 0:
		f.first = v
	case 1:
		f.second = v
	default:
		f.more = append(f.more, v)
	}
	f.n++
}

// evenness is 100 less the standard deviation in percent.
func (f *fractions) evenness() int64 {
	std := 0.0
	switch {
	case f.n == 2:
		std = math.Abs((f.first - f.second) / 2)
	case f.n > 2:
		std = f.deviation()
	}
	return int64((1 - std) * float64(framework.MaxScore))
}

func (f *fractions) deviation() float64 {
	all := append([]float64{f.first, f.second}, f.more...)
	var total, sum float64
	for _, v := range all {
		total += v
	}
	mean := total / float64(f.n)
	for _, v := range all {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(f.n))
}
