//go:build js && wasm

package main

import (
	"syscall/js"

	html "terrarium/web/dom"
	"terrarium/web/state"
	"terrarium/web/view"
)

// A place is an element whose children are pods' tiles.
type place struct {
	board   *board
	host    js.Value
	list    js.Value // host's children, live
	tiles   state.Tiles
	density view.Density
}

func newPlace(b *board, host js.Value) *place {
	return &place{board: b, host: host, list: host.Get("children")}
}

// patch brings the place up to date as far as there is time. It reports whether it is.
func (p *place) patch(pods []*state.Pod, d view.Density) (done bool) {
	if d != p.density {
		p.density = d
		p.clear()
	}
	return p.tiles.Patch(pods, p, p.board.enough)
}

func (p *place) clear() {
	p.tiles.Show(nil)
	p.host.Call("replaceChildren")
}

// mostFresh is how many tiles may move in one drawing: each that moves is a layer of its own for a while.
const mostFresh = 6

// calm counts tiles that come, and lets those beyond the first few come without a movement.
func (b *board) calm(pods []*state.Pod) {
	if b.fresh += len(pods); b.fresh <= mostFresh {
		return
	}
	for _, p := range pods {
		p.Fresh = false
	}
}

// Insert puts tiles before the one at a position. Only a few may come in with a movement.
func (p *place) Insert(at int, pods []*state.Pod) {
	p.board.calm(pods)
	before := js.Null()
	if at < p.list.Length() {
		before = p.list.Index(at)
	}
	insertHTML(p.host, before, view.Pods(p.board.state, pods, p.density))
}

// Remove takes n tiles away.
func (p *place) Remove(at, n int) {
	for range n {
		p.list.Index(at).Call("remove")
	}
}

// Update draws a tile as its pod is now. The element stays, and with it the focus.
func (p *place) Update(at int, pod *state.Pod) {
	e := p.list.Index(at)
	e.Set("className", view.PodClass(p.board.state, pod))
	e.Call("setAttribute", "data-phase", pod.Phase)
	e.Set("title", view.PodLabel(pod))
	if face := view.PodFace(pod, p.density); face != (html.HTML{}) {
		setValueHTML(e, face)
	}
}

// A slot is a node's place on the board.
type slot struct {
	at           js.Value
	article, top js.Value // once drawn
	class, label string   // as they are on the screen
	parts        []html.HTML
	place        *place
}

// draw draws a node as far as there is time. It reports whether all of it is drawn.
func (s *slot) draw(b *board, n *state.Node) (done bool) {
	if s.place == nil || s.place.density != b.density {
		s.begin(b, n)
	} else {
		s.drawFrame(b, n)
	}
	return s.place.patch(n.Pods, b.density)
}

// begin draws the node anew, with its first pods.
func (s *slot) begin(b *board, n *state.Node) {
	first := n.Pods[:min(len(n.Pods), state.TilesAtOnce)]
	b.calm(first)
	setValueHTML(s.at, view.Node(b.state, n, first, b.density))
	s.article = s.at.Get("firstElementChild")
	s.top = s.article.Get("firstElementChild")
	s.class, s.label, s.parts = view.NodeClass(b.state, n), view.NodeLabel(n), view.NodeParts(n, b.density)
	s.place = newPlace(b, s.article.Get("lastElementChild"))
	s.place.density = b.density
	s.place.tiles.Show(first)
}

// drawFrame draws what changed of a node but its pods.
func (s *slot) drawFrame(b *board, n *state.Node) {
	if class := view.NodeClass(b.state, n); class != s.class {
		s.class = class
		s.article.Set("className", class)
	}
	if label := view.NodeLabel(n); label != s.label {
		s.label = label
		s.article.Call("setAttribute", "aria-label", label)
	}
	parts := view.NodeParts(n, b.density)
	if len(parts) != len(s.parts) {
		var all html.Builder
		for _, part := range parts {
			all.Add(part)
		}
		setValueHTML(s.top, all.HTML())
	} else {
		for i, part := range parts {
			if part != s.parts[i] {
				s.top.Get("children").Index(i).Set("outerHTML", part.String())
			}
		}
	}
	s.parts = parts
}
