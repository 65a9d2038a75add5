package framework_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/scheduler/framework"
	"terrarium/core/scheduler/schedtest"
)

// A scripted plugin answers what the test says, at every point.
type scripted struct {
	name                string
	only                []string
	preFilter, filter   framework.Status
	preScore, post      framework.Status
	score               int64
	scoreStatus         framework.Status
	permit              framework.Status
	timeout             time.Duration
	bind                framework.Status
	filterCalls, scored *int
}

func (p scripted) Name() string { return p.name }

func (p scripted) PreFilter(*framework.CycleState, *framework.PodInfo, []*framework.NodeInfo) ([]string, framework.Status) {
	return p.only, p.preFilter
}

func (p scripted) Filter(*framework.CycleState, *framework.PodInfo, *framework.NodeInfo) framework.Status {
	if p.filterCalls != nil {
		*p.filterCalls++
	}
	return p.filter
}

func (p scripted) PostFilter(*framework.CycleState, *framework.PodInfo, *framework.NodeStatuses, framework.Runner) (framework.Nomination, framework.Status) {
	return framework.Nomination{Override: true, Node: p.name}, p.post
}

func (p scripted) PreScore(*framework.CycleState, *framework.PodInfo, []*framework.NodeInfo) framework.Status {
	return p.preScore
}

func (p scripted) Score(*framework.CycleState, *framework.PodInfo, *framework.NodeInfo) (int64, framework.Status) {
	if p.scored != nil {
		*p.scored++
	}
	return p.score, p.scoreStatus
}

func (p scripted) Permit(*framework.CycleState, *framework.PodInfo, string) (framework.Status, time.Duration) {
	return p.permit, p.timeout
}

func (p scripted) Bind(*framework.CycleState, *framework.PodInfo, string) framework.Status {
	return p.bind
}

type sorts struct{}

func (sorts) Name() string                        { return "Sort" }
func (sorts) Less(a, b *framework.QueuedPod) bool { return false }

func run(t *testing.T, plugins ...framework.Enabled) (*framework.Framework, *framework.CycleState, *framework.PodInfo) {
	t.Helper()
	f, err := framework.New(framework.Config{Name: "test", Plugins: append(plugins, framework.Enabled{Plugin: sorts{}})})
	if err != nil {
		t.Fatal(err)
	}
	return f, framework.NewCycleState(), framework.NewPodInfo(schedtest.Pod("p").Obj())
}

func enable(p ...scripted) (out []framework.Enabled) {
	for _, p := range p {
		out = append(out, framework.Enabled{Plugin: p})
	}
	return out
}

