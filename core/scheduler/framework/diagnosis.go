package framework

import (
	"slices"
	"strconv"
	"strings"
)

// NodeStatuses are the answers for the nodes that were refused in a cycle, in the order they were looked
// at, and the answer for the nodes that were not looked at.
type NodeStatuses struct {
	Refused []NodeStatus
	Absent  Status
}

// A NodeStatus is the answer for one node.
type NodeStatus struct {
	Node   *NodeInfo
	Status Status
}

// NewNodeStatuses returns an empty list, whose absent nodes are UnschedulableAndUnresolvable.
func NewNodeStatuses() *NodeStatuses {
	return &NodeStatuses{Absent: Status{code: UnschedulableAndUnresolvable}}
}

// Add notes the answer for a node.
func (s *NodeStatuses) Add(n *NodeInfo, st Status) { s.Refused = append(s.Refused, NodeStatus{n, st}) }

// Len returns how many nodes have an answer of their own.
func (s *NodeStatuses) Len() int { return len(s.Refused) }

// Get returns the answer for the named node.
func (s *NodeStatuses) Get(name string) Status {
	for i := range s.Refused {
		if s.Refused[i].Node.Name == name {
			return s.Refused[i].Status
		}
	}
	return s.Absent
}

// WithCode returns the nodes whose answer has the code; all are the nodes of the cluster.
func (s *NodeStatuses) WithCode(all []*NodeInfo, code Code) []*NodeInfo {
	var nodes []*NodeInfo
	if s.Absent.Code() == code {
		for _, n := range all {
			if s.Get(n.Name).Code() == code {
				nodes = append(nodes, n)
			}
		}
		return nodes
	}
	for i := range s.Refused {
		if s.Refused[i].Status.Code() == code {
			nodes = append(nodes, s.Refused[i].Node)
		}
	}
	return nodes
}

// Diagnosis is why a pod found no node.
type Diagnosis struct {
	NodeStatuses  *NodeStatuses
	Unschedulable Names // plugins that refused
	Pending       Names // plugins that answered Pending
	PreFilterMsg  string
	PostFilterMsg string
}

// AddPluginStatus notes the plugin of a refusal.
func (d *Diagnosis) AddPluginStatus(s Status) {
	if s.Plugin() == "" {
		return
	}
	if s.IsRejected() {
		d.Unschedulable = d.Unschedulable.Add(s.Plugin())
	}
	if s.Code() == Pending {
		d.Pending = d.Pending.Add(s.Plugin())
	}
}

// A FitError says that a pod found no node, and why not.
type FitError struct {
	NumAllNodes int
	Diagnosis   Diagnosis
}

// Error returns "0/3 nodes are available: <reasons>. <what preemption says>".
// Models pkg/scheduler/framework FitError.Error.
func (e *FitError) Error() string {
	var b strings.Builder
	b.WriteString("0/")
	b.WriteString(strconv.Itoa(e.NumAllNodes))
	b.WriteString(" nodes are available:")
	if msg := e.Diagnosis.PreFilterMsg; msg != "" {
		b.WriteString(" " + msg + ".")
	} else if counts := e.counts(); len(counts) > 0 {
		b.WriteString(" " + strings.Join(counts, ", ") + ".")
	}
	if msg := e.Diagnosis.PostFilterMsg; msg != "" {
		b.WriteString(" " + msg)
	}
	return b.String()
}

// counts returns "2 Insufficient cpu" and the like, sorted as text (so "10 x" comes before "2 y").
func (e *FitError) counts() []string {
	reasons := e.Diagnosis.NodeStatuses.Reasons(e.NumAllNodes)
	out := make([]string, len(reasons))
	for i, r := range reasons {
		out[i] = strconv.Itoa(r.Nodes) + " " + r.Reason
	}
	slices.Sort(out)
	return out
}

// A ReasonCount is how many nodes were refused for a reason.
type ReasonCount struct {
	Reason string
	Plugin string
	Code   Code
	Nodes  int
}

type statusCount struct {
	status Status
	n      int
}

// Reasons counts the nodes by reason, out of a cluster of total nodes, in the order the reasons came up.
func (s *NodeStatuses) Reasons(total int) []ReasonCount {
	var same []statusCount
	last := -1
	for i := range s.Refused {
		st := s.Refused[i].Status
		if last < 0 || !same[last].status.Same(st) {
			last = slices.IndexFunc(same, func(c statusCount) bool { return c.status.Same(st) })
		}
		if last < 0 {
			last = len(same)
			same = append(same, statusCount{status: st})
		}
		same[last].n++
	}
	var out []ReasonCount
	for _, c := range same {
		out = countReasons(out, c.status, c.n)
	}
	if absent := total - s.Len(); absent > 0 {
		out = countReasons(out, s.Absent, absent)
	}
	return out
}

func countReasons(out []ReasonCount, s Status, n int) []ReasonCount {
	for _, reason := range s.Reasons() {
		i := slices.IndexFunc(out, func(c ReasonCount) bool { return c.Reason == reason })
		if i < 0 {
			i = len(out)
			out = append(out, ReasonCount{Reason: reason, Plugin: s.Plugin(), Code: s.Code()})
		}
		out[i].Nodes += n
	}
	return out
}
