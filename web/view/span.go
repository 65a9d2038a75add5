package view

import (
	"terrarium/core/projection/wire"
	"terrarium/web/dom"
	"terrarium/web/state"
)

// SpanDetails draws the panel beside the timeline: what the selected span is, why it ran and what it did.
func SpanDetails(t *state.Timeline) dom.HTML {
	var b dom.Builder
	s := t.Details
	if s == nil {
		return Hint("Loading")
	}
	if !s.Found {
		return Hint("This span is too old: the timeline has dropped it.")
	}
	b.Lit(`<div class="span-head"><h3>`)
	b.Text(who(s.Component, s.Node))
	b.Lit(`</h3><span class="span-when">`)
	b.Text(TimeOfDay(s.Start, true) + ", " + Took(s.Took))
	b.Lit(`</span><button type="button" class="icon" data-tl="close" aria-label="Close" title="Close (Esc)"><svg class="i" aria-hidden="true"><use href="#i-close"/></svg></button></div><p class="span-text" data-testid="span-text">`)
	b.Text(s.Text)
	b.Lit(`.</p>`)
	if s.Object.Name != "" {
		b.Lit(`<p class="span-object">`)
		object(&b, s.Object)
		b.Lit(`</p>`)
	}
	if s.Err != "" {
		b.Lit(`<p class="span-error">`)
		b.Text(s.Err)
		b.Lit(`</p>`)
	}
	triggers(&b, s)
	for i := range s.Decision {
		decision(&b, &s.Decision[i])
	}
	writes(&b, s.Writes)
	reads(&b, s.Reads)
	steps(&b, s.Steps)
	effects(&b, s.Effects)
	return b.HTML()
}

func who(component, node string) string {
	if node == "" {
		return component
	}
	return component + " on " + node
}

// object is a link that opens the inspector.
func object(b *dom.Builder, r wire.Ref) {
	b.Lit(`<span class="kind">`)
	b.Text(kindOf(r))
	b.Lit(`</span> <button type="button" class="link" data-act="open"`)
	b.Attr("data-open", r.ID())
	b.Lit(`>`)
	if r.Namespace != "" && r.Namespace != "default" {
		b.Text(r.Namespace + "/")
	}
	b.Text(r.Name)
	b.Lit(`</button>`)
}

// spanLink is a link to another span.
func spanLink(b *dom.Builder, r wire.SpanRef) {
	b.Lit(`<button type="button" class="link" data-tl="span"`)
	b.Attr("data-span", itoa(int64(r.ID)))
	b.Lit(`>`)
	b.Text(r.Component + " " + r.Text)
	b.Lit(`</button>`)
}

func section(b *dom.Builder, title string, n int) {
	b.Lit(`<h4>`)
	b.Text(title)
	if n > 1 {
		b.Lit(` <span class="count">`)
		b.Int(int64(n))
		b.Lit(`</span>`)
	}
	b.Lit(`</h4>`)
}

func triggers(b *dom.Builder, s *wire.Span) {
	if len(s.Triggers) == 0 && len(s.Causes) == 0 {
		return
	}
	section(b, "Because", len(s.Triggers))
	b.Lit(`<ul class="span-list" data-testid="span-triggers">`)
	for i := range s.Triggers {
		if i == 20 {
			more(b, len(s.Triggers)-i)
			break
		}
		t := &s.Triggers[i]
		b.Lit(`<li>`)
		if t.Object.Name != "" {
			object(b, t.Object)
			b.Lit(` <span class="badge">`)
			b.Text(t.Type)
			b.Lit(`</span>`)
		}
		b.Text(t.Note)
		if t.By.ID != 0 {
			b.Lit(` <span class="by">by</span> `)
			spanLink(b, t.By)
		}
		b.Lit(`</li>`)
	}
	if len(s.Causes) > 0 && !named(s.Triggers, s.Causes[0].ID) {
		b.Lit(`<li><span class="by">after</span> `)
		spanLink(b, s.Causes[0])
		b.Lit(`</li>`)
	}
	b.Lit(`</ul>`)
}

