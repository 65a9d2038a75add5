package noderesources

import (
	"errors"
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
)

// A StrategyType names a way to rate nodes.
type StrategyType string

const (
	LeastAllocated           StrategyType = "LeastAllocated"
	MostAllocated            StrategyType = "MostAllocated"
	RequestedToCapacityRatio StrategyType = "RequestedToCapacityRatio"
)

// A Strategy says which nodes are good for a pod.
type Strategy struct {
	Type      StrategyType   // default LeastAllocated
	Resources []ResourceSpec // default CPU and memory, weight 1 each
	Shape     []ShapePoint   // for RequestedToCapacityRatio
}

// A ResourceSpec is a resource that counts, and how much.
type ResourceSpec struct {
	Name   corev1.ResourceName
	Weight int64 // default 1
}

// A ShapePoint gives the score (0..10) at a utilization (0..100); between points it is linear.
type ShapePoint struct{ Utilization, Score int64 }

// maxCustomScore is the greatest score of a ShapePoint.
const maxCustomScore = 10

func resourcesOrDefault(list []ResourceSpec) ([]ResourceSpec, error) {
	if len(list) == 0 {
		return []ResourceSpec{{corev1.ResourceCPU, 1}, {corev1.ResourceMemory, 1}}, nil
	}
	out := make([]ResourceSpec, len(list))
	for i, r := range list {
		if r.Weight < 0 || r.Weight > 100 {
			return nil, fmt.Errorf("resource weight of %v should be a positive value less than 101, got :%v", r.Name, r.Weight)
		}
		if r.Weight == 0 {
			r.Weight = 1
		}
		out[i] = r
	}
	return out, nil
}

// A scorer rates a node for a pod with these requests.
type scorer func(pod requestList, node *framework.NodeInfo) int64

// scorer returns the strategy's rating of nodes.
func (s Strategy) scorer(list []ResourceSpec) (scorer, error) {
	resources := newCounted(list)
	switch s.Type {
	case LeastAllocated, "":
		return weighted(resources, leastRequested), nil
	case MostAllocated:
		return weighted(resources, mostRequested), nil
	case RequestedToCapacityRatio:
		if err := validateShape(s.Shape); err != nil {
			return nil, err
		}
		return ratio(resources, s.Shape), nil
	}
	return nil, fmt.Errorf("scoring strategy %s is not supported", s.Type)
}

// requestList is what the pod asks for, by position in the list of ResourceSpecs.
type requestList []int64

// Clone returns r itself: pods on nodes do not change it.
func (r requestList) Clone() framework.StateData { return r }

// podRequests lists the pod's requests; exact says not to count defaults for containers without any.
func podRequests(pod *framework.PodInfo, resources []ResourceSpec, exact bool) requestList {
	list := make(requestList, len(resources))
	for i, r := range resources {
		switch {
		case r.Name == corev1.ResourceCPU && !exact:
			list[i] = pod.NonZeroCPU
		case r.Name == corev1.ResourceMemory && !exact:
			list[i] = pod.NonZeroMemory
		default:
			list[i] = pod.Requests.Get(r.Name)
		}
	}
	return list
}

// counted are the resources that count, told apart by number: names are slow to compare for every node.
type counted []countedResource

type countedResource struct {
	ResourceSpec
	kind resourceKind
}

type resourceKind uint8

const (
	scalar resourceKind = iota
	cpu
	memory
	ephemeralStorage
)

func newCounted(list []ResourceSpec) counted {
	out := make(counted, len(list))
	for i, r := range list {
		out[i].ResourceSpec = r
		switch r.Name {
		case corev1.ResourceCPU:
			out[i].kind = cpu
		case corev1.ResourceMemory:
			out[i].kind = memory
		case corev1.ResourceEphemeralStorage:
			out[i].kind = ephemeralStorage
		}
	}
	return out
}

