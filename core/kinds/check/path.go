// Package check is what validation is written in: places in an object that cost nothing until something
// is wrong there, a list of what is wrong, and quick yes-or-no tests of names.
//
// It promises: checking a good object allocates nothing here. The texts of errors are those of
// k8s.io/apimachinery's field package and validators, which are asked only once a test has failed.
package check

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Path names a field of an object, like field.Path, but lives on the stack of the function that checks
// the field: a good object is checked without building any path.
type Path struct {
	up    *Path
	name  string
	index int
	kind  step
}

type step uint8

const (
	stepChild step = iota
	stepIndex
	stepKey
)

// Root returns the path of a top-level field.
func Root(name string) Path { return Path{name: name} }

// Child returns the path of a field of p; a nil p is the object itself.
func (p *Path) Child(name string) Path { return Path{up: p, name: name} }

// Index returns the path of an element of the list at p.
func (p *Path) Index(i int) Path { return Path{up: p, index: i, kind: stepIndex} }

// Key returns the path of a value of the map at p.
func (p *Path) Key(key string) Path { return Path{up: p, name: key, kind: stepKey} }

// Field returns the path for an error. It clones the names so that p does not escape to the heap.
func (p *Path) Field() *field.Path {
	if p == nil {
		return nil
	}
	up := p.up.Field()
	switch p.kind {
	case stepIndex:
		return up.Index(p.index)
	case stepKey:
		return up.Key(strings.Clone(p.name))
	}
	return up.Child(strings.Clone(p.name))
}

// field returns the path of the field child of p, or of p itself when child is empty.
func (p *Path) field(child string) *field.Path {
	if child == "" {
		return p.Field()
	}
	return p.Field().Child(strings.Clone(child))
}
