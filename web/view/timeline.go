package view

import (
	"strings"

	"terrarium/core/projection/wire"
	"terrarium/web/dom"
	"terrarium/web/state"
)

// Sizes of the timeline, in pixels.
const (
	laneRow    = 20 // one line of a lane, with its gap
	laneHeight = 17 // of an item
	lanePad    = 4  // between lanes
	rulerPart  = 20 // the times above
	letter     = 65 // about the width of one, in tenths
)

// Timeline draws the lanes of the window: their names, and beside them the items with their arrows.
func Timeline(t *state.Timeline) dom.HTML {
	var b dom.Builder
	w := t.Window
	if w == nil {
		return Hint("The timeline begins when the cluster runs.")
	}
	if w.Shown == 0 {
		return noSpans(t)
	}
	tops, height := laneTops(w)
	b.Lit(`<div class="tl-grid"><ul class="tl-lanes" aria-label="Lanes"`)
	b.Lit(`>`)
	for i, l := range w.Lanes {
		b.Lit(`<li class="tl-lane rows`)
		b.Int(int64(min(l.Rows, 4)))
		b.Lit(`"`)
		b.Attr("title", w.Lanes[i].Name)
		b.Lit(`>`)
		b.Text(strings.TrimSuffix(l.Name, "-controller"))
		b.Lit(`</li>`)
	}
	b.Lit(`</ul><svg class="tl-svg" id="tl-svg" role="listbox" tabindex="0" aria-label="Spans, oldest first. Arrow left and right go along time, up to the cause, down to the effect." data-testid="timeline-spans"`)
	if it := t.Item(); it != nil {
		b.Attr("aria-activedescendant", "span-"+itoa(int64(it.ID)))
	}
	b.IntAttr("width", t.Width)
	b.IntAttr("height", height)
	b.Lit(`><defs><marker id="tl-head" viewBox="0 0 6 6" refX="5.5" refY="3" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0 6 3 0 6z"/></marker></defs>`)
	bands(&b, t, tops, height)
	ruler(&b, w, height)
	for i := range w.Arrows {
		arrow(&b, w, w.Arrows[i], tops)
	}
	for i := range w.Items {
		item(&b, w, &w.Items[i], tops)
	}
	b.Lit(`</svg></div>`)
	return b.HTML()
}

func noSpans(t *state.Timeline) dom.HTML {
	switch {
	case t.Filter != "":
		return Hint("Nothing that is kept has to do with “" + t.Filter + "”.")
	case t.Window.Quiet > 0:
		return Hint("Nothing happened yet but heartbeats. Apply a manifest and see each step here.")
	}
	return Hint("Nothing happened yet. Apply a manifest and see each step here.")
}

// laneTops returns where each lane begins, and the height of everything.
func laneTops(w *wire.Timeline) (tops []int64, height int64) {
	height = rulerPart
	for _, l := range w.Lanes {
		tops = append(tops, height+lanePad/2)
		height += int64(min(l.Rows, 4))*laneRow + lanePad
	}
	return tops, height
}

// bands are the stripes behind the lanes.
func bands(b *dom.Builder, t *state.Timeline, tops []int64, height int64) {
	for i := 0; i < len(tops); i += 2 {
		end := height
		if i+1 < len(tops) {
			end = tops[i+1] - lanePad/2
		}
		b.Lit(`<rect class="tl-band" x="0"`)
		b.IntAttr("y", tops[i]-lanePad/2)
		b.IntAttr("width", t.Width)
		b.IntAttr("height", end-tops[i]+lanePad/2)
		b.Lit(`/>`)
	}
}

func ruler(b *dom.Builder, w *wire.Timeline, height int64) {
	fine := false
	for _, k := range w.Ticks {
		fine = fine || k.At%1_000_000 != 0
	}
	for _, k := range w.Ticks {
		b.Lit(`<path class="tl-tick" d="M`)
		b.Int(k.X / 10)
		b.Lit(` 4V`)
		b.Int(height)
		b.Lit(`"/><text class="tl-time" y="14"`)
		b.IntAttr("x", k.X/10+4)
		b.Lit(`>`)
		b.Text(TimeOfDay(k.At, fine))
		b.Lit(`</text>`)
	}
}

