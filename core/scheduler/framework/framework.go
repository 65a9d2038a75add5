package framework

import (
	"errors"
	"fmt"
	"slices"
)

// Config describes a profile.
type Config struct {
	// Name is the spec.schedulerName that the profile serves.
	Name string
	// Plugins in the order in which they run at every extension point they implement.
	Plugins []Enabled
	// PercentageOfNodesToScore ends the search once so many of the nodes are found feasible; 0 adapts to
	// the size of the cluster.
	PercentageOfNodesToScore int
	// Nominated returns the pods that preemption nominated to a node and that are not there yet. May be
	// nil.
	Nominated func(node string) []*PodInfo
}

// Enabled is a plugin of a profile.
type Enabled struct {
	Plugin Plugin
	Weight int64 // of its scores; 0 means 1
}

// A Framework runs the plugins of one profile.
type Framework struct {
	cfg Config

	preEnqueue []PreEnqueuePlugin
	queueSort  QueueSortPlugin
	preFilter  []preFilter
	filter     []FilterPlugin // at most 64: CycleState.skipFilter
	postFilter []PostFilterPlugin
	preScore   []preScore
	score      []scorer // at most 64
	reserve    []ReservePlugin
	permit     []PermitPlugin
	preBind    []PreBindPlugin
	bind       []BindPlugin
	postBind   []PostBindPlugin
}

type preFilter struct {
	PreFilterPlugin
	filter     int // position of the same plugin in Framework.filter, or -1
	extensions PreFilterExtensions
}

type preScore struct {
	PreScorePlugin
	score int
}

type scorer struct {
	ScorePlugin
	normalizer ScoreNormalizer // nil when the raw scores are 0..100 already
	weight     int64
}

// New returns a Framework, or an error when the profile makes no sense.
func New(cfg Config) (*Framework, error) {
	f := &Framework{cfg: cfg}
	seen := make(map[string]bool)
	for _, e := range cfg.Plugins {
		if name := e.Plugin.Name(); seen[name] {
			return nil, fmt.Errorf("plugin %q is in profile %q twice", name, cfg.Name)
		} else {
			seen[name] = true
		}
		if q, ok := e.Plugin.(QueueSortPlugin); ok {
			if f.queueSort != nil {
				return nil, fmt.Errorf("only one queue sort plugin can be enabled for profile with scheduler name %q", cfg.Name)
			}
			f.queueSort = q
		}
		f.enable(e)
	}
	switch {
	case f.queueSort == nil:
		return nil, fmt.Errorf("no queue sort plugin is enabled for profile with scheduler name %q", cfg.Name)
	case len(f.bind) == 0:
		return nil, fmt.Errorf("at least one bind plugin is needed for profile with scheduler name %q", cfg.Name)
	case len(f.filter) > 64 || len(f.score) > 64:
		return nil, errors.New("more than 64 filter or score plugins")
	}
	f.pair()
	return f, nil
}

func (f *Framework) enable(e Enabled) {
	f.preEnqueue = appendIf(f.preEnqueue, e.Plugin)
	f.filter = appendIf(f.filter, e.Plugin)
	f.postFilter = appendIf(f.postFilter, e.Plugin)
	f.reserve = appendIf(f.reserve, e.Plugin)
	f.permit = appendIf(f.permit, e.Plugin)
	f.preBind = appendIf(f.preBind, e.Plugin)
	f.bind = appendIf(f.bind, e.Plugin)
	f.postBind = appendIf(f.postBind, e.Plugin)
	if p, ok := e.Plugin.(ScorePlugin); ok {
		n, _ := e.Plugin.(ScoreNormalizer)
		f.score = append(f.score, scorer{p, n, max(e.Weight, 1)})
	}
	if p, ok := e.Plugin.(PreFilterPlugin); ok {
		x, _ := e.Plugin.(PreFilterExtensions)
		f.preFilter = append(f.preFilter, preFilter{p, -1, x})
	}
	if p, ok := e.Plugin.(PreScorePlugin); ok {
		f.preScore = append(f.preScore, preScore{p, -1})
	}
}

func appendIf[T any](list []T, p Plugin) []T {
	if t, ok := p.(T); ok {
		return append(list, t)
	}
	return list
}

// pair finds for each PreFilter its Filter and for each PreScore its Score, for Skip.
func (f *Framework) pair() {
	for i := range f.preFilter {
		f.preFilter[i].filter = slices.IndexFunc(f.filter, func(p FilterPlugin) bool { return p.Name() == f.preFilter[i].Name() })
	}
	for i := range f.preScore {
		f.preScore[i].score = slices.IndexFunc(f.score, func(p scorer) bool { return p.Name() == f.preScore[i].Name() })
	}
}

// Name returns the profile's name.
func (f *Framework) Name() string { return f.cfg.Name }

// PercentageOfNodesToScore is the profile's setting.
func (f *Framework) PercentageOfNodesToScore() int { return f.cfg.PercentageOfNodesToScore }

// HasScore reports whether there is anything to score with.
func (f *Framework) HasScore() bool { return len(f.score) > 0 }

// HasPostFilter reports whether anything is tried when no node is feasible.
func (f *Framework) HasPostFilter() bool { return len(f.postFilter) > 0 }

// PreEnqueue returns the PreEnqueue plugins.
func (f *Framework) PreEnqueue() []PreEnqueuePlugin { return f.preEnqueue }

// Less orders the active queue.
func (f *Framework) Less(a, b *QueuedPod) bool { return f.queueSort.Less(a, b) }

// Events returns what each plugin that can refuse a pod registers for. A plugin that does not say wants
// every event.
func (f *Framework) Events() []PluginEvents {
	var out []PluginEvents
	for _, e := range f.cfg.Plugins {
		switch x := e.Plugin.(type) {
		case EnqueueExtensions:
			out = append(out, PluginEvents{e.Plugin.Name(), x.EventsToRegister()})
		case PreEnqueuePlugin, PreFilterPlugin, FilterPlugin, ReservePlugin, PermitPlugin:
			out = append(out, PluginEvents{e.Plugin.Name(), []EventWithHint{{Event: ClusterEvent{Resource: WildCard, Action: All}}}})
		}
	}
	return out
}

// PluginEvents is what one plugin registers for.
type PluginEvents struct {
	Plugin string
	Events []EventWithHint
}
