package defaultpreemption

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"terrarium/core/scheduler/framework"
)

// A candidate is a node that could take the pod without the victims, most important victim first.
type candidate struct {
	node       string
	victims    []*framework.PodInfo
	violations int // of disruption budgets
}

// findCandidates tries the nodes that removing pods may help, from a random one on, until enough
// candidates are found. statuses are why the others are none.
// Models framework/preemption findCandidates and DryRunPreemption.
func (p *DefaultPreemption) findCandidates(state *framework.CycleState, pod *framework.PodInfo, nodes []*framework.NodeInfo, failed *framework.NodeStatuses, run framework.Runner) ([]candidate, *framework.NodeStatuses, error) {
	statuses := framework.NewNodeStatuses()
	if len(nodes) == 0 {
		return nil, statuses, errors.New("no nodes available")
	}
	potential := failed.WithCode(nodes, framework.Unschedulable)
	if len(potential) == 0 {
		return nil, statuses, nil
	}
	offset, want := p.rand.IntN(len(potential)), p.numCandidates(len(potential))
	budgets := readBudgets(p.cluster.PodDisruptionBudgets())
	var sparing, violating []candidate
	var errs []error
	for i := range potential {
		node := potential[(offset+i)%len(potential)]
		victims, violations, s := selectVictims(state, pod, node, budgets, run)
		if s.IsSuccess() && len(victims) == 0 {
			s = framework.AsStatus(fmt.Errorf("expected at least one victim pod on node %q", node.Name))
		}
		if !s.IsSuccess() {
			if s.Code() == framework.Error {
				errs = append(errs, s.Err())
			}
			statuses.Add(node, s)
			continue
		}
		if c := (candidate{node.Name, victims, violations}); violations == 0 {
			sparing = append(sparing, c)
		} else {
			violating = append(violating, c)
		}
		if len(sparing) > 0 && len(sparing)+len(violating) >= want {
			break
		}
	}
	return append(sparing, violating...), statuses, errors.Join(errs...)
}

func (p *DefaultPreemption) numCandidates(nodes int) int {
	return min(max(nodes*p.args.MinCandidateNodesPercentage/100, p.args.MinCandidateNodesAbsolute), nodes)
}

// selectVictims finds the fewest and least important pods of the node without which pod fits: it removes
// all of lower priority and puts back as many as it can, those protected by a budget first and among
// equals the most important first.
// Models defaultpreemption SelectVictimsOnNode.
func selectVictims(state *framework.CycleState, pod *framework.PodInfo, at *framework.NodeInfo, budgets []budget, run framework.Runner) (victims []*framework.PodInfo, violations int, s framework.Status) {
	potential := lessImportant(at.Pods, pod.Priority)
	if len(potential) == 0 {
		return nil, 0, framework.NewStatus(framework.UnschedulableAndUnresolvable, "", "No preemption victims found for incoming pod")
	}
	state, node := state.Clone(), at.Clone()
	remove := func(v *framework.PodInfo) framework.Status {
		node.RemovePod(v)
		return run.RemovePod(state, pod, v, node)
	}
	for _, v := range potential {
		if s := remove(v); !s.IsSuccess() {
			return nil, 0, s
		}
	}
	if s := run.FilterWithNominated(state, pod, node); !s.IsSuccess() {
		return nil, 0, s
	}
	protected, free := splitByBudget(potential, budgets)
	for i, v := range append(protected, free...) {
		node.AddPod(v)
		if s := run.AddPod(state, pod, v, node); !s.IsSuccess() {
			return nil, 0, s
		}
		if run.FilterWithNominated(state, pod, node).IsSuccess() {
			continue // spared
		}
		if s := remove(v); !s.IsSuccess() {
			return nil, 0, s
		}
		victims = append(victims, v)
		if i < len(protected) {
			violations++
		}
	}
	slices.SortStableFunc(victims, compareImportance)
	return victims, violations, framework.Status{}
}

