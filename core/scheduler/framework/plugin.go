package framework

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Scores are in this range after normalizing.
const (
	MinScore int64 = 0
	MaxScore int64 = 100
)

// A Plugin takes part in one or more of the extension points below.
type Plugin interface{ Name() string }

// A PreEnqueuePlugin decides whether a pod may enter the active queue at all. A pod that it refuses is
// gated: it waits until one of the plugin's events.
type PreEnqueuePlugin interface {
	Plugin
	PreEnqueue(pod *corev1.Pod) Status
}

// A QueueSortPlugin orders the active queue. A profile has exactly one.
type QueueSortPlugin interface {
	Plugin
	Less(a, b *QueuedPod) bool
}

// EnqueueExtensions says which events may make a plugin's refusal wrong. A plugin without it is asked
// again after any event.
type EnqueueExtensions interface {
	Plugin
	EventsToRegister() []EventWithHint
}

// A PreFilterPlugin prepares for its Filter and may narrow down the nodes. nil names mean all nodes;
// names are sorted.
type PreFilterPlugin interface {
	Plugin
	PreFilter(state *CycleState, pod *PodInfo, nodes []*NodeInfo) (names []string, s Status)
}

// PreFilterExtensions keeps what PreFilter prepared right while preemption tries adding and removing pods.
type PreFilterExtensions interface {
	AddPod(state *CycleState, pod, added *PodInfo, node *NodeInfo) Status
	RemovePod(state *CycleState, pod, removed *PodInfo, node *NodeInfo) Status
}

// A FilterPlugin says whether the pod can run on the node. It is called for every node of every cycle:
// no maps, no allocation on the usual path.
type FilterPlugin interface {
	Plugin
	Filter(state *CycleState, pod *PodInfo, node *NodeInfo) Status
}

// A PostFilterPlugin is called when no node is feasible, to make one so.
type PostFilterPlugin interface {
	Plugin
	PostFilter(state *CycleState, pod *PodInfo, failed *NodeStatuses, run Runner) (Nomination, Status)
}

// A Runner runs the filters of the profile on a node as it might be.
type Runner interface {
	// FilterWithNominated also counts in the pods nominated to the node that matter as much or more.
	FilterWithNominated(state *CycleState, pod *PodInfo, node *NodeInfo) Status
	AddPod(state *CycleState, pod, added *PodInfo, node *NodeInfo) Status
	RemovePod(state *CycleState, pod, removed *PodInfo, node *NodeInfo) Status
}

// A Nomination says what becomes of a pod's status.nominatedNodeName.
type Nomination struct {
	Override bool       // false: leave it
	Node     string     // "" clears it
	Victims  []*PodInfo // pods preempted for it
}

// ClearNomination takes the nominated node away.
func ClearNomination() Nomination { return Nomination{Override: true} }

// A PreScorePlugin prepares for its Score; nodes are the feasible ones.
type PreScorePlugin interface {
	Plugin
	PreScore(state *CycleState, pod *PodInfo, nodes []*NodeInfo) Status
}

// A ScorePlugin says how good a feasible node is. Like Filter, it is on the hot path.
type ScorePlugin interface {
	Plugin
	Score(state *CycleState, pod *PodInfo, node *NodeInfo) (int64, Status)
}

// A ScoreNormalizer turns the scores of its plugin for all nodes into 0..100, in place.
type ScoreNormalizer interface {
	NormalizeScore(state *CycleState, pod *PodInfo, nodes []*NodeInfo, scores []int64) Status
}

// A ReservePlugin keeps books of its own on what a pod will use on its node. Unreserve must take back
// what Reserve did, be it complete or not.
type ReservePlugin interface {
	Plugin
	Reserve(state *CycleState, pod *PodInfo, node string) Status
	Unreserve(state *CycleState, pod *PodInfo, node string)
}

// A PermitPlugin may refuse a decision or make it wait for at most the returned time.
type PermitPlugin interface {
	Plugin
	Permit(state *CycleState, pod *PodInfo, node string) (Status, time.Duration)
}

// A PreBindPlugin does what must be done before the pod is bound.
type PreBindPlugin interface {
	Plugin
	PreBind(state *CycleState, pod *PodInfo, node string) Status
}

// A BindPlugin binds the pod, or answers Skip to leave it to the next one.
type BindPlugin interface {
	Plugin
	Bind(state *CycleState, pod *PodInfo, node string) Status
}

// A PostBindPlugin is told that the pod was bound.
type PostBindPlugin interface {
	Plugin
	PostBind(state *CycleState, pod *PodInfo, node string)
}
