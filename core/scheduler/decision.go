package scheduler

import (
	"cmp"
	"math"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds"
	"terrarium/core/scheduler/framework"
)

// An Outcome says how a scheduling cycle ended.
type Outcome uint8

const (
	Scheduled     Outcome = iota + 1 // bound
	Unschedulable                    // no node, or refused after one was picked
	Failed                           // something unexpected
	Waiting                          // a Permit plugin makes the pod wait
)

// String returns the outcome for the page.
func (o Outcome) String() string {
	return [...]string{"", "scheduled", "unschedulable", "failed", "waiting"}[o]
}

// A Decision is all that one scheduling cycle found out. It is on the cycle's span (trace.Span.Decision)
// and must not be changed.
//
// What is kept of every node is bounded: with more than 100 nodes, and in old decisions, only the counts
// by reason and the best scores are left (Condensed).
type Decision struct {
	Pod      kinds.Key
	UID      types.UID
	Profile  string
	At       time.Time
	Attempt  int
	Outcome  Outcome
	Node     string // the pick, or ""
	Message  string // why there is none
	Nodes    int    // in the cluster
	Feasible int    // found feasible; the search may have ended before it saw all nodes
	Tied     int    // nodes that shared the best total; the pick is random among them

	Reasons   []framework.ReasonCount // refused nodes by reason
	Nominated string                  // where preemption makes room
	Victims   []Victim                // and for that ends

	Condensed bool

	names   []string // of the nodes at the time
	refused []refusedNode
	answers []framework.Status // that refused refers to
	columns []ScoreColumn
	cells   []int32 // per scored node: index in names, total, then raw scores
	norms   []int8  // per scored node: normalized scores
}

// A Victim is a pod that was preempted.
type Victim struct {
	Pod      kinds.Key
	UID      types.UID
	Priority int32
}

// A ScoreColumn is one Score plugin of the cycle.
type ScoreColumn struct {
	Plugin string
	Weight int64
}

// A NodeRefusal is why one node was refused.
type NodeRefusal struct {
	Node    string
	Plugin  string
	Code    framework.Code
	Reasons []string
}

// A NodeScore is how one feasible node scored.
type NodeScore struct {
	Node   string
	Total  int64
	Scores []PluginScore // by Decision.Columns
}

// A PluginScore is one plugin's score of one node: it adds Normalized times the column's weight.
type PluginScore struct{ Raw, Normalized int64 }

type refusedNode struct {
	node   int32
	answer uint8
}

const (
	maxFullNodes  = 100 // with more nodes a decision is condensed from the start
	topScores     = 10  // best scores kept of a big cluster
	topScoresOld  = 5   // and of an old decision
	maxAnswers    = math.MaxUint8
	detailsBudget = 4 << 20 // bytes of per-node details kept over all decisions
)

// Columns are the Score plugins that ran, in order.
func (d *Decision) Columns() []ScoreColumn { return d.columns }

// Refused lists the refused nodes in the order they were looked at; empty when condensed.
func (d *Decision) Refused() []NodeRefusal {
	out := make([]NodeRefusal, len(d.refused))
	for i, r := range d.refused {
		s := d.answers[r.answer]
		out[i] = NodeRefusal{d.names[r.node], s.Plugin(), s.Code(), s.Reasons()}
	}
	return out
}

// Scores lists the feasible nodes, best total first; only the best when condensed. It is empty when there
// was but one feasible node: that is taken as it is.
func (d *Decision) Scores() []NodeScore {
	width := 2 + len(d.columns)
	out := make([]NodeScore, 0, len(d.cells)/width)
	for row, at := 0, 0; at < len(d.cells); row, at = row+1, at+width {
		n := NodeScore{Node: d.names[d.cells[at]], Total: int64(d.cells[at+1]), Scores: make([]PluginScore, len(d.columns))}
		for i := range d.columns {
			n.Scores[i] = PluginScore{int64(d.cells[at+2+i]), int64(d.norms[row*len(d.columns)+i])}
		}
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b NodeScore) int { return cmp.Compare(b.Total, a.Total) })
	return out
}

