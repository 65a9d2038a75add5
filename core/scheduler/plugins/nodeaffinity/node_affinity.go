// Package nodeaffinity places pods by the labels and names of nodes: spec.nodeSelector, required and
// preferred node affinity.
package nodeaffinity

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"terrarium/core/scheduler/framework"
)

const (
	// Name is the plugin's name in profiles.
	Name = "NodeAffinity"
	// ErrReasonPod says that the node is not what the pod asks for.
	ErrReasonPod = "node(s) didn't match Pod's node affinity/selector"

	errReasonEnforced = "node(s) didn't match scheduler-enforced node affinity"
	errReasonConflict = "pod affinity terms conflict"
)

// Args configures the plugin.
type Args struct {
	// AddedAffinity applies to every pod on top of its own.
	AddedAffinity *corev1.NodeAffinity
}

// NodeAffinity is the plugin.
type NodeAffinity struct {
	added      []term // one must match, when enforced
	enforced   bool
	addedPrefs []preference

	refused, refusedEnforced, conflict framework.Status

	filterSlot framework.Slot[*Required]
	scoreSlot  framework.Slot[preferences]
}

type preferences []preference

// Clone returns r itself: pods on nodes do not change it.
func (r *Required) Clone() framework.StateData { return r }

// Clone returns p itself: pods on nodes do not change it.
func (p preferences) Clone() framework.StateData { return p }

var (
	_ framework.PreFilterPlugin   = (*NodeAffinity)(nil)
	_ framework.FilterPlugin      = (*NodeAffinity)(nil)
	_ framework.PreScorePlugin    = (*NodeAffinity)(nil)
	_ framework.ScorePlugin       = (*NodeAffinity)(nil)
	_ framework.ScoreNormalizer   = (*NodeAffinity)(nil)
	_ framework.EnqueueExtensions = (*NodeAffinity)(nil)
)

// New returns the plugin, or an error when the added affinity cannot be read.
func New(slots *framework.Slots, args Args) (*NodeAffinity, error) {
	p := &NodeAffinity{
		refused:         framework.NewStatus(framework.UnschedulableAndUnresolvable, Name, ErrReasonPod),
		refusedEnforced: framework.NewStatus(framework.UnschedulableAndUnresolvable, Name, errReasonEnforced),
		conflict:        framework.NewStatus(framework.UnschedulableAndUnresolvable, Name, errReasonConflict),
		filterSlot:      framework.NewSlot[*Required](slots),
		scoreSlot:       framework.NewSlot[preferences](slots),
	}
	if args.AddedAffinity == nil {
		return p, nil
	}
	if ns := args.AddedAffinity.RequiredDuringSchedulingIgnoredDuringExecution; ns != nil {
		p.enforced, p.added = true, newTerms(ns.NodeSelectorTerms)
		for i := range p.added {
			if err := p.added[i].err; err != nil {
				return nil, fmt.Errorf("parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: %w", err)
			}
		}
	}
	var err error
	p.addedPrefs, err = newPreferences(args.AddedAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	if err != nil {
		return nil, fmt.Errorf("parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: %w", err)
	}
	return p, nil
}

// Name returns the plugin's name.
func (*NodeAffinity) Name() string { return Name }

// PreFilter reads the pod's demands. When they name nodes, only those are looked at.
func (p *NodeAffinity) PreFilter(state *framework.CycleState, pod *framework.PodInfo, _ []*framework.NodeInfo) ([]string, framework.Status) {
	required := requiredAffinity(pod.Pod)
	if required == nil && !p.enforced && pod.Pod.Spec.NodeSelector == nil {
		return nil, framework.SkipStatus()
	}
	p.filterSlot.Set(state, NewRequired(pod.Pod))
	if required == nil || len(required.NodeSelectorTerms) == 0 {
		return nil, framework.Status{}
	}
	names, named := namedNodes(required.NodeSelectorTerms)
	switch {
	case !named:
		return nil, framework.Status{}
	case len(names) == 0:
		return nil, p.conflict
	}
	return names, framework.Status{}
}

// namedNodes returns the sorted names that the terms allow; named is false when some term allows nodes of
// any name.
func namedNodes(terms []corev1.NodeSelectorTerm) (names []string, named bool) {
	for i := range terms {
		ofTerm, ok := termNames(&terms[i])
		if !ok {
			return nil, false
		}
		names = append(names, ofTerm...)
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

// termNames returns the names that all the metadata.name parts of the term allow.
func termNames(t *corev1.NodeSelectorTerm) (names []string, named bool) {
	for i := range t.MatchFields {
		f := &t.MatchFields[i]
		if f.Key != metav1.ObjectNameField || f.Operator != corev1.NodeSelectorOpIn {
			continue
		}
		if !named {
			names, named = slices.Clone(f.Values), true
			continue
		}
		names = slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(f.Values, n) })
	}
	return names, named
}

// Filter refuses a node that is not what the pod, or the profile, asks for.
func (p *NodeAffinity) Filter(state *framework.CycleState, pod *framework.PodInfo, node *framework.NodeInfo) framework.Status {
	if p.enforced && !matchAny(p.added, node.Node()) {
		return p.refusedEnforced
	}
	required, ok := p.filterSlot.Get(state)
	if !ok {
		required = NewRequired(pod.Pod)
	}
	if !required.Match(node.Node()) {
		return p.refused
	}
	return framework.Status{}
}

// PreScore reads the pod's preferences.
func (p *NodeAffinity) PreScore(state *framework.CycleState, pod *framework.PodInfo, _ []*framework.NodeInfo) framework.Status {
	a := pod.Pod.Spec.Affinity
	has := a != nil && a.NodeAffinity != nil && a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution != nil
	if !has {
		if p.addedPrefs == nil {
			return framework.SkipStatus()
		}
		p.scoreSlot.Set(state, nil)
		return framework.Status{}
	}
	prefs, err := newPreferences(a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	if err != nil {
		return framework.AsStatus(err)
	}
	p.scoreSlot.Set(state, prefs)
	return framework.Status{}
}

// Score adds up the weights of the terms that match the node.
func (p *NodeAffinity) Score(state *framework.CycleState, _ *framework.PodInfo, node *framework.NodeInfo) (int64, framework.Status) {
	prefs, _ := p.scoreSlot.Get(state)
	return score(p.addedPrefs, node.Node()) + score(prefs, node.Node()), framework.Status{}
}

// NormalizeScore gives the best node 100.
func (*NodeAffinity) NormalizeScore(_ *framework.CycleState, _ *framework.PodInfo, _ []*framework.NodeInfo, scores []int64) framework.Status {
	framework.NormalizeByMax(scores, false)
	return framework.Status{}
}

// EventsToRegister asks again when a node comes to match.
func (p *NodeAffinity) EventsToRegister() []framework.EventWithHint {
	return []framework.EventWithHint{{
		Event: framework.ClusterEvent{Resource: framework.Node, Action: framework.Add | framework.UpdateNodeLabel},
		Hint:  framework.On(p.afterNodeChange),
	}}
}

func (p *NodeAffinity) afterNodeChange(pod *corev1.Pod, old, new *corev1.Node) framework.Hint {
	if p.enforced && !matchAny(p.added, new) {
		return framework.QueueSkip
	}
	required := NewRequired(pod)
	return framework.Hint(required.Match(new) && (old == nil || !required.Match(old)))
}