// TimeOfDay returns a virtual time in microseconds since 1970 as "15:04:05", with thousandths where fine.
func TimeOfDay(us int64, fine bool) string {
	s := Clock(us / 1000)
	if fine {
		ms := us / 1000 % 1000
		s += "." + pad3(ms)
	}
	return s
}

func pad3(n int64) string {
	s := itoa(n)
	for len(s) < 3 {
		s = "0" + s
	}
	return s
}

func middle(w *wire.Timeline, i uint32, tops []int64) int64 {
	it := &w.Items[i]
	return tops[it.Lane] + int64(it.Row)*laneRow + laneHeight/2
}

// arrow draws a line from the end of the cause to the beginning of the effect.
func arrow(b *dom.Builder, w *wire.Timeline, a wire.Arrow, tops []int64) {
	from, to := &w.Items[a.From], &w.Items[a.To]
	x0, x1 := from.X1/10, to.X0/10
	y0, y1 := middle(w, a.From, tops), middle(w, a.To, tops)
	bend := max((x1-x0)/2, 12)
	b.Lit(`<path class="tl-arrow`)
	if from.Flags&to.Flags&wire.ItemChain != 0 {
		b.Lit(` chain`)
	}
	b.Lit(`" marker-end="url(#tl-head)" d="M`)
	b.Int(x0)
	b.Lit(` `)
	b.Int(y0)
	b.Lit(`C`)
	b.Int(x0 + bend)
	b.Lit(` `)
	b.Int(y0)
	b.Lit(` `)
	b.Int(x1 - bend)
	b.Lit(` `)
	b.Int(y1)
	b.Lit(` `)
	b.Int(x1)
	b.Lit(` `)
	b.Int(y1)
	b.Lit(`"/>`)
}

func item(b *dom.Builder, w *wire.Timeline, it *wire.Item, tops []int64) {
	width := max((it.X1-it.X0)/10, 2)
	b.Lit(`<svg class="tl-item`)
	for _, f := range []struct {
		flag uint32
		name string
	}{{wire.ItemFailed, " failed"}, {wire.ItemQuiet, " quiet"}, {wire.ItemSelected, " selected"}, {wire.ItemChain, " chain"}} {
		if it.Flags&f.flag != 0 {
			b.Text(f.name)
		}
	}
	b.Lit(`" data-testid="span" role="option"`)
	b.Attr("id", "span-"+itoa(int64(it.ID)))
	b.Attr("data-span", itoa(int64(it.ID)))
	b.Attr("data-controller", w.Lanes[it.Lane].Name)
	b.Attr("data-key", it.Object.ID())
	b.Attr("data-count", itoa(int64(it.Count)))
	if it.Flags&wire.ItemSelected != 0 {
		b.Lit(` aria-selected="true"`)
	} else {
		b.Lit(` aria-selected="false"`)
	}
	b.Attr("aria-label", SpanLabel(w, it))
	b.IntAttr("x", it.X0/10)
	b.IntAttr("y", tops[it.Lane]+int64(it.Row)*laneRow)
	b.IntAttr("width", width)
	b.IntAttr("height", laneHeight)
	b.Lit(`><title>`)
	b.Text(SpanLabel(w, it))
	b.Lit(`</title><rect rx="4" x="0.5" y="0.5"`)
	b.IntAttr("width", max(width-1, 1))
	b.IntAttr("height", laneHeight-1)
	b.Lit(`/>`)
	if label := itemText(it, width); label != "" {
		b.Lit(`<text x="5" y="12">`)
		b.Text(label)
		b.Lit(`</text>`)
	}
	b.Lit(`</svg>`)
}

// itemText is what is written on an item: what it did, as far as there is room.
func itemText(it *wire.Item, width int64) string {
	room := int((width - 8) * 10 / letter)
	if room < 1 {
		return ""
	}
	if it.Count > 1 {
		if n := itoa(int64(it.Count)); len(n) <= room+1 {
			return n
		}
		return ""
	}
	if len(it.Text) <= room {
		return it.Text
	}
	return cutTo(short(it.Text, it.Flags&wire.ItemFailed != 0), room)
}