func TestProfileMustMakeSense(t *testing.T) {
	for name, plugins := range map[string][]framework.Enabled{
		"no queue sort":  enable(scripted{name: "A"}),
		"two of a name":  append(enable(scripted{name: "A"}, scripted{name: "A"}), framework.Enabled{Plugin: sorts{}}),
		"no bind plugin": {{Plugin: sorts{}}},
	} {
		if _, err := framework.New(framework.Config{Name: "test", Plugins: plugins}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRunPreFilter(t *testing.T) {
	refuse := framework.NewStatus(framework.UnschedulableAndUnresolvable, "", "no")
	boom := framework.AsStatus(errors.New("boom"))
	tests := []struct {
		name    string
		plugins []scripted
		names   []string
		by      framework.Names
		code    framework.Code
		message string
	}{
		{name: "all nodes", plugins: []scripted{{name: "A"}, {name: "B"}}},
		{name: "the intersection", plugins: []scripted{{name: "A", only: []string{"n1", "n2"}}, {name: "B", only: []string{"n2", "n3"}}}, names: []string{"n2"}, by: framework.Names{"A", "B"}},
		{
			name: "an empty intersection", plugins: []scripted{{name: "B", only: []string{"n1"}}, {name: "A", only: []string{"n2"}}},
			names: []string{}, by: framework.Names{"B", "A"}, code: framework.UnschedulableAndUnresolvable, message: "node(s) didn't satisfy plugin(s) [A B] simultaneously",
		},
		{name: "no node of one", plugins: []scripted{{name: "A", only: []string{}}}, names: []string{}, by: framework.Names{"A"}, code: framework.UnschedulableAndUnresolvable, message: "node(s) didn't satisfy plugin A"},
		{name: "refused", plugins: []scripted{{name: "A", preFilter: refuse}}, code: framework.UnschedulableAndUnresolvable, message: "no"},
		{name: "failed", plugins: []scripted{{name: "A", preFilter: boom}}, code: framework.Error, message: `running PreFilter plugin "A": boom`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, state, pod := run(t, enable(tt.plugins...)...)
			names, by, s := f.RunPreFilter(state, pod, nil)
			if diff := cmp.Diff([]any{tt.names, tt.by, tt.code, tt.message}, []any{names, by, s.Code(), s.Message()}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSkip(t *testing.T) {
	filtered, scored := 0, 0
	f, state, pod := run(t, enable(
		scripted{name: "A", preFilter: framework.SkipStatus(), preScore: framework.SkipStatus(), filterCalls: &filtered, scored: &scored},
		scripted{name: "B", score: 7},
	)...)
	f.RunPreFilter(state, pod, nil)
	node := framework.NewNodeInfo(schedtest.Node("n").Obj())
	f.Filter(state, pod, node)
	var scores framework.Scores
	f.RunScore(state, pod, []*framework.NodeInfo{node}, &scores)
	if filtered != 0 || scored != 0 || len(scores.Columns) != 1 || scores.Total[0] != 7 {
		t.Errorf("filtered %d, scored %d times; %+v", filtered, scored, scores)
	}
	state.Reset()
	if f.Filter(state, pod, node); filtered != 1 {
		t.Error("Skip outlives the cycle")
	}
}

func TestFilterErrors(t *testing.T) {
	f, state, pod := run(t, enable(scripted{name: "A", filter: framework.AsStatus(errors.New("boom"))})...)
	s := f.Filter(state, pod, framework.NewNodeInfo(schedtest.Node("n").Obj()))
	if s.Code() != framework.Error || s.Plugin() != "A" || s.Message() != `running "A" filter plugin: boom` {
		t.Errorf("got %v of %q: %q", s.Code(), s.Plugin(), s.Message())
	}
}

func TestScoreRange(t *testing.T) {
	f, state, pod := run(t, framework.Enabled{Plugin: scripted{name: "A", score: 101}, Weight: 2})
	var scores framework.Scores
	s := f.RunScore(state, pod, []*framework.NodeInfo{framework.NewNodeInfo(schedtest.Node("n").Obj())}, &scores)
	want := `applying score defaultWeights on Score plugins: plugin "A" returns an invalid score 101, it should in the range of [0, 100] after normalizing`
	if s.Code() != framework.Error || s.Message() != want {
		t.Errorf("got %v: %q", s.Code(), s.Message())
	}
}

func TestRunPostFilter(t *testing.T) {
	no := framework.NewStatus(framework.Unschedulable, "", "no")
	for _, tt := range []struct {
		name    string
		plugins []scripted
		node    string
		code    framework.Code
		message string
	}{
		{"the first success", []scripted{{name: "A", post: no}, {name: "B"}, {name: "C"}}, "B", framework.Success, ""},
		{"all refuse", []scripted{{name: "A", post: no}, {name: "B", post: no}}, "B", framework.Unschedulable, "no, no"},
		{"an error ends it", []scripted{{name: "A", post: framework.AsStatus(errors.New("boom"))}, {name: "B"}}, "", framework.Error, "boom"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, state, pod := run(t, enable(tt.plugins...)...)
			n, s := f.RunPostFilter(state, pod, framework.NewNodeStatuses())
			if n.Node != tt.node || s.Code() != tt.code || s.Message() != tt.message {
				t.Errorf("got %q, %v, %q", n.Node, s.Code(), s.Message())
			}
		})
	}
}

func TestPermitTimeoutIsLimited(t *testing.T) {
	f, state, pod := run(t, enable(scripted{name: "A", permit: framework.NewStatus(framework.Wait, ""), timeout: time.Hour})...)
	waits, s := f.RunPermit(state, pod, "n")
	if diff := cmp.Diff([]framework.PermitWait{{Plugin: "A", Timeout: 15 * time.Minute}}, waits); diff != "" || !s.IsWait() {
		t.Errorf("%v (-want +got):\n%s", s.Code(), diff)
	}
}

func TestBindSkips(t *testing.T) {
	f, state, pod := run(t, enable(scripted{name: "A", bind: framework.SkipStatus()}, scripted{name: "B", bind: framework.AsStatus(errors.New("boom"))})...)
	if s := f.RunBind(state, pod, "n"); s.Message() != `running Bind plugin "B": boom` {
		t.Errorf("got %q", s.Message())
	}
}