// lessImportant returns the pods of lower priority, the most important first.
func lessImportant(pods []*framework.PodInfo, priority int32) []*framework.PodInfo {
	var out []*framework.PodInfo
	for _, v := range pods {
		if v.Priority < priority {
			out = append(out, v)
		}
	}
	slices.SortStableFunc(out, compareImportance)
	return out
}

// compareImportance orders by priority, highest first, then by start, oldest first.
func compareImportance(a, b *framework.PodInfo) int {
	if a.Priority != b.Priority {
		if a.Priority > b.Priority {
			return -1
		}
		return 1
	}
	return startTime(a.Pod).Compare(startTime(b.Pod))
}

// startTime is when the pod started; one that has not is taken to start now, after all that have.
func startTime(pod *corev1.Pod) time.Time {
	if pod.Status.StartTime != nil {
		return pod.Status.StartTime.Time
	}
	return time.Unix(math.MaxInt32, 0)
}

// A budget is a PodDisruptionBudget with its selector read.
type budget struct {
	pdb      *policyv1.PodDisruptionBudget
	selector labels.Selector
}

// readBudgets leaves out budgets that match nothing.
func readBudgets(pdbs []*policyv1.PodDisruptionBudget) []budget {
	var out []budget
	for _, pdb := range pdbs {
		sel, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
		if err == nil && !sel.Empty() {
			out = append(out, budget{pdb, sel})
		}
	}
	return out
}

// splitByBudget tells the pods apart whose removal would violate a budget, given that all before them are
// removed too.
// Models framework/preemption FilterVictimsWithPDBViolation.
func splitByBudget(pods []*framework.PodInfo, budgets []budget) (protected, free []*framework.PodInfo) {
	allowed := make([]int32, len(budgets))
	for i, b := range budgets {
		allowed[i] = b.pdb.Status.DisruptionsAllowed
	}
	for _, p := range pods {
		violates := false
		for i, b := range budgets {
			if !b.covers(p.Pod) {
				continue
			}
			if allowed[i]--; allowed[i] < 0 {
				violates = true
				break
			}
		}
		if violates {
			protected = append(protected, p)
		} else {
			free = append(free, p)
		}
	}
	return protected, free
}

func (b budget) covers(pod *corev1.Pod) bool {
	if b.pdb.Namespace != pod.Namespace || len(pod.Labels) == 0 || !b.selector.Matches(labels.Set(pod.Labels)) {
		return false
	}
	_, disrupted := b.pdb.Status.DisruptedPods[pod.Name] // counted already
	return !disrupted
}

// selectCandidate picks the node where preemption hurts least: fewest violated budgets, then the least
// important most important victim, then the lowest sum of priorities, then the fewest victims, then the
// latest start of the most important victims, then the first.
// Models framework/preemption pickOneNodeForPreemption.
func selectCandidate(list []candidate) candidate {
	better := []func(*candidate) int64{
		func(c *candidate) int64 { return -int64(c.violations) },
		func(c *candidate) int64 { return -int64(c.victims[0].Priority) },
		func(c *candidate) int64 {
			var sum int64
			for _, v := range c.victims {
				sum += int64(v.Priority) + math.MaxInt32 + 1 // so that fewer is better with negative ones too
			}
			return -sum
		},
		func(c *candidate) int64 { return -int64(len(c.victims)) },
		func(c *candidate) int64 { return earliestStart(c.victims).UnixNano() },
	}
	for _, score := range better {
		if len(list) == 1 {
			break
		}
		list = bestBy(list, score)
	}
	return list[0]
}

func bestBy(list []candidate, score func(*candidate) int64) []candidate {
	var best []candidate
	most := int64(math.MinInt64)
	for i := range list {
		switch s := score(&list[i]); {
		case s > most:
			most, best = s, []candidate{list[i]}
		case s == most:
			best = append(best, list[i])
		}
	}
	return best
}

// earliestStart is the earliest start among the victims of the highest priority.
func earliestStart(victims []*framework.PodInfo) time.Time {
	earliest := startTime(victims[0].Pod)
	for _, v := range victims {
		if v.Priority == victims[0].Priority && startTime(v.Pod).Before(earliest) {
			earliest = startTime(v.Pod)
		}
	}
	return earliest
}
