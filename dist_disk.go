//go:build !release

package main

import (
	"fmt"
	"io/fs"
	"os"
)

// openDist returns the built page from dist/ in the working directory. Builds with the tag release carry
// it inside instead.
func openDist() (fs.FS, error) {
	root, err := os.OpenRoot("dist")
	if err != nil {
		return nil, fmt.Errorf("the page is not built: run `make build` first (%w)", err)
	}
	if _, err := root.Stat("index.html"); err != nil {
		return nil, fmt.Errorf("the page is not built: run `make build` first (%w)", err)
	}
	return root.FS(), nil
}
