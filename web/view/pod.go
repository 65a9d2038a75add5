package view

import (
	"strings"

	"terrarium/web/dom"
	"terrarium/web/state"
)

// Pods draws tiles.
func Pods(board *state.Board, pods []*state.Pod, d Density) dom.HTML {
	var b dom.Builder
	for _, p := range pods {
		pod(&b, board, p, d)
	}
	return b.HTML()
}

func pod(b *dom.Builder, board *state.Board, p *state.Pod, d Density) {
	b.Lit(`<button type="button" tabindex="-1" data-testid="pod" data-act="pod" data-stop="pod"`)
	b.Attr("data-uid", p.UID)
	b.Attr("data-name", p.Name)
	b.Attr("data-namespace", p.Namespace)
	b.Attr("data-phase", p.Phase)
	b.Attr("class", PodClass(board, p))
	b.Attr("title", PodLabel(p))
	b.Lit(`>`)
	podFace(b, p, d)
	b.Lit(`</button>`)
}

// PodClass returns the classes of a pod's tile.
func PodClass(board *state.Board, p *state.Pod) string {
	c := "pod " + p.Look.Name()
	if p.Owner != nil {
		c += " h" + itoa(int64(p.Owner.Hue%Hues)) + " s" + itoa(int64(p.Owner.Shade%3))
	}
	if p.Fresh {
		c += " fresh"
	}
	if isSelected(board, p) {
		c += " sel"
	}
	if !board.Matches(p) {
		c += " dim"
	}
	return c
}

// PodFace draws what is on a pod's tile. Its glyph is part of its style.
func PodFace(p *state.Pod, d Density) dom.HTML {
	var b dom.Builder
	podFace(&b, p, d)
	return b.HTML()
}

func podFace(b *dom.Builder, p *state.Pod, d Density) {
	if d == Roomy {
		podText(b, p)
	}
}

// Hues is how many owner colors there are.
const Hues = 12

func isSelected(board *state.Board, p *state.Pod) bool {
	s := board.Selected
	return s.Resource == "pods" && s.Name == p.Name && s.Namespace == p.Namespace
}

func podText(b *dom.Builder, p *state.Pod) {
	stem, tail := splitName(p)
	b.Lit(`<span class="pod-name"><span class="pod-stem">`)
	b.Text(stem)
	b.Lit(`</span><span class="pod-tail">`)
	b.Text(tail)
	b.Lit(`</span></span><span class="pod-phase">`)
	b.Text(p.Phase)
	if p.Look == state.Warming {
		b.Lit(`, not ready`)
	}
	b.Lit(`</span>`)
}

// splitName cuts a generated name before its last part, which tells it apart from its siblings.
func splitName(p *state.Pod) (stem, tail string) {
	if i := strings.LastIndexByte(p.Name, '-'); i > 0 && p.Owner != nil {
		return p.Name[:i+1], p.Name[i+1:]
	}
	return p.Name, ""
}

// PodLabel describes a pod in words.
func PodLabel(p *state.Pod) string {
	s := "Pod " + p.Name + ", " + p.Phase
	if p.Look == state.Warming {
		s += ", not ready"
	}
	if p.Restarts > 0 {
		s += ", " + plural(int(p.Restarts), "restart", "restarts")
	}
	if p.Namespace != "default" {
		s += ", namespace " + p.Namespace
	}
	if p.Owner != nil {
		s += ", of " + p.Owner.RootKind + " " + p.Owner.RootName
	}
	return s
}
