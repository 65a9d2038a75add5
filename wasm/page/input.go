//go:build js && wasm

package main

import (
	"strings"
	"syscall/js"

	"terrarium/web/state"
)

// clicked handles every click on an element with data-act, whoever drew it.
func (p *page) clicked(ev js.Value) {
	target := ev.Get("target")
	if target.Get("closest").Type() != js.TypeFunction {
		return
	}
	if p.menu.open && target.Call("closest", "#menu").IsNull() {
		p.menu.close(false)
		if !target.Call("closest", p.menu.opener).IsNull() {
			return // a second press on its button
		}
	}
	e := target.Call("closest", "[data-act],[data-open],#node-add,#reset")
	if e.IsNull() {
		return
	}
	byKey := ev.Get("detail").Type() == js.TypeNumber && ev.Get("detail").Int() == 0
	attr := func(name string) string { return text(e.Call("getAttribute", name)) }
	switch e.Get("id").String() {
	case "node-add":
		p.addNode()
		return
	case "reset":
		p.askReset()
		return
	}
	p.act(e, attr, byKey)
}

func (p *page) act(e js.Value, attr func(string) string, byKey bool) {
	switch act := attr("data-act"); act {
	case "pod":
		p.openPod(e, byKey)
	case "node-menu":
		p.showNodeMenu(e, attr("data-name"))
	case "node-add":
		p.addNode()
	case "tab":
		p.inspector.show(state.Tab(attr("data-tab")))
	case "inspector-close":
		p.closeInspector()
	case "inspector-back":
		if _, ok := p.inspector.state.Return(); ok {
			p.inspector.turn(byKey)
		}
	case "refusal-close":
		p.board.refuse(nil)
	case "unsaved-close":
		setHidden(p.clock.unsaved, true)
	case "toast-close":
		e.Get("parentElement").Call("remove")
	case "export":
		p.export()
	case "delete":
		p.askDelete()
	case "edit":
		p.edit()
	case "undo":
		p.undo()
	case "scale-up":
		p.scaleBy(1)
	case "scale-down":
		p.scaleBy(-1)
	default:
		if strings.HasPrefix(act, "node-") {
			p.menu.close(true)
			p.nodeAction(act, attr("data-name"))
			return
		}
		if id := attr("data-open"); id != "" {
			p.inspect(parseRef(id), byKey)
		}
	}
}

// openPod inspects a pod; of one without a node it first shows on the board why that is so.
func (p *page) openPod(e js.Value, byKey bool) {
	ref := refOf("pods", text(e.Call("getAttribute", "data-namespace")), text(e.Call("getAttribute", "data-name")))
	if e.Call("closest", "#pending").IsNull() {
		p.inspect(ref, byKey)
		return
	}
	if r := p.board.state.Refusal; r != nil && r.Pod.Name == ref.Name && r.Pod.Namespace == ref.Namespace {
		p.board.refuse(nil) // a second click ends it
		return
	}
	p.board.explain(ref)
	if p.inspector.cancel != nil {
		p.inspect(ref, false)
	}
}

func (p *page) submitted(ev js.Value) {
	if text(ev.Get("target").Call("getAttribute", "data-form")) == "scale" {
		ev.Call("preventDefault")
		p.scaleToInput()
	}
}

// keyed handles keys that no element handles itself.
func (p *page) keyed(ev js.Value) {
	if ev.Get("defaultPrevented").Bool() || ev.Get("ctrlKey").Bool() || ev.Get("metaKey").Bool() || ev.Get("altKey").Bool() {
		return
	}
	key, target := ev.Get("key").String(), ev.Get("target")
	if p.menu.keyed(key) || p.tabKeyed(key, target) || p.boardKeyed(key, target) || p.globalKeyed(key, target) {
		ev.Call("preventDefault")
	}
}

