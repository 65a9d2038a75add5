//go:build js && wasm

package main

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	html "terrarium/web/dom"
)

// An element is a concrete type of honnef's package on purpose: its interfaces would keep all methods of
// its seventy element types in the program (0.2 MB on the line), and asking which of them an element is
// takes longer than what is done with it.
type element = *dom.BasicHTMLElement

func wrap(v js.Value) element {
	return &dom.BasicHTMLElement{BasicElement: &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}}
}

// setHTML and the next two, and page.patch, are the only places where strings become elements.
func setHTML(e element, h html.HTML) { e.SetInnerHTML(h.String()) }

func setValueHTML(e js.Value, h html.HTML) { e.Set("innerHTML", h.String()) }

// insertHTML puts markup before another child of host, or at its end when before is null.
func insertHTML(host, before js.Value, h html.HTML) {
	if before.IsNull() {
		host.Call("insertAdjacentHTML", "beforeend", h.String())
		return
	}
	before.Call("insertAdjacentHTML", "beforebegin", h.String())
}

func setHidden(e element, hidden bool) { e.Underlying().Set("hidden", hidden) }

func setDisabled(e element, disabled bool) { e.Underlying().Set("disabled", disabled) }

// setText changes an element's text only if it is another: screen readers hear of every change.
func setText(e element, s string) {
	if e.TextContent() != s {
		e.SetTextContent(s)
	}
}

// focusKey finds the focused element again after what is around it was drawn anew.
type focusKey struct {
	within   js.Value
	selector string // empty: nothing in it had the focus
	value    js.Value
	start    js.Value
	end      js.Value
}

// keepFocus remembers which element within host has the focus, and what is typed and selected in it.
func keepFocus(host js.Value) focusKey {
	active := js.Global().Get("document").Get("activeElement")
	if active.IsNull() || !host.Call("contains", active).Bool() || active.Equal(host) {
		return focusKey{}
	}
	k := focusKey{within: host, selector: selectorOf(active)}
	if active.Get("tagName").String() == "INPUT" {
		k.value, k.start, k.end = active.Get("value"), active.Get("selectionStart"), active.Get("selectionEnd")
	}
	return k
}

// selectorOf names an element by what stays when it is drawn anew.
func selectorOf(e js.Value) string {
	for _, attr := range []string{"data-uid", "id", "data-tab", "data-open", "data-act"} {
		v := e.Call("getAttribute", attr)
		if v.IsNull() {
			continue
		}
		s := "[" + attr + "=" + quoted(v.String()) + "]"
		if name := e.Call("getAttribute", "data-name"); !name.IsNull() && attr == "data-act" {
			s += "[data-name=" + quoted(name.String()) + "]"
		}
		return s
	}
	return ""
}

// quoted writes s as a CSS string.
func quoted(s string) string {
	return `"` + js.Global().Get("CSS").Call("escape", s).String() + `"`
}

// restore gives the focus back, to fallback when the element is gone.
func (k focusKey) restore(fallback js.Value) {
	if k.selector == "" {
		return
	}
	e := k.within.Call("querySelector", k.selector)
	if e.IsNull() {
		e = fallback
	}
	e.Call("focus", map[string]any{"preventScroll": true})
	if k.value.Type() == js.TypeString && e.Get("tagName").String() == "INPUT" {
		e.Set("value", k.value)
		e.Call("setSelectionRange", k.start, k.end)
	}
}