// amounts returns what the node can hold of a resource and what is allocated; used is what counts as
// allocated of CPU and memory. Both are 0 when the resource does not count for this pod: a scalar that the
// pod does not ask for or the node does not have.
func (r *countedResource) amounts(request int64, node *framework.NodeInfo, used *framework.Resource) (can, have int64) {
	switch r.kind {
	case cpu:
		return node.Allocatable.MilliCPU, used.MilliCPU
	case memory:
		return node.Allocatable.Memory, used.Memory
	case ephemeralStorage:
		return node.Allocatable.EphemeralStorage, node.Requested.EphemeralStorage
	}
	if request == 0 {
		return 0, 0
	}
	can, _ = node.Allocatable.Scalar(r.Name)
	have, _ = node.Requested.Scalar(r.Name)
	return can, have
}

// weighted returns the mean of rate over the resources, by weight.
func weighted(resources counted, rate func(requested, capacity int64) int64) scorer {
	return func(pod requestList, node *framework.NodeInfo) int64 {
		var sum, weights int64
		for i := range resources {
			can, have := resources[i].amounts(pod[i], node, &node.NonZero)
			if can == 0 {
				continue
			}
			sum += rate(have+pod[i], can) * resources[i].Weight
			weights += resources[i].Weight
		}
		if weights == 0 {
			return 0
		}
		return sum / weights
	}
}

// leastRequested is the unused part of the capacity in percent.
func leastRequested(requested, capacity int64) int64 {
	if requested > capacity {
		return 0
	}
	return (capacity - requested) * framework.MaxScore / capacity
}

// mostRequested is the used part of the capacity in percent.
func mostRequested(requested, capacity int64) int64 {
	return min(requested, capacity) * framework.MaxScore / capacity
}

// ratio rates by a shape over utilization. Resources that score 0 do not count.
// Models noderesources buildRequestedToCapacityRatioScorerFunction.
func ratio(resources counted, shape []ShapePoint) scorer {
	return func(pod requestList, node *framework.NodeInfo) int64 {
		var sum, weights int64
		for i := range resources {
			can, have := resources[i].amounts(pod[i], node, &node.NonZero)
			if can == 0 {
				continue
			}
			utilization := int64(100)
			if requested := have + pod[i]; requested <= can {
				utilization = requested * 100 / can
			}
			if s := at(shape, utilization); s > 0 {
				sum += s * resources[i].Weight
				weights += resources[i].Weight
			}
		}
		if weights == 0 {
			return 0
		}
		return int64(math.Round(float64(sum) / float64(weights)))
	}
}

// at returns the shape's value at a utilization, on the scale of node scores.
func at(shape []ShapePoint, utilization int64) int64 {
	const scale = framework.MaxScore / maxCustomScore
	for i, p := range shape {
		if utilization > p.Utilization {
			continue
		}
		if i == 0 {
			return p.Score * scale
		}
		before := shape[i-1]
		from, to := before.Score*scale, p.Score*scale
		return from + (to-from)*(utilization-before.Utilization)/(p.Utilization-before.Utilization)
	}
	return shape[len(shape)-1].Score * scale
}

// validateShape models pkg/scheduler/apis/config/validation validateFunctionShape.
func validateShape(shape []ShapePoint) error {
	if len(shape) == 0 {
		return errors.New("at least one point must be specified")
	}
	for i, p := range shape {
		switch {
		case p.Utilization < 0 || p.Utilization > 100:
			return fmt.Errorf("shape[%d].utilization: Invalid value: %d: not in valid range [0-100]", i, p.Utilization)
		case p.Score < 0 || p.Score > maxCustomScore:
			return fmt.Errorf("shape[%d].score: Invalid value: %d: not in valid range [0-10]", i, p.Score)
		case i > 0 && p.Utilization <= shape[i-1].Utilization:
			return fmt.Errorf("shape[%d].utilization: Invalid value: %d: utilization values must be sorted in increasing order", i, p.Utilization)
		}
	}
	return nil
}
