//go:build js && wasm

package main

import (
	"syscall/js"

	"terrarium/web/view"
)

// exportFile is what the exported cluster is called.
const exportFile = "terrarium.yaml"

// export lets the person save the cluster's objects as a file.
func (p *page) export() {
	p.port.Call("export", nil, func(answer js.Value, err error) {
		if err != nil {
			p.toasts.err(err)
			return
		}
		p.download(exportFile, answer.Get("text"))
		p.toasts.info(view.Exported(answer.Get("objects").Int(), answer.Get("secrets").Int(), exportFile))
	})
}

// download hands text to the browser as a file. The browser reads it after the click, so its address is
// valid for a while.
func (p *page) download(name string, text js.Value) {
	urls := js.Global().Get("URL")
	blob := js.Global().Get("Blob").New([]any{text}, map[string]any{"type": "application/yaml"})
	address := urls.Call("createObjectURL", blob)
	link := p.doc.Call("createElement", "a")
	link.Set("href", address)
	link.Set("download", name)
	link.Call("click")
	after(60_000, func() { urls.Call("revokeObjectURL", address) })
}
