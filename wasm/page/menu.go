//go:build js && wasm

package main

import (
	"strconv"
	"syscall/js"

	html "terrarium/web/dom"
)

// A menu is a list of actions beside the button that opened it.
type menu struct {
	page   *page
	host   element
	opener string // a selector of the button: what is around it may be drawn anew
	open   bool
	items  func() (html.HTML, bool) // as they are to be now; false: what they are about is gone
	shown  html.HTML
}

func newMenu(p *page) *menu { return &menu{page: p, host: p.el("menu")} }

// show opens the menu under a button.
func (m *menu) show(opener js.Value, items func() (html.HTML, bool)) {
	m.opener, m.open, m.items = selectorOf(opener), true, items
	opener.Call("setAttribute", "aria-expanded", "true")
	if m.follow(); !m.open {
		return
	}
	setHidden(m.host, false)
	m.place(opener)
	m.focus(0)
}

// follow brings the items of an open menu up to date.
func (m *menu) follow() {
	if !m.open {
		return
	}
	items, ok := m.items()
	if !ok {
		m.close(true)
		return
	}
	if items != m.shown {
		m.shown = items
		m.page.patch(m.host, items, m.host)
	}
}

// place keeps the menu on the screen.
func (m *menu) place(opener js.Value) {
	at := opener.Call("getBoundingClientRect")
	box := m.host.Underlying().Call("getBoundingClientRect")
	w, h := js.Global().Get("innerWidth").Float(), js.Global().Get("innerHeight").Float()
	left := min(at.Get("right").Float()-box.Get("width").Float(), w-box.Get("width").Float()-8)
	top := at.Get("bottom").Float() + 4
	if top+box.Get("height").Float() > h-8 {
		top = at.Get("top").Float() - 4 - box.Get("height").Float()
	}
	m.host.Style().SetProperty("left", px(max(8, left)), "")
	m.host.Style().SetProperty("top", px(max(8, top)), "")
}

func px(n float64) string { return strconv.Itoa(int(n)) + "px" }

// close closes the menu; the focus goes back to the button.
func (m *menu) close(refocus bool) {
	if !m.open {
		return
	}
	m.open = false
	setHidden(m.host, true)
	opener := m.page.doc.Call("querySelector", m.opener)
	if opener.IsNull() {
		opener = m.page.board.host.Underlying() // its node is gone
	}
	opener.Call("removeAttribute", "aria-expanded")
	if refocus {
		opener.Call("focus")
	}
}

func (m *menu) buttons() js.Value {
	return m.host.Call("querySelectorAll", `[role="menuitem"]`)
}

func (m *menu) focus(i int) {
	buttons := m.buttons()
	if n := buttons.Length(); n > 0 {
		buttons.Index((i + n) % n).Call("focus")
	}
}

// keyed handles a key while the menu is open. It reports whether it did.
func (m *menu) keyed(key string) bool {
	if !m.open {
		return false
	}
	at := -1
	active := js.Global().Get("document").Get("activeElement")
	buttons := m.buttons()
	for i := range buttons.Length() {
		if buttons.Index(i).Equal(active) {
			at = i
		}
	}
	switch key {
	case "ArrowDown":
		m.focus(at + 1)
	case "ArrowUp":
		m.focus(max(at, 0) - 1)
	case "Home":
		m.focus(0)
	case "End":
		m.focus(-1)
	case "Escape":
		m.close(true)
	case "Tab":
		m.close(true)
		return false
	default:
		return false
	}
	return true
}
