//go:build js && wasm

package jsutil

import "syscall/js"

var (
	uint8Array = js.Global().Get("Uint8Array")
	console    = js.Global().Get("console")
)

// ToJS copies b into a new Uint8Array.
func ToJS(b []byte) js.Value {
	a := uint8Array.New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

// ToGo copies a Uint8Array.
func ToGo(v js.Value) []byte {
	b := make([]byte, v.Get("byteLength").Int())
	js.CopyBytesToGo(b, v)
	return b
}

// Error writes a line to the console as an error.
func Error(text string) { console.Call("error", text) }
