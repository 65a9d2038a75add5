package view

import (
	"terrarium/core/projection/wire"
	"terrarium/web/dom"
)

// decision draws why the scheduler picked a node, or none: the scores of the nodes that fit, and why the
// others were refused.
func decision(b *dom.Builder, d *wire.Decision) {
	section(b, "Decision", 0)
	b.Lit(`<p class="span-decision" data-testid="span-decision">`)
	b.Text(d.Outcome)
	if d.Node != "" {
		b.Text(": " + d.Node)
	}
	b.Text(". " + plural(int(d.Feasible), "node fits", "nodes fit") + " of " + itoa(int64(d.Nodes)) + ".")
	if d.Message != "" {
		b.Text(" " + d.Message)
	}
	b.Lit(`</p>`)
	if len(d.Scores) > 0 {
		scores(b, d)
	}
	if len(d.Refused)+len(d.Reasons) > 0 {
		b.Lit(`<ul class="span-list">`)
		for _, r := range d.Refused {
			b.Lit(`<li><b>`)
			b.Text(r.Node)
			b.Lit(`</b> refused by `)
			b.Text(r.Plugin + ": " + r.Reason)
			b.Lit(`</li>`)
		}
		for _, r := range d.Reasons {
			b.Lit(`<li>`)
			b.Text(plural(int(r.Count), "node", "nodes") + ": " + r.Reason)
			b.Lit(`</li>`)
		}
		b.Lit(`</ul>`)
	}
	for _, v := range d.Victims {
		b.Lit(`<p>Preempted `)
		object(b, v)
		b.Lit(`</p>`)
	}
	if d.More > 0 {
		b.Lit(`<p class="more">`)
		b.Text(plural(int(d.More), "node", "nodes") + " more")
		b.Lit(`</p>`)
	}
}

func scores(b *dom.Builder, d *wire.Decision) {
	b.Lit(`<div class="scores-scroll" tabindex="0" role="group" aria-label="Scores"><table class="scores"><thead><tr><th scope="col">Node</th><th scope="col">Total</th>`)
	for i, p := range d.Plugins {
		b.Lit(`<th scope="col"`)
		if i < len(d.Weights) {
			b.Attr("title", p+", weight "+itoa(d.Weights[i]))
		}
		b.Lit(`>`)
		b.Text(p)
		b.Lit(`</th>`)
	}
	b.Lit(`</tr></thead><tbody>`)
	for i := range d.Scores {
		n := &d.Scores[i]
		b.Lit(`<tr`)
		if n.Node == d.Node {
			b.Lit(` class="pick"`)
		}
		b.Lit(`><th scope="row">`)
		b.Text(n.Node)
		if n.Node == d.Node {
			b.Lit(` ✓`)
		}
		b.Lit(`</th><td>`)
		b.Int(n.Total)
		b.Lit(`</td>`)
		for _, v := range n.Scores {
			b.Lit(`<td>`)
			b.Int(v)
			b.Lit(`</td>`)
		}
		b.Lit(`</tr>`)
	}
	b.Lit(`</tbody></table></div>`)
}
