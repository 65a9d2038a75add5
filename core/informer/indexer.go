package informer

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"terrarium/core/kinds"
)

type name struct{ namespace, name string }

func nameOf(o kinds.Object) name { return name{o.GetNamespace(), o.GetName()} }

func compareNames(a, b kinds.Object) int {
	if c := strings.Compare(a.GetNamespace(), b.GetNamespace()); c != 0 {
		return c
	}
	return strings.Compare(a.GetName(), b.GetName())
}

// An indexer holds the objects of one kind by name, and by the values of its indexes.
type indexer[T kinds.Object] struct {
	objects map[name]T
	indexes map[string]*index[T]

	sorted []T // objects in order of namespace and name; nil when it must be made anew
}

// An index finds objects by values that a function returns for them.
type index[T kinds.Object] struct {
	of     func(T) []string
	values map[string]map[name]T
}

func newIndexer[T kinds.Object]() indexer[T] {
	return indexer[T]{objects: make(map[name]T), indexes: make(map[string]*index[T])}
}

func (x *indexer[T]) addIndex(indexName string, of func(T) []string) {
	if x.indexes[indexName] != nil {
		return
	}
	ix := &index[T]{of: of, values: make(map[string]map[name]T)}
	for _, o := range x.all() {
		ix.put(o)
	}
	x.indexes[indexName] = ix
}

func (x *indexer[T]) get(namespace, n string) (T, bool) {
	o, ok := x.objects[name{namespace, n}]
	return o, ok
}

func (x *indexer[T]) put(o T) {
	n := nameOf(o)
	old, had := x.objects[n]
	x.objects[n] = o
	// any order: the indexes do not know of each other
	for _, ix := range x.indexes {
		if had {
			ix.replace(old, o)
		} else {
			ix.put(o)
		}
	}
	x.sorted = nil
}

func (x *indexer[T]) remove(namespace, n string) {
	key := name{namespace, n}
	old, had := x.objects[key]
	if !had {
		return
	}
	delete(x.objects, key)
	// any order: the indexes do not know of each other
	for _, ix := range x.indexes {
		ix.remove(old)
	}
	x.sorted = nil
}

// all returns every object in order of namespace and name. The slice is shared and must not be changed.
func (x *indexer[T]) all() []T {
	if x.sorted == nil {
		x.sorted = make([]T, 0, len(x.objects))
		for _, o := range x.objects {
			x.sorted = append(x.sorted, o)
		}
		slices.SortFunc(x.sorted, func(a, b T) int { return compareNames(a, b) })
	}
	return x.sorted
}

func (ix *index[T]) replace(old, o T) {
	before, after := ix.of(old), ix.of(o)
	if !slices.Equal(before, after) {
		ix.remove(old)
		ix.put(o)
		return
	}
	n := nameOf(o)
	for _, v := range after {
		ix.values[v][n] = o
	}
}

func (ix *index[T]) put(o T) {
	for _, v := range ix.of(o) {
		if ix.values[v] == nil {
			ix.values[v] = make(map[name]T)
		}
		ix.values[v][nameOf(o)] = o
	}
}

func (ix *index[T]) remove(o T) {
	for _, v := range ix.of(o) {
		delete(ix.values[v], nameOf(o))
		if len(ix.values[v]) == 0 {
			delete(ix.values, v)
		}
	}
}

// A Lister reads an informer's copy.
type Lister[T kinds.Object] struct{ indexer *indexer[T] }

// Get returns the named object; namespace is empty for cluster-scoped kinds.
func (l Lister[T]) Get(namespace, name string) (T, bool) { return l.indexer.get(namespace, name) }

// Len returns how many objects there are.
func (l Lister[T]) Len() int { return len(l.indexer.objects) }

// List returns the objects of a namespace (all when empty) that sel selects (all when nil), in order of
// namespace and name.
func (l Lister[T]) List(namespace string, sel labels.Selector) []T {
	all := l.indexer.all()
	if namespace == "" && (sel == nil || sel.Empty()) {
		return slices.Clone(all)
	}
	var out []T
	for _, o := range all {
		if namespace != "" && o.GetNamespace() != namespace {
			continue
		}
		if sel == nil || sel.Matches(labels.Set(o.GetLabels())) {
			out = append(out, o)
		}
	}
	return out
}

// ByIndex returns the objects for which the index has the value, in order of namespace and name.
func (l Lister[T]) ByIndex(index, value string) []T {
	out := l.Unordered(index, value)
	slices.SortFunc(out, func(a, b T) int { return compareNames(a, b) })
	return out
}

// Unordered is ByIndex in no order, for those who count or sort by something else.
func (l Lister[T]) Unordered(index, value string) []T {
	ix := l.indexer.indexes[index]
	if ix == nil {
		panic("BUG: informer: there is no index " + index)
	}
	out := make([]T, 0, len(ix.values[value]))
	// any order: as the name says
	for _, o := range ix.values[value] {
		out = append(out, o)
	}
	return out
}
