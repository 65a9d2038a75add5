//go:build release

package main

import (
	"embed"
	"io/fs"
)

// A fresh clone has no dist/, so only `make release` builds with this file.
//
//go:embed all:dist
var dist embed.FS

// openDist returns the built page that this program carries.
func openDist() (fs.FS, error) { return fs.Sub(dist, "dist") }
