package build

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Manifest says what dist/ holds. It is kept there as manifest.json.
type Manifest struct {
	Inputs string // hash of what it was built from
	Level  Level  // what every file is compressed with, or better
	Files  []File // sorted by name
}

// A File is one asset.
type File struct {
	Name        string // what sources call it: "cluster.wasm"
	Path        string // below dist/: "assets/cluster-<hash>.wasm"
	Raw, Br, Gz int64  // bytes as they are and compressed
	Level       Level  // what it is compressed with
}

// asset is a file not yet in dist/.
type asset struct {
	name, file string // "boot.js", "boot-<hash>.js"
	data       []byte
}

// named returns an asset whose file name gets the hash of its content.
func named(name string, data []byte) asset {
	sum := sha256.Sum256(data)
	hash := base32.StdEncoding.EncodeToString(sum[:])[:8]
	ext := filepath.Ext(name)
	return asset{name, strings.TrimSuffix(name, ext) + "-" + hash + ext, data}
}

var hashSuffix = regexp.MustCompile(`-[A-Z0-9]{8}(\.\w+)$`)

// hashed returns an asset whose file name already holds its hash, as esbuild writes it.
func hashed(file string, data []byte) asset {
	return asset{hashSuffix.ReplaceAllString(file, "$1"), file, data}
}

// ReadManifest reads the manifest of a built dist folder.
func ReadManifest(dist string) (*Manifest, error) {
	data, err := os.ReadFile(filepath.Join(dist, "manifest.json"))
	if err != nil {
		return nil, fmt.Errorf("nothing is built yet (make build): %w", err)
	}
	m := new(Manifest)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("dist/manifest.json: %w", err)
	}
	return m, nil
}

// complete reports whether every file is there, compressed at that level or better.
func (m *Manifest) complete(dist string, level Level) bool {
	if m.Level < level {
		return false
	}
	for _, f := range m.Files {
		if _, err := os.Stat(filepath.Join(dist, f.Path)); err != nil {
			return false
		}
	}
	_, err := os.Stat(filepath.Join(dist, "index.html"))
	return err == nil
}

// File returns the asset of that name, or nil. Chunks may share a name; the first is returned.
func (m *Manifest) File(name string) *File {
	i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &m.Files[i]
}
