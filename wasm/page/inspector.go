//go:build js && wasm

package main

import (
	"syscall/js"

	"terrarium/core/projection/wire"
	"terrarium/wasm/jsutil"
	html "terrarium/web/dom"
	"terrarium/web/state"
	"terrarium/web/view"
)

// An inspector shows one object, as long as it is open.
type inspector struct {
	page   *page
	state  *state.Inspector
	host   element
	head   element
	body   element
	cancel func() // of the stream; nil when closed
	opener string // a selector of what had the focus before it opened

	headHTML html.HTML // as on the screen
	bodyHTML html.HTML
}

func newInspector(p *page) *inspector {
	return &inspector{page: p, state: state.NewInspector(), host: p.el("inspector"), head: p.el("inspector-head"), body: p.el("inspector-body")}
}

func refOf(resource, namespace, name string) wire.Ref {
	return wire.Ref{Resource: resource, Namespace: namespace, Name: name}
}

// parseRef reads a Ref.ID.
func parseRef(id string) wire.Ref {
	resource, rest := cut(id)
	namespace, name := cut(rest)
	if name == "" {
		return refOf(resource, "", namespace)
	}
	return refOf(resource, namespace, name)
}

func cut(s string) (before, after string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '/' {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// inspect opens the inspector on an object. focus: the person came by keyboard.
func (p *page) inspect(ref wire.Ref, focus bool) {
	i := p.inspector
	if i.cancel == nil {
		i.opener = selectorOf(p.doc.Get("activeElement"))
	}
	i.state.Open(ref)
	i.turn(focus)
}

// turn shows the object that the state names.
func (i *inspector) turn(focus bool) {
	ref := i.state.Ref
	if i.cancel != nil {
		i.cancel()
	}
	var decode wire.Decoder
	i.cancel = i.page.port.Stream("inspect", map[string]any{"resource": ref.Resource, "namespace": ref.Namespace, "name": ref.Name},
		func(frame []byte) bool {
			o, err := decode.Inspect(frame)
			if err != nil {
				i.page.toasts.err(err)
				return false
			}
			i.state.Apply(o)
			i.draw()
			return true
		}, i.page.toasts.err)
	hidden := i.host.Underlying().Get("hidden").Bool()
	setHidden(i.host, false)
	i.draw()
	i.body.Underlying().Set("scrollTop", 0)
	i.why()
	i.page.board.selectRef(ref)
	if hidden {
		i.page.board.resized()
	}
	if focus {
		i.host.Focus()
	}
}

// closeInspector closes the inspector; the focus goes back to where it was opened.
func (p *page) closeInspector() {
	i := p.inspector
	if i.cancel == nil {
		return
	}
	i.cancel()
	i.cancel = nil
	inside := i.host.Call("contains", p.doc.Get("activeElement")).Bool()
	i.state.Close()
	setHidden(i.host, true)
	p.board.selectRef(wire.Ref{})
	p.board.resized()
	if !inside {
		return
	}
	opener := js.Null()
	if i.opener != "" {
		opener = p.doc.Call("querySelector", i.opener)
	}
	if opener.IsNull() {
		opener = p.board.host.Underlying()
	}
	opener.Call("focus")
}

// draw draws what changed.
func (i *inspector) draw() {
	if head := view.InspectorHead(i.state); head != i.headHTML {
		i.headHTML = head
		i.page.patch(i.head, head, i.host)
	}
	i.body.SetAttribute("role", "tabpanel")
	i.body.SetAttribute("aria-labelledby", "tab-"+string(i.state.Tab))
	i.body.SetAttribute("data-tab-shown", string(i.state.Tab))
	if i.state.Tab != state.TabWhy {
		i.drawBody(view.InspectorBody(i.state))
	}
}

func (i *inspector) drawBody(body html.HTML) {
	if body == i.bodyHTML {
		return
	}
	i.bodyHTML = body
	i.page.patch(i.body, body, i.host)
}

// tick moves the ages and countdowns on.
func (i *inspector) tick(now int64) {
	i.state.Now = now
	if i.cancel != nil && (i.state.Tab == state.TabEvents || i.state.Tab == state.TabPending) {
		i.draw()
	}
}

// show turns to a tab.
func (i *inspector) show(tab state.Tab) {
	i.state.Tab = tab
	i.draw()
	i.body.Underlying().Set("scrollTop", 0)
	i.why()
}

// why asks for the chain of causes when its tab is open.
func (i *inspector) why() {
	if i.state.Tab != state.TabWhy {
		return
	}
	ref := i.state.Ref
	i.page.port.Call("why", map[string]any{"resource": ref.Resource, "namespace": ref.Namespace, "name": ref.Name}, func(answer js.Value, err error) {
		if i.state.Tab != state.TabWhy || i.state.Ref.ID() != ref.ID() {
			return
		}
		if err != nil {
			i.drawBody(view.Hint(err.Error()))
			return
		}
		why, err := new(wire.Decoder).Why(bytesOf(answer.Get("data")))
		if err != nil {
			i.drawBody(view.Hint(err.Error()))
			return
		}
		i.drawBody(view.Why(why))
	})
}

func bytesOf(v js.Value) []byte {
	if v.Type() != js.TypeObject {
		return nil
	}
	return jsutil.ToGo(v)
}
