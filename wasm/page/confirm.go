//go:build js && wasm

package main

import (
	"syscall/js"
)

// confirm asks before what cannot be undone.
type confirm struct {
	dialog js.Value
	title  element
	text   element
	yes    element
	then   func()
}

func newConfirm(p *page) *confirm {
	c := &confirm{dialog: p.el("confirm").Underlying(), title: p.el("confirm-title"), text: p.el("confirm-text"), yes: p.el("confirm-yes")}
	p.scope.On(c.dialog, "close", func(js.Value) {
		then := c.then
		c.then = nil
		if c.dialog.Get("returnValue").String() == "yes" && then != nil {
			then()
		}
	})
	return c
}

// ask runs then if the person agrees. The dialog keeps the focus and gives it back.
func (c *confirm) ask(title, text, yes string, then func()) {
	setText(c.title, title)
	setText(c.text, text)
	setText(c.yes, yes)
	c.then = then
	c.dialog.Set("returnValue", "")
	c.dialog.Call("showModal")
}