// setRefused notes why nodes were refused, of all that there are.
func (d *Decision) setRefused(statuses *framework.NodeStatuses, all, feasible []*framework.NodeInfo, full bool) {
	d.Reasons = statuses.Reasons(len(all) - len(feasible))
	if !full {
		d.Condensed = d.Condensed || len(d.Reasons) > 0
		return
	}
	d.refused = make([]refusedNode, 0, statuses.Len())
	for _, r := range statuses.Refused {
		d.addRefused(r.Node, r.Status)
	}
	if len(statuses.Absent.Reasons()) == 0 {
		return
	}
	for _, n := range all {
		seen := slices.ContainsFunc(statuses.Refused, func(r framework.NodeStatus) bool { return r.Node == n })
		if !seen && !slices.Contains(feasible, n) {
			d.addRefused(n, statuses.Absent)
		}
	}
}

func (d *Decision) addRefused(n *framework.NodeInfo, why framework.Status) {
	i := slices.IndexFunc(d.answers, func(a framework.Status) bool { return a.Same(why) || a.Equal(why) })
	if i < 0 {
		if i = len(d.answers); i == maxAnswers {
			d.Condensed = true
			return
		}
		d.answers = append(d.answers, why)
	}
	d.refused = append(d.refused, refusedNode{int32(n.Index), uint8(i)})
}

// setScores notes the scores of the nodes, or of the best when there are many. pick is always among them.
func (d *Decision) setScores(nodes []*framework.NodeInfo, scores *framework.Scores, pick int, full bool) {
	d.columns = make([]ScoreColumn, len(scores.Columns))
	for i := range scores.Columns {
		d.columns[i] = ScoreColumn{scores.Columns[i].Plugin, scores.Columns[i].Weight}
	}
	if full {
		d.grow(len(nodes))
		for i := range nodes {
			d.addScore(nodes[i], scores, i)
		}
		return
	}
	d.Condensed = true
	d.grow(topScores)
	for _, i := range best(scores.Total, pick, topScores) {
		d.addScore(nodes[i], scores, i)
	}
}

func (d *Decision) grow(rows int) {
	d.cells = make([]int32, 0, rows*(2+len(d.columns)))
	d.norms = make([]int8, 0, rows*len(d.columns))
}

func (d *Decision) addScore(n *framework.NodeInfo, s *framework.Scores, i int) {
	d.cells = append(d.cells, int32(n.Index), clamp(s.Total[i]))
	for c := range s.Columns {
		d.cells = append(d.cells, clamp(s.Columns[c].Raw[i]))
		d.norms = append(d.norms, int8(s.Columns[c].Normalized[i]))
	}
}

func clamp(v int64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }

// best returns the positions of the n greatest totals, pick first, then by total and position.
func best(totals []int64, pick, n int) []int {
	top := make([]int, 1, n+1)
	top[0] = pick
	for i, t := range totals {
		if i == pick || (len(top) == n && t <= totals[top[n-1]]) {
			continue
		}
		at := len(top)
		for at > 1 && totals[top[at-1]] < t {
			at--
		}
		if top = slices.Insert(top, at, i); len(top) > n {
			top = top[:n]
		}
	}
	return top
}

// setPreemption notes whom preemption removed for the pod.
func (d *Decision) setPreemption(n framework.Nomination) {
	d.Nominated = n.Node
	for _, v := range n.Victims {
		d.Victims = append(d.Victims, Victim{podKey(v.Pod), v.UID, v.Priority})
	}
}

// size is how many bytes of per-node details the decision holds.
func (d *Decision) size() int { return 8*len(d.refused) + 4*len(d.cells) + len(d.norms) }

// condense drops the details that grow with the cluster.
func (d *Decision) condense() {
	if d.refused != nil {
		d.refused, d.answers, d.Condensed = nil, nil, true
	}
	width, rows := 2+len(d.columns), topScoresOld
	if len(d.cells) <= rows*width {
		return
	}
	order := make([]int, len(d.cells)/width)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(
			-boolCompare(d.isPick(a, width), d.isPick(b, width)),
			cmp.Compare(d.cells[b*width+1], d.cells[a*width+1]))
	})
	cells, norms := d.cells, d.norms
	d.grow(rows)
	for _, r := range order[:rows] {
		d.cells = append(d.cells, cells[r*width:(r+1)*width]...)
		d.norms = append(d.norms, norms[r*len(d.columns):(r+1)*len(d.columns)]...)
	}
	d.Condensed = true
}

func (d *Decision) isPick(row, width int) bool { return d.names[d.cells[row*width]] == d.Node }

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
