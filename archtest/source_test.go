package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A source is one parsed Go file of this module.
type source struct {
	path string // "core/loop/loop.go"
	dir  string // "core/loop"
	test bool
	fset *token.FileSet
	ast  *ast.File
}

// sources parses every Go file of the module.
func sources(t *testing.T) []source {
	t.Helper()
	root := os.DirFS("..")
	fset := token.NewFileSet() // one for all, as the type checker wants it
	var out []source
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "dist", "node_modules", "testdata", "fidelity"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(p) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(fset, filepath.Join("..", p), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		out = append(out, source{p, path.Dir(p), strings.HasSuffix(p, "_test.go"), fset, f})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// in reports whether the file is in the folder or one below it.
func (s *source) in(folder string) bool {
	return s.dir == folder || strings.HasPrefix(s.dir, folder+"/")
}

// imports returns the imported paths by the name that the file knows them under.
func (s *source) imports() map[string]string {
	out := make(map[string]string)
	for _, spec := range s.ast.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out[name] = p
	}
	return out
}

// uses calls f for every pkg.Name in the file, where pkg is an imported package.
func (s *source) uses(f func(importPath, name string, at token.Position)) {
	imports := s.imports()
	ast.Inspect(s.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && imports[x.Name] != "" {
			f(imports[x.Name], sel.Sel.Name, s.fset.Position(sel.Pos()))
		}
		return true
	})
}
