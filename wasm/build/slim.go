package build

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The wasm programs are built against copies of a few modules of Kubernetes that lack what a program in a
// page never calls but the linker cannot know is dead: the generated protobuf code (package codec has its
// own), texts for API documentation and the Go parser that reads them, CBOR, the converter to unstructured
// objects with its JSON library, the logging library, and net/http, of which a few constants are used. 32 MB
// become 21. What is left behaves as it did: tests run the same cases natively with the modules as they are.

// generated are the files of k8s.io/api that are left out.
var generated = []string{"generated.pb.go", "types_swagger_doc_generated.go"}

// Slim puts the slimmer modules into work and returns the flags that build against them.
func Slim(ctx context.Context, root, work string) ([]string, error) {
	modfile := filepath.Join(work, "go.mod")
	var replaced bytes.Buffer
	for _, m := range slimmed {
		to := filepath.Join(work, filepath.FromSlash(m.path))
		if m.copied {
			dir, err := moduleDir(ctx, root, m.path)
			if err != nil {
				return nil, err
			}
			if err := copyModule(dir, to, m.path == "k8s.io/api"); err != nil {
				return nil, fmt.Errorf("copying %s: %w", m.path, err)
			}
		}
		for _, c := range m.changes {
			if err := c.apply(to); err != nil {
				return nil, fmt.Errorf("slimming %s: %w", m.path, err)
			}
		}
		fmt.Fprintf(&replaced, "replace %s => %s\n", m.path, to)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(modfile, append(append(mod, '\n'), replaced.Bytes()...), 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(work, "go.sum"), sum, 0o644); err != nil {
		return nil, err
	}
	return []string{"-modfile=" + modfile}, nil
}

func moduleDir(ctx context.Context, root, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w", module, err)
	}
	var m struct{ Dir string }
	return m.Dir, json.Unmarshal(out, &m)
}

// copyModule copies the Go files of a module that a build reads, without the generated ones if asked.
func copyModule(from, to string, slim bool) error {
	return filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || name == "applyconfigurations" {
				return fs.SkipDir
			}
			return nil
		}
		source := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if slim && (name == generated[0] || name == generated[1]) || !source && name != "go.mod" {
			return nil
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		dest := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(dest), 0o755); err != nil {
			return err
		}
		return os.WriteFile(dest, data, 0o644)
	})
}

// apply makes the change in the module at dir. A change that does not fit is an error: the module is not
// the version that it was made for.
func (c *slimming) apply(dir string) error {
	file := filepath.Join(dir, filepath.FromSlash(c.file))
	if c.old == "" && c.new == "" {
		return os.Remove(file)
	}
	text := []byte(c.new)
	if c.old != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		before, after, found := bytes.Cut(data, []byte(c.old))
		if !found {
			return fmt.Errorf("%s has no %q", c.file, c.old)
		}
		if c.until == "" {
			text = slices.Concat(before, text, after)
		} else {
			kept, _, found := bytes.Cut(after, []byte(c.until))
			if !found {
				return fmt.Errorf("%s has no %q", c.file, c.until)
			}
			text = slices.Concat(text, []byte(c.old), kept)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
