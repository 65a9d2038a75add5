//go:build !js

package main

import "log"

// main is for `go build ./...` on a machine; the program runs in a browser.
func main() { log.Fatal("this program runs in a browser: make build puts it on the page") }
