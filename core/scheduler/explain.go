package scheduler

import (
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/scheduler/framework"
)

// Explain says what a cycle would find out about the pod now: which nodes fit and how they score, which are
// refused and why. Unlike a cycle it looks at every node of any cluster and changes nothing: there is no
// pick, no preemption, no binding. It is nil for a pod of another scheduler.
func (s *Scheduler) Explain(pod *corev1.Pod) *Decision {
	fw := s.profiles[pod.Spec.SchedulerName]
	if fw == nil {
		return nil
	}
	nodes := s.cache.Nodes()
	d := &Decision{
		Pod: podKey(pod), UID: pod.UID, Profile: pod.Spec.SchedulerName, At: s.loop.Now(), Outcome: Unschedulable,
		Nodes: len(nodes), names: s.cache.Names(),
	}
	if len(nodes) == 0 {
		d.Message = errNoNodes.Error()
		return d
	}
	info, state, statuses := framework.NewPodInfo(pod), framework.NewCycleState(), framework.NewNodeStatuses()
	fit := &framework.FitError{NumAllNodes: len(nodes), Diagnosis: framework.Diagnosis{NodeStatuses: statuses}}
	feasible, st := explainFilters(fw, state, info, nodes, &fit.Diagnosis)
	d.Feasible = len(feasible)
	d.setRefused(statuses, nodes, feasible, true)
	var scores framework.Scores
	if st.IsSuccess() && len(feasible) > 0 {
		if st = fw.RunScore(state, info, feasible, &scores); st.IsSuccess() {
			d.Outcome = Scheduled
			d.setScores(feasible, &scores, 0, true)
			return d
		}
	}
	if d.Message = fit.Error(); !st.IsSuccess() {
		d.Outcome, d.Message = Failed, st.Message()
	}
	return d
}

// explainFilters runs the filters over all nodes; those that PreFilter rules out have an answer of their own
// too.
func explainFilters(fw *framework.Framework, state *framework.CycleState, pod *framework.PodInfo, nodes []*framework.NodeInfo, d *framework.Diagnosis) ([]*framework.NodeInfo, framework.Status) {
	names, by, st := fw.RunPreFilter(state, pod, nodes)
	if !st.IsSuccess() && !st.IsRejected() {
		return nil, st
	}
	named := make(map[string]bool, len(names))
	for _, n := range names {
		named[n] = true
	}
	absent := by.AbsentReason()
	var feasible []*framework.NodeInfo
	for _, n := range nodes {
		answer := st
		switch {
		case st.IsRejected():
			d.PreFilterMsg = st.Message()
		case names != nil && !named[n.Name]:
			answer = absent
		default:
			answer = fw.FilterWithNominated(state, pod, n)
		}
		switch {
		case answer.IsSuccess():
			feasible = append(feasible, n)
		case answer.IsRejected():
			d.NodeStatuses.Add(n, answer)
		default:
			return nil, answer
		}
	}
	return feasible, framework.Status{}
}
