package informer

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"terrarium/core/kinds"
)

type name struct{ namespace, name string }

func compareNames(a, b kinds.Object) int {
	if c := strings.Compare(a.GetNamespace(), b.GetNamespace()); c != 0 {
		return c
	}
	return strings.Compare(a.GetName(), b.GetName())
}

// An indexer holds the objects of one kind by name, and by the values of its indexes.
type indexer[T kinds.Object] struct {
	entries map[name]*entry[T]
	indexes []*index[T]

	sorted []T // the objects in order of namespace and name; nil when it must be made anew
}

// An entry is an object's place in the maps. It stays when the object is replaced, so that most updates
// touch no map.
type entry[T kinds.Object] struct {
	obj   T
	under [][]string // its values, by index
}

// An index finds objects by values that a function returns for them.
type index[T kinds.Object] struct {
	name   string
	of     func(T) []string
	values map[string]map[*entry[T]]bool
}

func newIndexer[T kinds.Object]() indexer[T] { return indexer[T]{entries: make(map[name]*entry[T])} }

func (x *indexer[T]) addIndex(indexName string, of func(T) []string) {
	if x.index(indexName) != nil {
		return
	}
	ix := &index[T]{name: indexName, of: of, values: make(map[string]map[*entry[T]]bool)}
	x.indexes = append(x.indexes, ix)
	// any order: an index has none
	for _, e := range x.entries {
		e.under = append(e.under, of(e.obj))
		ix.put(e, e.under[len(e.under)-1])
	}
}

func (x *indexer[T]) index(indexName string) *index[T] {
	for _, ix := range x.indexes {
		if ix.name == indexName {
			return ix
		}
	}
	return nil
}

func (x *indexer[T]) get(n name) (obj T, ok bool) {
	e := x.entries[n]
	if e == nil {
		return obj, false
	}
	return e.obj, true
}

// put adds o, or puts it in the place of the object of the same name.
func (x *indexer[T]) put(n name, o T) {
	e := x.entries[n]
	if e == nil {
		e = &entry[T]{under: make([][]string, len(x.indexes))}
		x.entries[n] = e
	}
	e.obj = o
	for i, ix := range x.indexes {
		if values := ix.of(o); !slices.Equal(e.under[i], values) {
			ix.remove(e, e.under[i])
			ix.put(e, values)
			e.under[i] = values
		}
	}
	x.sorted = nil
}

func (x *indexer[T]) remove(n name) {
	e := x.entries[n]
	if e == nil {
		return
	}
	delete(x.entries, n)
	for i, ix := range x.indexes {
		ix.remove(e, e.under[i])
	}
	x.sorted = nil
}

// all returns every object in order of namespace and name. The slice is shared and must not be changed.
func (x *indexer[T]) all() []T {
	if x.sorted == nil {
		x.sorted = make([]T, 0, len(x.entries))
		for _, e := range x.entries {
			x.sorted = append(x.sorted, e.obj)
		}
		slices.SortFunc(x.sorted, func(a, b T) int { return compareNames(a, b) })
	}
	return x.sorted
}

func (ix *index[T]) put(e *entry[T], values []string) {
	for _, v := range values {
		if ix.values[v] == nil {
			ix.values[v] = make(map[*entry[T]]bool)
		}
		ix.values[v][e] = true
	}
}

func (ix *index[T]) remove(e *entry[T], values []string) {
	for _, v := range values {
		delete(ix.values[v], e)
		if len(ix.values[v]) == 0 {
			delete(ix.values, v)
		}
	}
}

// A Lister reads an informer's copy.
type Lister[T kinds.Object] struct{ indexer *indexer[T] }

// Get returns the named object; namespace is empty for cluster-scoped kinds.
func (l Lister[T]) Get(namespace, n string) (T, bool) { return l.indexer.get(name{namespace, n}) }

// Len returns how many objects there are.
func (l Lister[T]) Len() int { return len(l.indexer.entries) }

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

// Select returns the objects that want chooses, in order of namespace and name. It is quicker than a List of
// which few are wanted.
func (l Lister[T]) Select(want func(T) bool) []T {
	var out []T
	// any order: they are sorted in the end
	for _, e := range l.indexer.entries {
		if want(e.obj) {
			out = append(out, e.obj)
		}
	}
	slices.SortFunc(out, func(a, b T) int { return compareNames(a, b) })
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
	ix := l.indexer.index(index)
	if ix == nil {
		panic("BUG: informer: there is no index " + index)
	}
	out := make([]T, 0, len(ix.values[value]))
	// any order: as the name says
	for e := range ix.values[value] {
		out = append(out, e.obj)
	}
	return out
}
