package framework

import "fmt"

// Scores are the scores of the feasible nodes, one column a plugin. The columns are reused by the next
// cycle.
type Scores struct {
	Columns []ScoreColumn
	Total   []int64 // by node: the weighted sum
}

// A ScoreColumn is one plugin's scores, by node.
type ScoreColumn struct {
	Plugin     string
	Weight     int64
	Raw        []int64
	Normalized []int64
}

// RunScore prepares and runs the Score plugins over the feasible nodes.
func (f *Framework) RunScore(state *CycleState, pod *PodInfo, nodes []*NodeInfo, out *Scores) Status {
	for _, p := range f.preScore {
		s := p.PreScore(state, pod, nodes)
		switch {
		case s.IsSkip():
			if p.score >= 0 {
				state.skipScore |= 1 << p.score
			}
		case !s.IsSuccess():
			return AsStatus(fmt.Errorf("running PreScore plugin %q: %w", p.Name(), s.Err()))
		}
	}
	out.reset(len(nodes))
	for i := range f.score {
		if state.skipScore>>i&1 != 0 {
			continue
		}
		if s := f.score[i].run(state, pod, nodes, out); !s.IsSuccess() {
			return s
		}
	}
	return Status{}
}

func (p *scorer) run(state *CycleState, pod *PodInfo, nodes []*NodeInfo, out *Scores) Status {
	c := out.column(p.Name(), p.weight)
	for i, n := range nodes {
		v, s := p.Score(state, pod, n)
		if !s.IsSuccess() {
			return AsStatus(fmt.Errorf("running Score plugins: plugin %q failed with: %w", p.Name(), s.Err()))
		}
		c.Raw[i] = v
	}
	copy(c.Normalized, c.Raw)
	if p.normalizer != nil {
		if s := p.normalizer.NormalizeScore(state, pod, nodes, c.Normalized); !s.IsSuccess() {
			return AsStatus(fmt.Errorf("running Normalize on Score plugins: plugin %q failed with: %w", p.Name(), s.Err()))
		}
	}
	for i, v := range c.Normalized {
		if v < MinScore || v > MaxScore {
			return AsStatus(fmt.Errorf("applying score defaultWeights on Score plugins: plugin %q returns an invalid score %v, it should in the range of [%v, %v] after normalizing",
				p.Name(), v, MinScore, MaxScore))
		}
		out.Total[i] += v * p.weight
	}
	return Status{}
}

func (s *Scores) reset(nodes int) {
	s.Columns = s.Columns[:0]
	s.Total = resize(s.Total, nodes)
	clear(s.Total)
}

// column returns the next column, reusing what an earlier cycle left there.
func (s *Scores) column(plugin string, weight int64) *ScoreColumn {
	n := len(s.Columns)
	if n < cap(s.Columns) {
		s.Columns = s.Columns[:n+1]
	} else {
		s.Columns = append(s.Columns, ScoreColumn{})
	}
	c := &s.Columns[n]
	c.Plugin, c.Weight = plugin, weight
	c.Raw = resize(c.Raw, len(s.Total))
	c.Normalized = resize(c.Normalized, len(s.Total))
	return c
}

func resize(b []int64, n int) []int64 {
	if cap(b) < n {
		return make([]int64, n)
	}
	return b[:n]
}

// NormalizeByMax scales scores so that the highest is 100, or when reverse so that the highest is 0 and
// what scored 0 is 100.
// Models pkg/scheduler/framework/plugins/helper DefaultNormalizeScore.
func NormalizeByMax(scores []int64, reverse bool) {
	var highest int64
	for _, s := range scores {
		highest = max(highest, s)
	}
	for i, s := range scores {
		if highest > 0 {
			s = MaxScore * s / highest
		}
		if reverse {
			s = MaxScore - s
		}
		scores[i] = s
	}
}
