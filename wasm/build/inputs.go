package build

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// inputsHash covers everything a build reads that can change: our sources, the versions of others'.
func inputsHash(root string) (string, error) {
	h := sha256.New()
	io.WriteString(h, runtime.Version()+"\n"+strings.Join(Flags(), " ")+"\n")
	for _, top := range []string{"go.mod", "go.sum", "core", "wasm", "web"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if d.Name() == "node_modules" || d.Name() == "testdata" {
					return fs.SkipDir
				}
				return nil
			}
			if !isInput(d.Name()) {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			rel, _ := filepath.Rel(root, path)
			io.WriteString(h, rel+" "+hex.EncodeToString(sum[:])+"\n")
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func isInput(name string) bool {
	if strings.HasSuffix(name, "_test.go") {
		return false
	}
	return slices.Contains([]string{".go", ".mod", ".sum", ".ts", ".js", ".css", ".html", ".json", ".svg", ".yaml"}, filepath.Ext(name))
}
