//go:build js && wasm

package main

import (
	"syscall/js"

	"terrarium/web/view"
)

// How long messages stay, in milliseconds: errors long enough to be read twice.
const (
	errorStays = 12_000
	infoStays  = 4_000
	maxToasts  = 4
)

// toasts are short messages at the bottom of the page.
type toasts struct {
	page *page
	host element
}

func newToasts(p *page) *toasts {
	t := &toasts{p, p.el("toasts")}
	p.scope.On(p.doc, "terrarium:toast", func(ev js.Value) {
		d := ev.Get("detail")
		t.show(text(d.Get("text")), text(d.Get("kind")))
	})
	return t
}

func (t *toasts) err(err error) {
	if err != nil {
		t.show(err.Error(), "error")
	}
}

func (t *toasts) info(s string) { t.show(s, "info") }

func (t *toasts) show(s, kind string) {
	stays := infoStays
	if kind == "error" {
		stays = errorStays
	} else {
		kind = "info"
	}
	e := wrap(t.page.doc.Call("createElement", "div"))
	e.SetClass("toast " + kind)
	e.SetAttribute("data-testid", "toast")
	e.SetAttribute("data-kind", kind)
	setHTML(e, view.Toast(s, kind))
	t.host.Call("append", e.Underlying())
	for t.host.Get("childElementCount").Int() > maxToasts {
		t.host.Get("firstElementChild").Call("remove")
	}
	after(stays, e.Remove)
}
