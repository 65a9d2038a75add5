package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clocks are the funcs of package time that read or wait for wall time.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// fairRand are the names of math/rand/v2 that do not draw from its global source.
var fairRand = []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "PCG", "ChaCha8", "Zipf"}

// TestTimeAndChance: the same seed and inputs must give the same history, natively and in wasm, so the
// control plane gets time and chance from its loop, and does one thing at a time.
func TestTimeAndChance(t *testing.T) {
	for _, s := range sources(t) {
		if !s.in("core") || s.test {
			continue
		}
		s.uses(func(imp, name string, at token.Position) {
			switch {
			case imp == "time" && slices.Contains(clocks, name):
				t.Errorf("%s:%d uses time.%s: take the time from the loop", s.path, at.Line, name)
			case imp == "math/rand":
				t.Errorf("%s:%d uses math/rand: draw from loop.Rand", s.path, at.Line)
			case imp == "math/rand/v2" && !slices.Contains(fairRand, name):
				t.Errorf("%s:%d uses rand.%s, which draws from a global source: draw from loop.Rand", s.path, at.Line, name)
			}
		})
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s:%d starts a goroutine: post a task to the loop", s.path, s.fset.Position(n.Pos()).Line)
			case *ast.SelectStmt:
				t.Errorf("%s:%d selects: the loop decides what is next", s.path, s.fset.Position(n.Pos()).Line)
			}
			return true
		})
	}
}

// anyOrder marks a range over a map whose order cannot matter, and says why.
const anyOrder = "any order:"

// TestMapOrder: Go ranges over a map in an order of its own choice each time. In core a range over a map
// must be one whose order plainly cannot matter (it only fills another map, deletes, counts, or collects
// what is sorted in the same func), or say why it does not in a comment "// any order: why".
func TestMapOrder(t *testing.T) {
	check := newChecker(t)
	for dir, files := range byFolder(sources(t)) {
		if !strings.HasPrefix(dir, "core/") {
			continue
		}
		info := check.types(t, dir, files)
		for _, s := range files {
			marked := marks(&s)
			for _, decl := range s.ast.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				ast.Inspect(fn, func(n ast.Node) bool {
					r, ok := n.(*ast.RangeStmt)
					if !ok || !isMap(info, r.X) || r.Key == nil {
						return true
					}
					line := s.fset.Position(r.Pos()).Line
					if marked[line] || marked[line-1] || harmless(r.Body, fn) {
						return true
					}
					t.Errorf("%s:%d ranges over a map: sort the keys first, or say why the order cannot matter (// %s ...)", s.path, line, anyOrder)
					return true
				})
			}
		}
	}
}

// marks returns the lines that hold an anyOrder comment.
func marks(s *source) map[int]bool {
	out := make(map[int]bool)
	for _, group := range s.ast.Comments {
		for _, c := range group.List {
			if strings.Contains(c.Text, anyOrder) {
				out[s.fset.Position(c.End()).Line] = true
				out[s.fset.Position(group.End()).Line] = true
			}
		}
	}
	return out
}

func isMap(info *types.Info, x ast.Expr) bool {
	tv, ok := info.Types[x]
	if !ok || tv.Type == nil {
		return false
	}
	_, is := tv.Type.Underlying().(*types.Map)
	return is
}

// harmless reports whether nothing that a loop's body does depends on the order of its rounds.
func harmless(body *ast.BlockStmt, fn *ast.FuncDecl) bool {
	for _, stmt := range body.List {
		if !harmlessStmt(stmt, fn) {
			return false
		}
	}
	return true
}

func harmlessStmt(stmt ast.Stmt, fn *ast.FuncDecl) bool {
	switch s := stmt.(type) {
	case *ast.IncDecStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && isName(call.Fun, "delete")
	case *ast.IfStmt:
		if s.Init != nil && !harmlessStmt(s.Init, fn) {
			return false
		}
		if s.Else != nil && !harmlessStmt(s.Else, fn) {
			return false
		}
		return harmless(s.Body, fn)
	case *ast.BlockStmt:
		return harmless(s, fn)
	case *ast.ReturnStmt: // the same whichever round it is in, if it only names constants
		return !slices.ContainsFunc(s.Results, func(e ast.Expr) bool { return !isConstant(e) })
	case *ast.AssignStmt:
		return harmlessAssign(s, fn)
	}
	return false
}

func harmlessAssign(s *ast.AssignStmt, fn *ast.FuncDecl) bool {
	switch s.Tok {
	case token.DEFINE, token.ADD_ASSIGN, token.SUB_ASSIGN, token.OR_ASSIGN, token.AND_ASSIGN:
		return true
	}
	for i, left := range s.Lhs {
		if _, ok := left.(*ast.IndexExpr); ok { // fills a map or an array by key
			continue
		}
		if i < len(s.Rhs) && isConstant(s.Rhs[i]) {
			continue
		}
		if i < len(s.Rhs) && isAppend(s.Rhs[i]) && sortsAfter(fn, s.End()) {
			continue
		}
		return false
	}
	return true
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func isConstant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false" || e.Name == "nil"
	}
	return false
}

func isAppend(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && isName(call.Fun, "append")
}

// sortsAfter reports whether fn sorts something after pos.
func sortsAfter(fn *ast.FuncDecl, pos token.Pos) (found bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() > pos {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				found = found || strings.HasPrefix(sel.Sel.Name, "Sort") || isName(sel.X, "sort")
			} else if id, ok := call.Fun.(*ast.Ident); ok {
				found = found || strings.HasPrefix(id.Name, "sort")
			}
		}
		return true
	})
	return found
}

func byFolder(all []source) map[string][]source {
	out := make(map[string][]source)
	for _, s := range all {
		here, err := build.Default.MatchFile(filepath.Join("..", s.dir), path.Base(s.path))
		if !s.test && (here || err != nil) { // a file for another system has a twin for this one
			out[s.dir] = append(out[s.dir], s)
		}
	}
	return out
}

// A checker finds the types of our packages, with those of others from the go command's build cache.
type checker struct{ exports map[string]string }

func newChecker(t *testing.T) *checker {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./core/...")
	cmd.Dir = ".."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	c := &checker{make(map[string]string)}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return c
		} else if err != nil {
			t.Fatal(err)
		}
		c.exports[p.ImportPath] = p.Export
	}
}

func (c *checker) types(t *testing.T, dir string, files []source) *types.Info {
	t.Helper()
	fset := files[0].fset
	lookup := func(p string) (io.ReadCloser, error) {
		if c.exports[p] == "" {
			return nil, fmt.Errorf("%s is not built", p)
		}
		return os.Open(c.exports[p])
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup)}
	var asts []*ast.File
	for _, s := range files {
		asts = append(asts, s.ast)
	}
	if _, err := conf.Check(path.Join(module, dir), fset, asts, info); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return info
}
