package view

import (
	"terrarium/core/projection/wire"
	"terrarium/web/dom"
	"terrarium/web/state"
)

// InspectorHead draws the title of the inspected object, what can be done with it, and the tabs.
func InspectorHead(i *state.Inspector) dom.HTML {
	var b dom.Builder
	o := i.Object
	b.Lit(`<div class="insp-top">`)
	if len(i.Back) > 0 {
		iconButton(&b, "inspector-back", "back", "Back")
	}
	b.Lit(`<div class="insp-name"><span class="kind">`)
	b.Text(kindOf(i.Ref))
	b.Lit(`</span><h2 id="inspector-title"`)
	b.Attr("title", i.Ref.Name)
	b.Lit(`>`)
	b.Text(i.Ref.Name)
	b.Lit(`</h2></div>`)
	iconButton(&b, "inspector-close", "close", "Close")
	b.Lit(`</div>`)
	if o != nil {
		path(&b, o)
		actions(&b, i)
		facts(&b, o)
	}
	tabs(&b, i)
	return b.HTML()
}

func kindOf(r wire.Ref) string {
	if r.Kind != "" {
		return r.Kind
	}
	return r.Resource
}

func iconButton(b *dom.Builder, act, icon, label string) {
	b.Lit(`<button type="button" class="icon"`)
	b.Attr("data-key", act)
	b.Attr("data-act", act)
	b.Attr("data-testid", act)
	b.Attr("aria-label", label)
	b.Attr("title", label)
	b.Lit(`><svg class="i" aria-hidden="true"><use href="#i-`)
	b.Text(icon)
	b.Lit(`"/></svg></button>`)
}

func path(b *dom.Builder, o *wire.Inspect) {
	b.Lit(`<p class="path"><code data-testid="api-path" title="The object's path in the API">`)
	b.Text(o.Path)
	b.Lit(`</code>`)
	switch {
	case !o.Found:
		b.Lit(` <span class="badge bad" data-testid="gone">Gone</span>`)
	case o.Deleting:
		b.Lit(` <span class="badge warn">Terminating</span>`)
	}
	b.Lit(`</p>`)
}

// actions draws what can be done; nothing for an object that is gone.
func actions(b *dom.Builder, i *state.Inspector) {
	o := i.Object
	if !o.Found {
		return
	}
	b.Lit(`<div class="insp-actions">`)
	if o.Scalable {
		b.Lit(`<form class="scale" data-form="scale" data-testid="scale" aria-label="Scale"><button type="button" data-act="scale-down" data-testid="scale-down" aria-label="One replica less">&#8722;</button>`)
		b.Lit(`<input id="scale-input" data-testid="scale-input" inputmode="numeric" pattern="[0-9]*" autocomplete="off" aria-label="Replicas"`)
		b.IntAttr("value", i.Replicas())
		b.Lit(`><button type="button" data-act="scale-up" data-testid="scale-up" aria-label="One replica more">+</button><span class="scale-ready">`)
		b.Text(itoa(o.Ready) + " ready")
		b.Lit(`</span></form>`)
	}
	if o.Undoable {
		b.Lit(`<button type="button" data-key="undo" data-act="undo" data-testid="undo" title="Go back to the previous revision"><svg class="i" aria-hidden="true"><use href="#i-undo"/></svg>Undo rollout</button>`)
	}
	b.Lit(`<button type="button" data-key="edit" data-act="edit" data-testid="edit" title="Open in the editor"><svg class="i" aria-hidden="true"><use href="#i-edit"/></svg>Edit</button>`)
	b.Lit(`<button type="button" class="danger" data-key="delete" data-act="delete" data-testid="delete"`)
	b.Flag("disabled", o.Deleting)
	b.Lit(`><svg class="i" aria-hidden="true"><use href="#i-trash"/></svg>Delete</button></div>`)
}

func facts(b *dom.Builder, o *wire.Inspect) {
	if len(o.Summary) == 0 {
		return
	}
	b.Lit(`<dl class="facts">`)
	for _, f := range o.Summary {
		b.Lit(`<div`)
		b.Attr("data-key", "fact-"+f.Name)
		b.Lit(`><dt>`)
		b.Text(f.Name)
		b.Lit(`</dt><dd`)
		b.Attr("title", f.Value)
		b.Lit(`>`)
		if f.Open != "" {
			link(b, f.Open, f.Value)
		} else {
			b.Text(f.Value)
		}
		b.Lit(`</dd></div>`)
	}
	b.Lit(`</dl>`)
}

func link(b *dom.Builder, id, text string) {
	b.Lit(`<button type="button" class="link" data-act="open"`)
	b.Attr("data-open", id)
	b.Lit(`>`)
	b.Text(text)
	b.Lit(`</button>`)
}

func tabs(b *dom.Builder, i *state.Inspector) {
	b.Lit(`<div class="tablist" role="tablist" aria-label="About this object">`)
	for _, t := range state.Tabs() {
		on := t == i.Tab
		b.Lit(`<button type="button" role="tab" data-act="tab"`)
		b.Attr("id", "tab-"+string(t))
		b.Attr("data-tab", string(t))
		b.Attr("data-testid", "tab-"+string(t))
		b.Lit(` aria-controls="inspector-body"`)
		if on {
			b.Lit(` aria-selected="true" tabindex="0">`)
		} else {
			b.Lit(` aria-selected="false" tabindex="-1">`)
		}
		b.Text(t.Title())
		if n := tabCount(i.Object, t); n > 0 {
			b.Lit(` <span class="count">`)
			b.Int(int64(n))
			b.Lit(`</span>`)
		}
		b.Lit(`</button>`)
	}
	b.Lit(`</div>`)
}

func tabCount(o *wire.Inspect, t state.Tab) int {
	if o == nil {
		return 0
	}
	switch t {
	case state.TabEvents:
		return len(o.Events)
	case state.TabOwners:
		return len(o.Up) + len(o.Down)
	case state.TabPending:
		return len(o.Timers)
	}
	return 0
}

// InspectorBody draws the open tab. The Why tab is drawn from an answer of its own; see Why.
func InspectorBody(i *state.Inspector) dom.HTML {
	var b dom.Builder
	o := i.Object
	if o == nil {
		b.Lit(`<p class="hint" aria-busy="true">Loading</p>`)
		return b.HTML()
	}
	switch i.Tab {
	case state.TabEvents:
		events(&b, o, i.Now)
	case state.TabOwners:
		owners(&b, o)
	case state.TabPending:
		timers(&b, o, i.Now)
	default:
		if o.YAML == "" {
			b.Lit(`<p class="hint">There is no such object.</p>`)
			break
		}
		b.Lit(`<pre class="yaml" data-testid="yaml" tabindex="0" aria-label="YAML">`)
		YAML(&b, o.YAML)
		b.Lit(`</pre>`)
	}
	return b.HTML()
}

// Hint draws a sentence where there is nothing else to show.
func Hint(s string) dom.HTML {
	var b dom.Builder
	b.Lit(`<p class="hint">`)
	b.Text(s)
	b.Lit(`</p>`)
	return b.HTML()
}
