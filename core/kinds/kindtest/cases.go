// Package kindtest reads the cases that validation is tested with. They are data, so that two programs can
// run them: this project's tests, and the fidelity module, which asks Kubernetes itself for the answers.
//
// A file has a resource, a base object in YAML, and cases:
//
//	resource: pods
//	apiVersion: v1
//	kind: Pod
//	...
//	== a port without a number
//	spec.containers[0].ports = [{name: http}]
//	--
//	spec.containers[0].ports[0].containerPort: Required value
//
// A case edits the base ("path = YAML", "delete path") and lists the errors, then the warnings ("! text").
// A case whose name ends in (update) or (status) writes over an object that exists: the base with the edits
// that start with "old". New lines in errors are written \n.
package kindtest

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// A File holds the cases of one base object.
type File struct {
	Path     string
	Resource string
	Base     string // YAML
	Cases    []Case
}

// A Case is one write.
type Case struct {
	Name  string
	Op    Op
	Edits []string // as written
	Want  []string // errors, then warnings that start with "! "
	Line  int      // where the case starts
}

// An Op is the kind of write.
type Op string

// The kinds of writes.
const (
	Create Op = "create"
	Update Op = "update"
	Status Op = "status"
)

// Parse reads a file of cases.
func Parse(path string, data []byte) (*File, error) {
	f := &File{Path: path}
	head, rest, _ := strings.Cut(string(data), "\n== ")
	first, base, _ := strings.Cut(head, "\n")
	resource, ok := strings.CutPrefix(first, "resource: ")
	if !ok {
		return nil, fmt.Errorf("%s:1: want \"resource: NAME\", got %q", path, first)
	}
	f.Resource, f.Base = resource, base
	line := strings.Count(head, "\n") + 2
	for text := range strings.SplitSeq(rest, "\n== ") {
		c := parseCase(text)
		c.Line = line
		line += strings.Count(text, "\n") + 1
		f.Cases = append(f.Cases, c)
	}
	return f, nil
}

func parseCase(text string) Case {
	name, body, _ := strings.Cut(text, "\n")
	c := Case{Name: name, Op: Create}
	for _, op := range []Op{Update, Status} {
		if strings.HasSuffix(name, "("+string(op)+")") {
			c.Op = op
		}
	}
	edits, want, _ := strings.Cut("\n"+body, "\n--")
	c.Edits = nonEmpty(edits)
	for _, w := range nonEmpty(want) {
		c.Want = append(c.Want, strings.ReplaceAll(w, `\n`, "\n"))
	}
	return c
}

func nonEmpty(text string) (lines []string) {
	for l := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(l) != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// String returns the file as Parse reads it.
func (f *File) String() string {
	var b strings.Builder
	b.WriteString("resource: " + f.Resource + "\n" + f.Base)
	for _, c := range f.Cases {
		b.WriteString("\n== " + c.Name + "\n")
		for _, e := range c.Edits {
			b.WriteString(e + "\n")
		}
		b.WriteString("--\n")
		for _, w := range c.Want {
			b.WriteString(strings.ReplaceAll(w, "\n", `\n`) + "\n")
		}
	}
	return b.String()
}

// Objects returns the written object and, for an update, the one that it replaces, as JSON.
func (f *File) Objects(c Case) (object, old []byte, err error) {
	tree, err := parse(f.Base)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range c.Edits {
		if e, ok := strings.CutPrefix(e, "old "); ok {
			if err := apply(tree, e); err != nil {
				return nil, nil, fmt.Errorf("%s:%d: %w", f.Path, c.Line, err)
			}
		}
	}
	if c.Op != Create {
		if old, err = yaml.Marshal(tree); err != nil {
			return nil, nil, err
		}
	}
	for _, e := range c.Edits {
		if strings.HasPrefix(e, "old ") {
			continue
		}
		if err := apply(tree, e); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", f.Path, c.Line, err)
		}
	}
	object, err = yaml.Marshal(tree)
	return object, old, err
}

func parse(text string) (map[string]any, error) {
	tree := map[string]any{}
	err := yaml.Unmarshal([]byte(text), &tree)
	return tree, err
}
