package timeline

import (
	"terrarium/core/kinds"
	"terrarium/core/kinds/diff"
	"terrarium/core/projection/why"
	"terrarium/core/projection/wire"
	"terrarium/core/scheduler"
	"terrarium/core/trace"
)

const (
	maxChanges = 60 // of one write
	maxEffects = 20
	maxNodes   = 50 // of a decision
	maxWrites  = 50 // of a span; those after them come without their changes
)

// Details returns all that is shown of one span. The field changes of its writes are computed here, when
// somebody looks.
func (t *Timeline) Details(id trace.SpanID) *wire.Span {
	s := t.trace.Span(id)
	if s == nil {
		return &wire.Span{ID: uint64(id)}
	}
	d := &wire.Span{
		ID: uint64(id), Found: true, Component: s.Component, Work: s.Kind.String(), Object: t.ref(s.Key), Node: s.Node,
		Text: t.teller.Describe(s), Err: s.Err, Start: s.Start.UnixMicro(), Took: s.End.Sub(s.Start).Microseconds(),
	}
	for i := range s.Triggers {
		d.Triggers = append(d.Triggers, t.trigger(&s.Triggers[i]))
	}
	for _, r := range s.Reads {
		d.Reads = append(d.Reads, wire.Read{Verb: r.Verb, Object: t.ref(r.Key), Count: uint32(r.Count)})
	}
	for i := range s.Writes {
		d.Writes = append(d.Writes, t.write(&s.Writes[i], i < maxWrites))
	}
	for _, st := range s.Steps {
		d.Steps = append(d.Steps, wire.Step(st))
	}
	if c, ok := s.Decision.(*scheduler.Decision); ok && c != nil {
		d.Decision = []wire.Decision{t.decision(c)}
	}
	if c := t.teller.Cause(s); c != nil {
		d.Causes = []wire.SpanRef{t.spanRef(c)}
	}
	for _, e := range t.effects(id, maxEffects) {
		d.Effects = append(d.Effects, t.spanRef(e))
	}
	return d
}

func (t *Timeline) ref(key kinds.Key) wire.Ref {
	if key == (kinds.Key{}) {
		return wire.Ref{}
	}
	return t.teller.Ref(key)
}

func (t *Timeline) spanRef(s *trace.Span) wire.SpanRef {
	return wire.SpanRef{ID: uint64(s.ID), Component: why.Who(s), Text: t.teller.Describe(s)}
}

func (t *Timeline) trigger(tr *trace.Trigger) wire.Trigger {
	w := wire.Trigger{Object: t.ref(tr.Key), Type: tr.Type, Note: tr.Note}
	if s := t.teller.Made(tr); s != nil {
		w.By = t.spanRef(s)
	}
	return w
}

func (t *Timeline) write(w *trace.Write, changes bool) wire.Write {
	out := wire.Write{Verb: w.Verb, Object: t.ref(w.Key), Subresource: w.Subresource, Revision: int64(w.Revision), Err: w.Err}
	if !changes || w.Err != "" || w.After == nil {
		return out
	}
	all := diff.Objects(w.Before, w.After)
	for i, c := range all {
		if i == maxChanges {
			out.More = uint32(len(all) - maxChanges)
			break
		}
		out.Changes = append(out.Changes, wire.FieldChange(c))
	}
	return out
}

func (t *Timeline) decision(c *scheduler.Decision) wire.Decision {
	d := wire.Decision{
		Outcome: c.Outcome.String(), Node: c.Node, Message: c.Message,
		Nodes: uint32(c.Nodes), Feasible: uint32(c.Feasible), Tied: uint32(c.Tied),
	}
	for _, col := range c.Columns() {
		d.Plugins = append(d.Plugins, col.Plugin)
		d.Weights = append(d.Weights, col.Weight)
	}
	scores := c.Scores()
	for _, n := range scores[:min(len(scores), maxNodes)] {
		row := wire.NodeScore{Node: n.Node, Total: n.Total}
		for i, p := range n.Scores {
			row.Scores = append(row.Scores, p.Normalized*d.Weights[i])
		}
		d.Scores = append(d.Scores, row)
	}
	refused := c.Refused()
	for _, r := range refused[:min(len(refused), maxNodes)] {
		d.Refused = append(d.Refused, wire.NodeRefusal{Node: r.Node, Plugin: r.Plugin, Reason: join(r.Reasons)})
	}
	d.More = uint32(max(len(scores)-maxNodes, 0) + max(len(refused)-maxNodes, 0))
	if len(refused) == 0 {
		for _, r := range c.Reasons {
			d.Reasons = append(d.Reasons, wire.ReasonCount{Reason: r.Reason, Count: uint32(r.Nodes)})
		}
	}
	for _, v := range c.Victims {
		d.Victims = append(d.Victims, t.ref(v.Pod))
	}
	return d
}

func join(reasons []string) string {
	text := ""
	for i, r := range reasons {
		if i > 0 {
			text += ", "
		}
		text += r
	}
	return text
}
