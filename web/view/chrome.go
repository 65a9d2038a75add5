package view

import (
	"terrarium/core/projection/wire"
	"terrarium/web/dom"
	"terrarium/web/state"
)

// trayLimit is how many tiles the tray draws; a number stands for the rest.
const trayLimit = 100

// Tray returns the pods whose tiles the tray shows, at what density, and how many more there are.
func Tray(board *state.Board) (pods []*state.Pod, d Density, more int) {
	pods, d = board.Pending, Roomy
	if len(pods) > 24 {
		d = Cozy
	}
	if len(pods) > trayLimit {
		pods, more = pods[:trayLimit], len(pods)-trayLimit
	}
	return pods, d, more
}

// Summary draws the line beside the board's title.
func Summary(board *state.Board) dom.HTML {
	var b dom.Builder
	if len(board.Nodes) == 0 {
		return b.HTML()
	}
	b.Text(plural(len(board.Nodes), "node", "nodes"))
	off, cordoned := 0, 0
	for _, n := range board.Nodes {
		if n.State&wire.NodeReady == 0 {
			off++
		}
		if n.State&wire.NodeCordoned != 0 {
			cordoned++
		}
	}
	b.Lit(`, `)
	b.Text(plural(board.PodCount(), "pod", "pods"))
	if off > 0 {
		b.Lit(` <span class="badge bad">`)
		b.Text(itoa(int64(off)) + " not ready")
		b.Lit(`</span>`)
	}
	if cordoned > 0 {
		b.Lit(` <span class="badge warn">`)
		b.Text(itoa(int64(cordoned)) + " cordoned")
		b.Lit(`</span>`)
	}
	return b.HTML()
}

// appLimit is how many applications the legend names.
const appLimit = 8

// Legend draws what shapes and colors mean, with counts.
func Legend(board *state.Board) dom.HTML {
	var b dom.Builder
	if board.PodCount() == 0 {
		if len(board.Nodes) > 0 {
			b.Lit(`<p class="legend-hint">Nothing runs yet. Apply a manifest and watch it grow.</p>`)
		}
		return b.HTML()
	}
	b.Lit(`<ul class="legend-apps" aria-label="Applications">`)
	for i, a := range board.Applications() {
		if i == appLimit {
			b.Lit(`<li class="more">more</li>`)
			break
		}
		b.Lit(`<li><button type="button" class="app h`)
		b.Int(int64(a.Hue % Hues))
		b.Lit(`" data-act="open"`)
		b.Attr("data-open", a.Ref.ID())
		b.Attr("title", a.Ref.Kind+" "+a.Ref.Name+" in "+a.Ref.Namespace)
		b.Lit(`><span class="swatch" aria-hidden="true"></span>`)
		b.Lit(`<span class="app-name">`)
		b.Text(a.Ref.Name)
		b.Lit(`</span> <span class="count">`)
		b.Int(int64(a.Pods))
		b.Lit(`</span></button></li>`)
	}
	b.Lit(`</ul><ul class="legend-looks" aria-label="Phases">`)
	for look, n := range board.Counts {
		if n == 0 {
			continue
		}
		l := state.Look(look)
		b.Lit(`<li class="look `)
		b.Text(l.Name())
		b.Lit(`"><i class="g" aria-hidden="true"></i>`)
		b.Text(l.Title())
		b.Lit(` <span class="count">`)
		b.Int(int64(n))
		b.Lit(`</span></li>`)
	}
	b.Lit(`</ul>`)
	return b.HTML()
}

// NoNodes draws the board without nodes.
func NoNodes() dom.HTML {
	var b dom.Builder
	b.Lit(`<div class="empty" data-testid="no-nodes"><div class="boot-glass" aria-hidden="true"></div>`)
	b.Lit(`<h3>No nodes</h3><p>A node is a machine that pods run on. Until one joins, pods stay Pending.</p>`)
	b.Lit(`<button type="button" class="primary" data-act="node-add"><svg class="i" aria-hidden="true"><use href="#i-plus"/></svg>Add node</button></div>`)
	return b.HTML()
}