func (p *page) globalKeyed(key string, target js.Value) bool {
	if p.confirm.dialog.Get("open").Bool() || typing(target) {
		return false
	}
	switch key {
	case "Escape":
		switch {
		case p.board.state.Refusal != nil:
			p.board.refuse(nil)
		case p.inspector.cancel != nil:
			p.closeInspector()
		default:
			return false
		}
	case ".":
		p.clock.stepOnce()
	case " ":
		if tag := target.Get("tagName").String(); tag == "BUTTON" || tag == "SUMMARY" || tag == "A" {
			return false
		}
		p.clock.toggle()
	default:
		return false
	}
	return true
}

// typing reports whether keys go into a field or an editor.
func typing(target js.Value) bool {
	switch target.Get("tagName").String() {
	case "INPUT", "TEXTAREA", "SELECT":
		return true
	}
	return target.Get("isContentEditable").Truthy()
}

// tabKeyed moves along the tabs of the inspector.
func (p *page) tabKeyed(key string, target js.Value) bool {
	if target.Call("getAttribute", "role").String() != "tab" || text(target.Call("getAttribute", "data-tab")) == "" {
		return false
	}
	all := state.Tabs()
	at := 0
	for i, t := range all {
		if t == p.inspector.state.Tab {
			at = i
		}
	}
	switch key {
	case "ArrowRight":
		at = (at + 1) % len(all)
	case "ArrowLeft":
		at = (at + len(all) - 1) % len(all)
	case "Home":
		at = 0
	case "End":
		at = len(all) - 1
	default:
		return false
	}
	p.inspector.show(all[at])
	p.el("tab-" + string(all[at])).Focus()
	return true
}

// boardKeyed moves along the nodes and pods: left and right one by one, up and down from node to node.
func (p *page) boardKeyed(key string, target js.Value) bool {
	pane := target.Call("closest", "#board,#pending-pods")
	if pane.IsNull() {
		return false
	}
	if key == "Delete" && text(target.Call("getAttribute", "data-act")) == "pod" {
		p.deletePod(text(target.Call("getAttribute", "data-namespace")), text(target.Call("getAttribute", "data-name")))
		return true
	}
	stops := `[data-stop]`
	step := 1
	switch key {
	case "ArrowRight":
	case "ArrowLeft":
		step = -1
	case "ArrowDown":
		stops = `[data-stop="node"]`
	case "ArrowUp":
		stops, step = `[data-stop="node"]`, -1
	case "Home", "End":
		all := pane.Call("querySelectorAll", stops)
		n := all.Length()
		if n == 0 {
			return false
		}
		focusOn(all.Index(map[string]int{"Home": 0, "End": n - 1}[key]))
		return true
	default:
		return false
	}
	next := neighbor(pane, target, stops, step)
	if next.IsNull() {
		return true
	}
	focusOn(next)
	return true
}

func focusOn(e js.Value) {
	e.Call("focus")
	e.Call("scrollIntoView", map[string]any{"block": "nearest", "inline": "nearest"})
}

// neighbor finds the next or previous element that selector matches, in the order of the document.
func neighbor(pane, from js.Value, selector string, step int) js.Value {
	all := pane.Call("querySelectorAll", selector)
	n := all.Length()
	if from.Equal(pane) {
		if n == 0 {
			return js.Null()
		}
		return all.Index(0)
	}
	// from may not match selector (a pod, looking for nodes): binary search by position.
	lo, hi := 0, n
	for lo < hi {
		mid := (lo + hi) / 2
		const preceding = 2 // Node.DOCUMENT_POSITION_PRECEDING
		if e := all.Index(mid); e.Equal(from) || from.Call("compareDocumentPosition", e).Int()&preceding != 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	i := lo // the first after from
	if step < 0 {
		i = lo - 1
		if i >= 0 && all.Index(i).Equal(from) {
			i--
		}
	}
	if i < 0 || i >= n {
		return js.Null()
	}
	return all.Index(i)
}

// announce tells screen readers.
func (p *page) announce(s string) { setText(p.el("announce"), s) }
