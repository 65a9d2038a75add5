package build

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// The wasm programs are built against copies of k8s.io/api and k8s.io/apimachinery that lack what a program
// in a page never calls but the linker cannot know is dead: the generated protobuf code (package codec
// has its own), the texts for API documentation, and net/http, of which these modules use a few constants.
// 32 MB become 20, 3.9 MB of brotli 2.5. Behavior stays: tests run the same cases natively with the modules
// as they are.

// generated are the files of k8s.io/api that are left out.
var generated = []string{"generated.pb.go", "types_swagger_doc_generated.go"}

// A slimming is one change to a copied module.
type slimming struct {
	file     string
	old, new string // new replaces old; with old empty new is the whole file, with both empty it is dropped
}

// withoutHTTP is what k8s.io/apimachinery needs so as not to link net/http: its constants in a package of
// their own, and the two funcs of util/net that are called without it.
var withoutHTTP = []slimming{
	{"pkg/api/errors/errors.go", `"net/http"`, `http "k8s.io/apimachinery/pkg/httpcode"`},
	{"pkg/util/runtime/runtime.go", `"net/http"`, `http "k8s.io/apimachinery/pkg/httpcode"`},
	{"pkg/util/net/http.go", "", ""},
	{"pkg/util/net/interface.go", "", ""},
	{"pkg/util/net/port_range.go", "", ""},
	{"pkg/util/net/port_split.go", "", ""},
	{"pkg/util/net/util.go", "", ""},
	{"pkg/util/net/net.go", "", `package net

import (
	"errors"
	"io"
)

func IsProbableEOF(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func IsTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}
`},
	{"pkg/httpcode/code.go", "", `package httpcode

import "errors"

const (
	MethodPost                  = "POST"
	StatusBadRequest            = 400
	StatusUnauthorized          = 401
	StatusForbidden             = 403
	StatusNotFound              = 404
	StatusMethodNotAllowed      = 405
	StatusNotAcceptable         = 406
	StatusConflict              = 409
	StatusGone                  = 410
	StatusRequestEntityTooLarge = 413
	StatusUnsupportedMediaType  = 415
	StatusUnprocessableEntity   = 422
	StatusTooManyRequests       = 429
	StatusInternalServerError   = 500
	StatusServiceUnavailable    = 503
	StatusGatewayTimeout        = 504
)

var ErrAbortHandler = errors.New("net/http: abort Handler")
`},
}

// Slim puts the slimmer modules into work and returns the flags that build against them.
func Slim(ctx context.Context, root, work string) ([]string, error) {
	modfile := filepath.Join(work, "go.mod")
	var replaced bytes.Buffer
	for module, changes := range map[string][]slimming{"k8s.io/api": nil, "k8s.io/apimachinery": withoutHTTP} {
		dir, err := moduleDir(ctx, root, module)
		if err != nil {
			return nil, err
		}
		to := filepath.Join(work, path.Base(module))
		if err := copyModule(dir, to, module == "k8s.io/api"); err != nil {
			return nil, fmt.Errorf("copying %s: %w", module, err)
		}
		for _, c := range changes {
			if err := c.apply(to); err != nil {
				return nil, fmt.Errorf("slimming %s: %w", module, err)
			}
		}
		fmt.Fprintf(&replaced, "replace %s => %s\n", module, to)
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
	if c.old == "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, []byte(c.new), 0o644)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Contains(data, []byte(c.old)) {
		return fmt.Errorf("%s has no %s", c.file, c.old)
	}
	return os.WriteFile(file, bytes.ReplaceAll(data, []byte(c.old), []byte(c.new)), 0o644)
}
