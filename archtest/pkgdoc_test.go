package archtest

import (
	"strings"
	"testing"
)

// TestPackageDocs: a newcomer finds what a package is for in one place.
func TestPackageDocs(t *testing.T) {
	docs, dirs := make(map[string][]string), make(map[string]string)
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		dirs[s.dir] = s.ast.Name.Name
		if s.ast.Doc != nil && !strings.HasPrefix(s.ast.Doc.Text(), "go:build") {
			docs[s.dir] = append(docs[s.dir], s.path)
			if first, want := s.ast.Doc.Text(), "Package "+s.ast.Name.Name+" "; s.ast.Name.Name != "main" && !strings.HasPrefix(first, want) {
				t.Errorf("%s: the package doc should begin with %q", s.path, want)
			}
		}
	}
	for dir := range dirs {
		switch len(docs[dir]) {
		case 0:
			t.Errorf("%s: no file has a package doc", dir)
		case 1:
		default:
			t.Errorf("%s: several files have a package doc: %v", dir, docs[dir])
		}
	}
}