// RefusalNote draws the line above the board that says why a pod is not placed.
func RefusalNote(r *wire.Refusal) dom.HTML {
	var b dom.Builder
	b.Lit(`<p><b>`)
	b.Text(r.Pod.Name)
	b.Lit(`</b> `)
	if r.Message == "" {
		b.Lit(`waits for the scheduler.`)
	} else {
		b.Text(r.Message)
	}
	b.Lit(`</p><div class="note-buttons"><button type="button" data-act="open"`)
	b.Attr("data-open", r.Pod.ID())
	b.Lit(`>Inspect</button><button type="button" class="icon" data-act="refusal-close" data-testid="refusal-close" aria-label="Close" title="Close (Esc)"><svg class="i" aria-hidden="true"><use href="#i-close"/></svg></button></div>`)
	return b.HTML()
}

// NodeMenu draws the actions on a node.
func NodeMenu(n *state.Node) dom.HTML {
	var b dom.Builder
	item := func(key, act, text, hint string) {
		b.Lit(`<button type="button" role="menuitem" tabindex="-1"`)
		b.Attr("data-key", key)
		b.Attr("data-act", act)
		b.Attr("data-testid", act)
		b.Attr("data-name", n.Name)
		b.Lit(`><span>`)
		b.Text(text)
		b.Lit(`</span><small>`)
		b.Text(hint)
		b.Lit(`</small></button>`)
	}
	if n.State&wire.NodeCordoned != 0 {
		item("cordon", "node-uncordon", "Uncordon", "new pods may be placed here again")
	} else {
		item("cordon", "node-cordon", "Cordon", "no new pods are placed here")
	}
	if n.State&wire.NodePoweredOff != 0 {
		item("power", "node-on", "Power on", "the machine starts again")
	} else {
		item("power", "node-off", "Power off", "the machine stops without a word")
	}
	item("inspect", "node-inspect", "Inspect", "conditions, events, YAML")
	b.Lit(`<hr>`)
	item("remove", "node-remove", "Remove", "take the machine away")
	return b.HTML()
}

// Unsaved draws the strip that says why nothing is kept, and what to do.
func Unsaved(message string) dom.HTML {
	var b dom.Builder
	b.Lit(`<p><b>Not saved:</b> `)
	b.Text(message)
	b.Lit(`.</p><button type="button" data-act="export" data-testid="unsaved-export"><svg class="i" aria-hidden="true"><use href="#i-export"/></svg>Export</button>`)
	b.Lit(`<button type="button" class="icon" data-act="unsaved-close" data-testid="unsaved-close" aria-label="Close" title="Close"><svg class="i" aria-hidden="true"><use href="#i-close"/></svg></button>`)
	return b.HTML()
}

// Exported says what was written to a file.
func Exported(objects, secrets int, file string) string {
	switch {
	case objects == 0:
		return "Exported to " + file + ": nothing but what every cluster has"
	case secrets > 0:
		return "Exported " + plural(objects, "object", "objects") + " to " + file + ", Secrets included"
	}
	return "Exported " + plural(objects, "object", "objects") + " to " + file
}

// Toast draws a message that goes away by itself.
func Toast(text, kind string) dom.HTML {
	var b dom.Builder
	b.Lit(`<span class="toast-text">`)
	b.Text(text)
	b.Lit(`</span><button type="button" class="icon" data-act="toast-close" aria-label="Dismiss"><svg class="i" aria-hidden="true"><use href="#i-close"/></svg></button>`)
	return b.HTML()
}

// Next draws what runs next on the virtual clock.
func Next(s *wire.Status) string {
	if s.NextComponent == "" && s.NextAction == "" {
		return "nothing waits"
	}
	text := s.NextComponent
	if s.NextAction != "" {
		text += " " + s.NextAction
	}
	if s.NextObject != "" {
		text += " " + s.NextObject
	}
	if in := Until(s.Now, s.NextAt); in != "now" {
		return "in " + in + ": " + text
	}
	return "next: " + text
}
