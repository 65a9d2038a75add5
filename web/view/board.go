// Package view draws the page's state as HTML strings, one for each part of the page that changes by
// itself. It is pure: the same state gives the same string. wasm/page puts the strings on the screen.
//
// Markup carries no style attributes (the page's Content-Security-Policy forbids them): sizes are SVG
// attributes or, like colors, classes.
package view

import (
	"strings"

	"terrarium/core/projection/wire"
	"terrarium/web/dom"
	"terrarium/web/state"
)

// A Density is how much room a node and a pod get.
type Density uint8

const (
	Roomy  Density = iota // tiles with text
	Cozy                  // tiles with a glyph
	Dense                 // tiles that are a shape
	Mapped                // a node is a stamp
)

// Name returns the value of the board's data-density.
func (d Density) Name() string { return [...]string{"roomy", "cozy", "dense", "map"}[d] }

// DensityFor returns the density that suits so many nodes and pods on a board of that width in CSS pixels.
func DensityFor(nodes, pods, width int) Density {
	perNode := 0
	if nodes > 0 {
		perNode = pods / nodes
	}
	columns := max(1, width/280)
	switch {
	case nodes > 240:
		return Mapped
	case nodes > 48 || perNode > 150:
		return Dense
	case nodes > 3*columns || perNode > 14:
		return Cozy
	}
	return Roomy
}

// Settle returns the density for a board that has current now. Tiles shrink at once and grow only when
// there is room to spare, so that they do not flicker between two sizes.
func Settle(current Density, nodes, pods, width int) Density {
	d := DensityFor(nodes, pods, width)
	if d < current && DensityFor(nodes+nodes/5, pods+pods/5, width) >= current {
		return current
	}
	return d
}

// Slots draws an empty place for each node: the place stays, what is in it is replaced.
func Slots(nodes []*state.Node) dom.HTML {
	var b dom.Builder
	for _, n := range nodes {
		b.Lit(`<div class="slot"`)
		b.Attr("id", SlotID(n))
		b.Lit(`></div>`)
	}
	return b.HTML()
}

// SlotID returns the id of a node's place.
func SlotID(n *state.Node) string { return "n" + itoa(int64(n.ID)) }

// Node draws what is in a node's place: its parts, and the tiles of the pods given.
func Node(board *state.Board, n *state.Node, pods []*state.Pod, d Density) dom.HTML {
	var b dom.Builder
	b.Lit(`<article data-testid="node"`)
	b.Attr("data-name", n.Name)
	b.Attr("class", NodeClass(board, n))
	b.Attr("aria-label", NodeLabel(n))
	b.Lit(`><div class="node-top">`)
	for _, part := range NodeParts(n, d) {
		b.Add(part)
	}
	b.Lit(`</div><div class="pods">`)
	for _, p := range pods {
		pod(&b, board, p, d)
	}
	b.Lit(`</div></article>`)
	return b.HTML()
}

// NodeParts draws what stands above a node's pods, an element each, so that those that did not change can
// stay on the screen.
func NodeParts(n *state.Node, d Density) []dom.HTML {
	parts := make([]dom.HTML, 0, 5)
	part := func(draw func(*dom.Builder)) {
		var b dom.Builder
		draw(&b)
		parts = append(parts, b.HTML())
	}
	part(func(b *dom.Builder) { nodeHead(b, n, d) })
	a, r := n.Allocatable, n.Requested
	if d == Mapped {
		part(func(b *dom.Builder) {
			bar(b, max(share(r.MilliCPU, a.MilliCPU), share(r.Memory, a.Memory), share(r.Pods, a.Pods)))
		})
		return parts // color and the label of the place have to do
	}
	part(func(b *dom.Builder) {
		meter(b, "CPU", share(r.MilliCPU, a.MilliCPU), Cores(r.MilliCPU)+" / "+Cores(a.MilliCPU), "cores requested of those that pods can have")
	})
	part(func(b *dom.Builder) {
		meter(b, "Memory", share(r.Memory, a.Memory), BytesOf(r.Memory, a.Memory), "memory requested of what pods can have")
	})
	part(func(b *dom.Builder) {
		meter(b, "Pods", share(r.Pods, a.Pods), itoa(r.Pods)+" / "+itoa(a.Pods), "pods of those that fit")
	})
	if reason, fits, known := n.Reason(); known {
		part(func(b *dom.Builder) { nodeReason(b, reason, fits) })
	}
	return parts
}

// NodeClass returns the classes of a node's article.
func NodeClass(board *state.Board, n *state.Node) string {
	_, fits, known := n.Reason()
	c := "node"
	switch {
	case n.State&wire.NodePoweredOff != 0:
		c += " off"
	case n.State&wire.NodeReady == 0:
		c += " notready"
	}
	if n.State&wire.NodeCordoned != 0 {
		c += " cordoned"
	}
	if known && fits {
		c += " fits"
	} else if known {
		c += " refuses"
	}
	if board.Selected.Resource == "nodes" && board.Selected.Name == n.Name {
		c += " sel"
	}
	return c
}

