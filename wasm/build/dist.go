package build

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// write puts the assets and index.html into dist/ and drops what an earlier build left there.
func (m *Manifest) write(root string, assets []asset, level Level, old *Manifest) error {
	dist := Dist(root)
	if err := os.MkdirAll(filepath.Join(dist, "assets"), 0o755); err != nil {
		return err
	}
	m.Level = level
	for _, a := range assets {
		f, err := place(dist, a, level, old)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
	}
	slices.SortFunc(m.Files, func(a, b File) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
	if err := m.writeIndex(root, level); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dist, "manifest.json"), data, 0o644); err != nil {
		return err
	}
	return m.sweep(dist)
}

func (m *Manifest) byPath(path string) *File {
	i := slices.IndexFunc(m.Files, func(f File) bool { return f.Path == path })
	if i < 0 {
		return nil
	}
	return &m.Files[i]
}

// place writes one asset with its compressed forms, unless they are there from an earlier build.
func place(dist string, a asset, level Level, old *Manifest) (File, error) {
	f := File{Name: a.name, Path: "assets/" + a.file, Raw: int64(len(a.data)), Level: level}
	path := filepath.Join(dist, filepath.FromSlash(f.Path))
	if old != nil {
		if had := old.byPath(f.Path); had != nil && had.Level >= level && present(path) {
			return *had, nil
		}
	}
	if err := os.WriteFile(path, a.data, 0o644); err != nil {
		return f, err
	}
	if !compressible(a.file) {
		return f, nil
	}
	var err error
	f.Br, f.Gz, err = compress(path, a.data, level)
	return f, err
}

func present(path string) bool {
	for _, ext := range []string{"", ".br", ".gz"} {
		if _, err := os.Stat(path + ext); err != nil {
			return false
		}
	}
	return true
}

// writeIndex writes index.html with the hashed names, and the list of assets that boot.ts reads.
func (m *Manifest) writeIndex(root string, level Level) error {
	page, err := os.ReadFile(filepath.Join(root, "web", "index.html"))
	if err != nil {
		return err
	}
	type size struct {
		URL string `json:"url"`
		Raw int64  `json:"raw"`
		Br  int64  `json:"br"`
	}
	list := make(map[string]size)
	for _, f := range m.Files {
		page = bytes.ReplaceAll(page, []byte(`="`+sourceName(f.Name)+`"`), []byte(`="`+f.Path+`"`))
		if !strings.HasPrefix(f.Name, "chunk") {
			list[f.Name] = size{f.Path, f.Raw, f.Br}
		}
	}
	data, err := json.Marshal(list) // escapes <, > and &: safe inside the element
	if err != nil {
		return err
	}
	head := fmt.Sprintf("<script type=\"application/json\" id=\"assets\">%s</script>\n</head>", data)
	page = bytes.Replace(page, []byte("</head>"), []byte(head), 1)
	path := filepath.Join(Dist(root), "index.html")
	if _, _, err := compress(path, page, level); err != nil {
		return err
	}
	return os.WriteFile(path, page, 0o644)
}

// sourceName is what index.html calls an asset: the file in web/ that it is made from.
func sourceName(name string) string {
	if stem, isScript := strings.CutSuffix(name, ".js"); isScript {
		return "src/" + stem + ".ts"
	}
	return name
}

// sweep removes the assets that m does not name.
func (m *Manifest) sweep(dist string) error {
	entries, err := os.ReadDir(filepath.Join(dist, "assets"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".br"), ".gz")
		if m.byPath("assets/"+name) == nil {
			if err := os.Remove(filepath.Join(dist, "assets", e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
