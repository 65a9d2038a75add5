//go:build js && wasm

package main

import (
	"strconv"
	"syscall/js"

	"terrarium/core/projection/wire"
	html "terrarium/web/dom"
	"terrarium/web/view"
)

const mergePatch = "application/merge-patch+json"

// done reports how a request ended: an error in the server's words, or what was done.
func (p *page) done(what string) func(string, error) {
	return func(_ string, err error) {
		if err != nil {
			p.toasts.err(err)
			return
		}
		p.toasts.info(what)
	}
}

func (p *page) deletePod(namespace, name string) {
	p.port.Request("DELETE", "/api/v1/namespaces/"+segment(namespace)+"/pods/"+segment(name), "", "", p.done("Deleted pod "+name))
}

// segment makes s one part of a path, whatever it holds.
func segment(s string) string { return js.Global().Call("encodeURIComponent", s).String() }

// askDelete deletes the inspected object. A pod goes without a question: that is what pods are for.
func (p *page) askDelete() {
	o := p.inspector.state.Object
	if o == nil || !o.Found {
		return
	}
	remove := func() {
		p.port.Request("DELETE", o.Path, "", "", p.done("Deleted "+o.Kind+" "+o.Name))
	}
	if o.Resource == "pods" {
		remove()
		return
	}
	text := "What it owns is deleted with it."
	switch {
	case o.Resource == "namespaces":
		text = "Everything in the namespace is deleted with it."
	case o.Resource == "nodes":
		text = "The machine is taken away; its pods are lost."
	case len(o.Down) == 0:
		text = "This cannot be undone."
	}
	p.confirm.ask("Delete "+o.Kind+" "+o.Name+"?", text, "Delete", remove)
}

// edit opens the inspected object in the editor.
func (p *page) edit() {
	ref := p.inspector.state.Ref
	editor := js.Global().Get("terrariumEditor")
	if editor.Type() != js.TypeObject {
		p.toasts.show("The editor has not loaded yet.", "error")
		return
	}
	p.view("editor")
	editor.Call("openObject", ref.Resource, ref.Namespace, ref.Name)
}

// view shows a part of the page that a narrow screen hides.
func (p *page) view(name string) {
	ev := js.Global().Get("CustomEvent").New("terrarium:view", map[string]any{"detail": map[string]any{"view": name}})
	p.doc.Call("dispatchEvent", ev)
	if name == "editor" && js.Global().Call("matchMedia", "(max-width: 760px)").Get("matches").Bool() {
		p.closeInspector()
	}
}

func (p *page) undo() {
	o := p.inspector.state.Object
	if o == nil {
		return
	}
	p.port.Call("rolloutUndo", map[string]any{"namespace": o.Namespace, "name": o.Name}, func(answer js.Value, err error) {
		if err != nil {
			p.toasts.err(err)
			return
		}
		p.toasts.info("Rolled back " + o.Name + " to revision " + strconv.Itoa(answer.Get("revision").Int()))
	})
}

func (p *page) scaleBy(by int) {
	input := p.el("scale-input").Underlying()
	n, err := strconv.Atoi(input.Get("value").String())
	if err != nil || n+by < 0 {
		return
	}
	input.Set("value", strconv.Itoa(n+by))
	p.scaleToInput()
}

func (p *page) scaleToInput() {
	o := p.inspector.state.Object
	value := p.el("scale-input").Underlying().Get("value").String()
	n, err := strconv.Atoi(value)
	if o == nil || err != nil || n < 0 {
		p.toasts.show("Replicas must be a number from 0 on, not \""+value+"\".", "error")
		return
	}
	answered := p.inspector.state.Ask(int64(n))
	p.port.Request("PATCH", o.Path+"/scale", mergePatch, `{"spec":{"replicas":`+strconv.Itoa(n)+`}}`, func(_ string, err error) {
		answered()
		p.toasts.err(err)
	})
}

func (p *page) addNode() {
	p.port.Call("nodeAdd", nil, func(answer js.Value, err error) {
		if err != nil {
			p.toasts.err(err)
			return
		}
		p.toasts.info("Added " + text(answer.Get("name")))
	})
}

func (p *page) showNodeMenu(opener js.Value, name string) {
	p.menu.show(opener, func() (html.HTML, bool) {
		n := p.board.state.Node(name)
		if n == nil {
			return html.HTML{}, false
		}
		return view.NodeMenu(n), true
	})
}

func (p *page) nodeAction(act, name string) {
	path := "/api/v1/nodes/" + segment(name)
	power := func(on bool, what string) {
		p.port.Call("nodePower", map[string]any{"name": name, "on": on}, func(_ js.Value, err error) { p.done(what)("", err) })
	}
	switch act {
	case "node-cordon":
		p.port.Request("PATCH", path, mergePatch, `{"spec":{"unschedulable":true}}`, p.done("Cordoned "+name))
	case "node-uncordon":
		p.port.Request("PATCH", path, mergePatch, `{"spec":{"unschedulable":null}}`, p.done("Uncordoned "+name))
	case "node-off":
		power(false, "Powered off "+name)
	case "node-on":
		power(true, "Powered on "+name)
	case "node-inspect":
		p.inspect(wire.Ref{Resource: "nodes", Name: name}, true)
	case "node-remove":
		p.confirm.ask("Remove "+name+"?", "The machine is taken away. Pods that a controller owns come back on other nodes.", "Remove", func() {
			p.port.Request("DELETE", path, "", "", p.done("Removed "+name))
		})
	}
}

func (p *page) askReset() {
	p.confirm.ask("Reset the cluster?", "Everything in it is deleted, in this browser for good, and a new cluster with its first nodes begins.", "Reset", func() {
		p.port.Call("reset", nil, func(_ js.Value, err error) { p.toasts.err(err) })
	})
}