// NodeStatus returns the words for a node's state, as `kubectl get nodes` has them, and whether its
// machine is off.
func NodeStatus(n *state.Node) string {
	s := "NotReady"
	if n.State&wire.NodeReady != 0 {
		s = "Ready"
	}
	if n.State&wire.NodeCordoned != 0 {
		s += ",SchedulingDisabled"
	}
	return s
}

// NodeLabel describes a node in words.
func NodeLabel(n *state.Node) string { return nodeWords(n) + ", " + plural(len(n.Pods), "pod", "pods") }

func nodeWords(n *state.Node) string {
	s := "Node " + n.Name + ", " + NodeStatus(n)
	if n.State&wire.NodePoweredOff != 0 {
		s += ", powered off"
	}
	return s
}

func nodeHead(b *dom.Builder, n *state.Node, d Density) {
	b.Lit(`<header class="node-head"><button type="button" class="node-name" tabindex="-1" data-act="open" data-stop="node"`)
	b.Attr("data-open", wire.Ref{Resource: "nodes", Name: n.Name}.ID())
	b.Attr("title", nodeWords(n))
	b.Lit(`>`)
	if d == Mapped {
		b.Text(shortName(n.Name))
	} else {
		b.Text(n.Name)
	}
	b.Lit(`</button>`)
	if d != Mapped {
		badges(b, n)
	}
	b.Lit(`<button type="button" class="icon node-menu" tabindex="-1" data-act="node-menu" data-testid="node-menu" data-stop="menu" aria-haspopup="menu"`)
	b.Attr("data-name", n.Name)
	b.Attr("aria-label", "Actions for node "+n.Name)
	b.Lit(`><svg class="i" aria-hidden="true"><use href="#i-menu"/></svg></button></header>`)
}

// shortName returns what tells a node apart on a stamp: the end of the first part of its name.
func shortName(name string) string {
	host, _, _ := strings.Cut(name, ".")
	if i := strings.LastIndexByte(host, '-'); i >= 0 && i+1 < len(host) {
		return host[i+1:]
	}
	return host
}

func badges(b *dom.Builder, n *state.Node) {
	badge := func(kind, text, title string) {
		b.Lit(`<span`)
		b.Attr("class", "badge "+kind)
		b.Attr("title", title)
		b.Lit(`>`)
		b.Text(text)
		b.Lit(`</span>`)
	}
	b.Lit(`<span class="badges">`)
	if n.State&wire.NodePoweredOff != 0 {
		badge("bad", "Off", "The machine is powered off")
	}
	switch {
	case n.State&wire.NodeUnknown != 0:
		badge("bad", "NotReady", "The node stopped sending heartbeats")
	case n.State&wire.NodeReady == 0:
		badge("warn", "NotReady", notReadyMessage(n))
	}
	if n.State&wire.NodeCordoned != 0 {
		badge("warn", "Cordoned", "No new pods are placed here")
	}
	for _, c := range n.Conditions {
		if c.Type != "Ready" && c.Status != "Unknown" { // what a silent node's pressure is, nobody knows
			badge("warn", c.Type, c.Message)
		}
	}
	b.Lit(`</span>`)
}

func notReadyMessage(n *state.Node) string {
	for _, c := range n.Conditions {
		if c.Type == "Ready" {
			return c.Message
		}
	}
	return "The node is not ready"
}

func nodeReason(b *dom.Builder, r wire.NodeRefusal, fits bool) {
	b.Lit(`<p class="reason" data-testid="reason">`)
	if fits {
		b.Lit(`Would take it`)
	} else {
		b.Text(r.Reason)
		b.Lit(` <span class="plugin">`)
		b.Text(r.Plugin)
		b.Lit(`</span>`)
	}
	b.Lit(`</p>`)
}

func meter(b *dom.Builder, name string, percent int, text, title string) {
	b.Lit(`<div class="meter" role="meter" aria-valuemin="0" aria-valuemax="100"`)
	b.IntAttr("aria-valuenow", int64(percent))
	b.Attr("aria-label", name)
	b.Attr("aria-valuetext", text)
	b.Attr("title", name+": "+text+" "+title)
	b.Lit(`><span class="meter-name">`)
	b.Text(name)
	b.Lit(`</span>`)
	bar(b, percent)
	b.Lit(`<span class="meter-text">`)
	b.Text(text)
	b.Lit(`</span></div>`)
}

// bar draws a share. Its length is a class, since there are no style attributes; an svg element would be a
// piece that the browser composes by itself, a thousand of them on a large board.
func bar(b *dom.Builder, percent int) {
	b.Lit(`<span class="bar`)
	if percent >= 90 {
		b.Lit(` full`)
	}
	b.Lit(`" aria-hidden="true"><span class="w`)
	b.Int(int64(percent))
	b.Lit(`"></span></span>`)
}

// share returns part of whole in percent, at least 1 when there is any, at most 100.
func share(part, whole int64) int {
	if part <= 0 {
		return 0
	}
	if part >= whole {
		return 100
	}
	return max(1, int(float64(part)*100/float64(whole)))
}
