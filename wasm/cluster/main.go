//go:build js && wasm

package main

import (
	"fmt"
	"runtime/debug"
	"syscall/js"
)

// A collection holds the thread for about 1.5 ms per live MB, so the heap may grow to five times what is
// live before one begins, but not past what a tab should take.
const (
	gcPercent   = 400
	memoryLimit = 1 << 30
)

func main() {
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
	host := js.Global().Get("terrariumWorker")
	opts, err := parseOptions(host.Get("query").String())
	if err != nil {
		host.Call("failed", fmt.Sprintf("The address of this page is wrong: %v.", err))
		return
	}
	newProgram(host, opts).start(func() {})
	select {} // callbacks do the rest
}