func named(triggers []wire.Trigger, id uint64) bool {
	for i := range triggers {
		if triggers[i].By.ID == id {
			return true
		}
	}
	return false
}

func more(b *dom.Builder, n int) {
	b.Lit(`<li class="more">and `)
	b.Int(int64(n))
	b.Lit(` more</li>`)
}

func writes(b *dom.Builder, list []wire.Write) {
	if len(list) == 0 {
		return
	}
	section(b, "Wrote", len(list))
	b.Lit(`<ul class="span-list" data-testid="span-writes">`)
	for i := range list {
		w := &list[i]
		b.Lit(`<li><b>`)
		b.Text(w.Verb)
		b.Lit(`</b> `)
		object(b, w.Object)
		if w.Subresource != "" {
			b.Lit(` <span class="badge">`)
			b.Text(w.Subresource)
			b.Lit(`</span>`)
		}
		if w.Revision > 0 {
			b.Lit(` <span class="count">revision `)
			b.Int(w.Revision)
			b.Lit(`</span>`)
		}
		if w.Err != "" {
			b.Lit(`<p class="span-error">`)
			b.Text(w.Err)
			b.Lit(`</p>`)
		}
		changes(b, w)
		b.Lit(`</li>`)
	}
	b.Lit(`</ul>`)
}

func changes(b *dom.Builder, w *wire.Write) {
	if len(w.Changes) == 0 {
		return
	}
	const open = 8 // changes that are seen at once
	long := len(w.Changes) > open
	if long {
		b.Lit(`<details><summary>`)
		b.Text(plural(len(w.Changes)+int(w.More), "field", "fields"))
		b.Lit(`</summary>`)
	}
	b.Lit(`<ul class="field-changes">`)
	for _, c := range w.Changes {
		b.Lit(`<li><code>`)
		b.Text(c.Path)
		b.Lit(`</code> `)
		if c.Old != "" {
			b.Lit(`<del>`)
			b.Text(c.Old)
			b.Lit(`</del> `)
		}
		if c.New != "" {
			b.Lit(`<ins>`)
			b.Text(c.New)
			b.Lit(`</ins>`)
		} else {
			b.Lit(`<span class="by">removed</span>`)
		}
		b.Lit(`</li>`)
	}
	if w.More > 0 {
		more(b, int(w.More))
	}
	b.Lit(`</ul>`)
	if long {
		b.Lit(`</details>`)
	}
}

func reads(b *dom.Builder, list []wire.Read) {
	if len(list) == 0 {
		return
	}
	section(b, "Read", len(list))
	b.Lit(`<ul class="span-list">`)
	for i := range list {
		if i == 20 {
			more(b, len(list)-i)
			break
		}
		r := &list[i]
		b.Lit(`<li>`)
		b.Text(r.Verb + " ")
		if r.Object.Name != "" {
			object(b, r.Object)
		} else {
			b.Text(r.Object.Resource)
			if r.Object.Namespace != "" {
				b.Text(" in " + r.Object.Namespace)
			}
		}
		b.Lit(` <span class="count">`)
		b.Text(plural(int(r.Count), "object", "objects"))
		b.Lit(`</span></li>`)
	}
	b.Lit(`</ul>`)
}

func steps(b *dom.Builder, list []wire.Step) {
	if len(list) == 0 {
		return
	}
	section(b, "Steps", 0)
	b.Lit(`<ol class="span-steps">`)
	for _, s := range list {
		b.Lit(`<li>`)
		b.Text(s.Name)
		if s.Detail != "" {
			b.Lit(` <span class="by">`)
			b.Text(s.Detail)
			b.Lit(`</span>`)
		}
		b.Lit(`</li>`)
	}
	b.Lit(`</ol>`)
}

func effects(b *dom.Builder, list []wire.SpanRef) {
	if len(list) == 0 {
		return
	}
	section(b, "Led to", len(list))
	b.Lit(`<ul class="span-list" data-testid="span-effects">`)
	for _, e := range list {
		b.Lit(`<li>`)
		spanLink(b, e)
		b.Lit(`</li>`)
	}
	b.Lit(`</ul>`)
}
