//go:build js && wasm

package main

import (
	"fmt"
	"syscall/js"
)

func main() {
	host := js.Global().Get("terrariumWorker")
	opts, err := parseOptions(host.Get("query").String())
	if err != nil {
		host.Call("failed", fmt.Sprintf("The address of this page is wrong: %v.", err))
		return
	}
	newProgram(host, opts).start(func() {})
	select {} // callbacks do the rest
}