// cutTo shortens a text to so many letters; one that is cut ends with an ellipsis.
func cutTo(text string, room int) string {
	letters := []rune(text)
	switch {
	case len(letters) <= room:
		return text
	case room < 3:
		return string(letters[:1])
	case strings.HasPrefix(text, "→ ") && room > 4: // the end tells nodes apart
		return "→ …" + string(letters[len(letters)-room+3:])
	}
	return string(letters[:room-1]) + "…"
}

// short puts what a span did into a few letters: "+ rs", "+ 2 po", "→ node-2", "Running".
func short(text string, failed bool) string {
	if failed {
		what, _, _ := strings.Cut(strings.TrimPrefix(text, "could not "), " ")
		return "✕ " + what
	}
	if bound, rest, ok := strings.Cut(text, " to "); ok && strings.HasPrefix(bound, "bound ") {
		node, _, _ := strings.Cut(rest, ",")
		return "→ " + node
	}
	for _, s := range []struct{ prefix, sign string }{
		{"created ", "+ "}, {"deleted ", "− "}, {"began to delete ", "− "}, {"found no node ", "? "}, {"updated the status of ", "~ "},
	} {
		if rest, ok := strings.CutPrefix(text, s.prefix); ok {
			return s.sign + abbreviate(rest)
		}
	}
	if rest, ok := strings.CutPrefix(text, "changed "); ok {
		if _, what, ok := strings.Cut(rest, ": "); ok {
			what, _, _ = strings.Cut(what, " and ")
			for _, dull := range []string{"now ", "waiting, ", "replicas ", "bound to ", "Container"} {
				what = strings.TrimPrefix(what, dull)
			}
			return brief(what)
		}
		return "~ " + abbreviate(rest)
	}
	return "·"
}

// brief says in a word or two what changed of a node; other changes are brief already.
func brief(what string) string {
	switch {
	case what == "Ready is True":
		return "Ready"
	case strings.HasPrefix(what, "Ready is "):
		return "NotReady"
	case strings.HasPrefix(what, "tainted "):
		return "+ taint"
	case what == "a taint less":
		return "− taint"
	}
	return what
}

// abbreviate returns the kind that a phrase begins with as kubectl shortens it, with a count before it.
func abbreviate(phrase string) string {
	kind, rest, _ := strings.Cut(phrase, " ")
	count := ""
	if kind != "" && kind[0] >= '0' && kind[0] <= '9' {
		count = kind + " "
		kind, _, _ = strings.Cut(rest, " ")
		kind = strings.TrimSuffix(strings.TrimSuffix(kind, ","), "s")
	}
	for _, k := range []struct{ kind, short string }{
		{"Pod", "po"}, {"ReplicaSet", "rs"}, {"Deployment", "deploy"}, {"ConfigMap", "cm"}, {"Namespace", "ns"},
		{"ServiceAccount", "sa"}, {"Node", "no"}, {"PersistentVolumeClaim", "pvc"}, {"Service", "svc"}, {"for", "po"},
	} {
		if kind == k.kind {
			return count + k.short
		}
	}
	return count + kind
}

// SpanLabel is an item in words.
func SpanLabel(w *wire.Timeline, it *wire.Item) string {
	who := w.Lanes[it.Lane].Name
	if it.Count > 1 {
		return itoa(int64(it.Count)) + " spans of " + who + " from " + TimeOfDay(it.Start, true)
	}
	if it.Node != "" {
		who += " on " + it.Node
	}
	return who + " " + it.Text + ", " + TimeOfDay(it.Start, true) + ", took " + Took(it.Took)
}

// Took is a length of virtual time.
func Took(us int64) string {
	switch {
	case us == 0:
		return "no time"
	case us < 1000:
		return itoa(us) + " µs"
	case us < 10_000_000:
		return decimal(us/100, 1) + " ms"
	}
	return decimal(us/100_000, 1) + " s"
}

// TimelineSummary says what the window shows.
func TimelineSummary(w *wire.Timeline) string {
	s := plural(int(w.Shown), "span", "spans")
	if w.Quiet > 0 {
		s += ", " + itoa(int64(w.Quiet)) + " quiet ones hidden"
	}
	return s
}
