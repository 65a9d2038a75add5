// Package defaultpreemption makes room for a pod that no node can take, by deleting pods of lower priority:
// as few and as unimportant ones as possible, and sparing disruption budgets where it can.
//
// The pod is then nominated to the node where room is made; it is scheduled like any other once its
// victims are gone.
//
// Models pkg/scheduler/framework/plugins/defaultpreemption and framework/preemption.
// Differs: no pod groups; the victims are deleted within the cycle (upstream does it beside it and gates
// the pod meanwhile), so there is no PreEnqueue.
package defaultpreemption

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"terrarium/core/scheduler/framework"
)

// Name is the plugin's name in profiles.
const Name = "DefaultPreemption"

// A Cluster is what preemption reads and does.
type Cluster interface {
	Nodes() []*framework.NodeInfo
	// LatestPod returns the newest known state of the pod.
	LatestPod(*corev1.Pod) (*corev1.Pod, error)
	Nominated(node string) []*framework.PodInfo
	PodDisruptionBudgets() []*policyv1.PodDisruptionBudget
	// Preempt removes the victim on the node for the preemptor.
	Preempt(preemptor, victim *corev1.Pod, node string) error
	// ClearNomination takes the nominated node from pods that will not fit there any more.
	ClearNomination(pods []*framework.PodInfo)
}

// Args configures the plugin.
type Args struct {
	// MinCandidateNodesPercentage and MinCandidateNodesAbsolute say how many nodes are tried: the greater
	// of the two, but no more than there are.
	MinCandidateNodesPercentage int // default 10
	MinCandidateNodesAbsolute   int // default 100
}

// DefaultPreemption is the plugin.
type DefaultPreemption struct {
	cluster Cluster
	rand    *rand.Rand
	args    Args
}

var _ framework.PostFilterPlugin = (*DefaultPreemption)(nil)

// New returns the plugin.
func New(cluster Cluster, r *rand.Rand, args Args) (*DefaultPreemption, error) {
	if args.MinCandidateNodesPercentage == 0 && args.MinCandidateNodesAbsolute == 0 {
		args = Args{MinCandidateNodesPercentage: 10, MinCandidateNodesAbsolute: 100}
	}
	if p := args.MinCandidateNodesPercentage; p < 0 || p > 100 {
		return nil, fmt.Errorf("minCandidateNodesPercentage: Invalid value: %d: not in valid range [0, 100]", p)
	}
	if n := args.MinCandidateNodesAbsolute; n < 0 {
		return nil, fmt.Errorf("minCandidateNodesAbsolute: Invalid value: %d: not in valid range [0, inf)", n)
	}
	return &DefaultPreemption{cluster, r, args}, nil
}

// Name returns the plugin's name.
func (*DefaultPreemption) Name() string { return Name }

// EventsToRegister registers for nothing: what refused the pod decides when it is tried again.
func (*DefaultPreemption) EventsToRegister() []framework.EventWithHint { return nil }

// PostFilter preempts pods if that makes some node feasible.
func (p *DefaultPreemption) PostFilter(state *framework.CycleState, pod *framework.PodInfo, failed *framework.NodeStatuses, run framework.Runner) (framework.Nomination, framework.Status) {
	n, s := p.preempt(state, pod, failed, run)
	if msg := s.Message(); msg != "" {
		s = framework.NewStatus(s.Code(), Name, "preemption: "+msg)
	}
	return n, s
}

func (p *DefaultPreemption) preempt(state *framework.CycleState, pod *framework.PodInfo, failed *framework.NodeStatuses, run framework.Runner) (framework.Nomination, framework.Status) {
	latest, err := p.cluster.LatestPod(pod.Pod)
	if err != nil {
		return framework.Nomination{}, framework.AsStatus(err)
	}
	pod = pod.Renew(latest)
	nodes := p.cluster.Nodes()
	if why := notEligible(pod, nodes, failed); why != "" {
		return framework.Nomination{}, framework.NewStatus(framework.Unschedulable, Name, why)
	}
	candidates, statuses, err := p.findCandidates(state, pod, nodes, failed, run)
	switch {
	case err != nil && len(candidates) == 0:
		return framework.Nomination{}, framework.AsStatus(err)
	case len(candidates) == 0:
		statuses.Absent = framework.NewStatus(framework.UnschedulableAndUnresolvable, "", "Preemption is not helpful for scheduling")
		fit := &framework.FitError{NumAllNodes: len(nodes), Diagnosis: framework.Diagnosis{NodeStatuses: statuses}}
		return framework.ClearNomination(), framework.NewStatus(framework.Unschedulable, Name, fit.Error())
	}
	return p.carryOut(pod, selectCandidate(candidates))
}

// carryOut removes the victims and nominates the pod.
func (p *DefaultPreemption) carryOut(pod *framework.PodInfo, c candidate) (framework.Nomination, framework.Status) {
	for _, v := range c.victims {
		if v.Pod.DeletionTimestamp != nil {
			continue // on its way out already
		}
		if err := p.cluster.Preempt(pod.Pod, v.Pod, c.node); err != nil {
			return framework.Nomination{}, framework.AsStatus(err)
		}
	}
	// Less important pods nominated to the node may not fit any more: let them look elsewhere soon.
	var lower []*framework.PodInfo
	for _, n := range p.cluster.Nominated(c.node) {
		if n.Priority < pod.Priority {
			lower = append(lower, n)
		}
	}
	p.cluster.ClearNomination(lower)
	return framework.Nomination{Override: true, Node: c.node, Victims: c.victims}, framework.NewStatus(framework.Success, Name,
		"found a potential placement for pod on node "+c.node+", preempting "+strconv.Itoa(len(c.victims))+" victims")
}

// notEligible says why the pod must not preempt (now), or "".
// Models defaultpreemption PodEligibleToPreemptOthers.
func notEligible(pod *framework.PodInfo, nodes []*framework.NodeInfo, failed *framework.NodeStatuses) string {
	if policy := pod.Pod.Spec.PreemptionPolicy; policy != nil && *policy == corev1.PreemptNever {
		return "not eligible due to preemptionPolicy=Never."
	}
	nominated := pod.Pod.Status.NominatedNodeName
	if nominated == "" || failed.Get(nominated).Code() == framework.UnschedulableAndUnresolvable {
		return ""
	}
	for _, n := range nodes {
		if n.Name != nominated {
			continue
		}
		for _, v := range n.Pods {
			if v.Priority < pod.Priority && leavingForPreemption(v.Pod) {
				return "not eligible due to a terminating pod on the nominated node."
			}
		}
	}
	return ""
}

// leavingForPreemption reports whether the pod is terminating because the scheduler preempted it.
func leavingForPreemption(pod *corev1.Pod) bool {
	if pod.DeletionTimestamp == nil {
		return false
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.DisruptionTarget {
			return c.Status == corev1.ConditionTrue && c.Reason == corev1.PodReasonPreemptionByScheduler
		}
	}
	return false
}
