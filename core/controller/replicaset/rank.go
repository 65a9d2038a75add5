package replicaset

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"terrarium/core/controller/pods"
)

// chooseDeletions returns the n pods that are the least loss: see compare. related are the pods of all sets
// with the same owner; of two pods alike, the one whose node has more of those goes first.
//
// Models pkg/controller/replicaset getPodsToDelete and pkg/controller ActivePodsWithRanks.
func chooseDeletions(list, related []*corev1.Pod, n int, now time.Time) []*corev1.Pod {
	if n >= len(list) {
		return list
	}
	onNode := make(map[string]int)
	for _, p := range related {
		if pods.Active(p) {
			onNode[p.Spec.NodeName]++
		}
	}
	candidates := make([]candidate, len(list))
	for i, p := range list {
		candidates[i] = newCandidate(p, onNode[p.Spec.NodeName], now)
	}
	slices.SortFunc(candidates, func(a, b candidate) int { return a.compare(&b) })
	out := make([]*corev1.Pod, n)
	for i := range out {
		out[i] = candidates[i].pod
	}
	return out
}

// A candidate is a pod with what the choice looks at.
type candidate struct {
	pod         *corev1.Pod
	phase       int
	ready       bool
	readySince  moment
	made        moment
	cost        int32
	neighbours  int
	restarts    int32
	sideRestart int32
}

// A moment is a time with the order of magnitude of how long ago it was.
type moment struct {
	time.Time
	magnitude int64
}

func momentOf(t, now time.Time) moment { return moment{t, magnitude(now.Sub(t))} }

func newCandidate(p *corev1.Pod, neighbours int, now time.Time) candidate {
	c := candidate{
		pod: p, phase: phaseRank(p.Status.Phase), made: momentOf(p.CreationTimestamp.Time, now),
		cost: deletionCost(p), neighbours: neighbours,
	}
	if rc := pods.ReadyCondition(p); rc != nil && rc.Status == corev1.ConditionTrue {
		c.ready, c.readySince = true, momentOf(rc.LastTransitionTime.Time, now)
	}
	c.restarts, c.sideRestart = restarts(p)
	return c
}

// compare orders by what is lost, least first: not assigned to a node; pending, unknown, running; not ready;
// a lower pod-deletion-cost; more neighbours; ready for a shorter time; more restarts; younger. Times are
// compared by order of magnitude, so that equals are told apart by UID, which is as good as by lot.
func (c *candidate) compare(o *candidate) int {
	if assigned := compareBools(c.pod.Spec.NodeName != "", o.pod.Spec.NodeName != ""); assigned != 0 {
		return assigned
	}
	if d := cmp.Or(cmp.Compare(c.phase, o.phase), compareBools(c.ready, o.ready), cmp.Compare(c.cost, o.cost),
		cmp.Compare(o.neighbours, c.neighbours)); d != 0 {
		return d
	}
	if c.ready && o.ready && !c.readySince.Equal(o.readySince.Time) {
		return c.compareTimes(o, c.readySince, o.readySince)
	}
	if d := cmp.Or(cmp.Compare(o.restarts, c.restarts), cmp.Compare(o.sideRestart, c.sideRestart)); d != 0 {
		return d
	}
	if !c.made.Equal(o.made.Time) {
		return c.compareTimes(o, c.made, o.made)
	}
	return strings.Compare(c.pod.Name, o.pod.Name) // where upstream leaves it to the sort
}

// compareTimes puts the later time first, an absent one before all.
func (c *candidate) compareTimes(o *candidate, a, b moment) int {
	if a.IsZero() || b.IsZero() {
		return compareBools(b.IsZero(), a.IsZero())
	}
	return cmp.Or(cmp.Compare(a.magnitude, b.magnitude), strings.Compare(string(c.pod.UID), string(o.pod.UID)))
}

// magnitude is the binary logarithm of an age.
func magnitude(age time.Duration) int64 {
	if age <= 0 {
		return -1
	}
	return int64(math.Log2(float64(age)))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func phaseRank(p corev1.PodPhase) int {
	switch p {
	case corev1.PodUnknown:
		return 1
	case corev1.PodRunning:
		return 2
	}
	return 0
}

// deletionCost reads the pod's annotation; one that is not a plain decimal counts 0.
// Models pkg/apis/core/helper GetDeletionCostFromPodAnnotations.
func deletionCost(p *corev1.Pod) int32 {
	text := p.Annotations[corev1.PodDeletionCost]
	if text == "" || text[0] == '+' || (text[0] == '0' && text != "0") {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

// restarts returns the most restarts of any container, and of any sidecar.
func restarts(p *corev1.Pod) (regular, sidecar int32) {
	for i := range p.Status.ContainerStatuses {
		regular = max(regular, p.Status.ContainerStatuses[i].RestartCount)
	}
	for i := range p.Status.InitContainerStatuses {
		st := &p.Status.InitContainerStatuses[i]
		if slices.ContainsFunc(p.Spec.InitContainers, func(c corev1.Container) bool {
			return c.Name == st.Name && c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
		}) {
			sidecar = max(sidecar, st.RestartCount)
		}
	}
	return regular, sidecar
}
