package patch

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
)

// ofMaps reports whether the elements of the lists are objects. They have to be of one type, not lists, and
// at least one.
//
// Models apimachinery pkg/util/strategicpatch sliceElementType.
func ofMaps(lists ...[]any) (bool, error) {
	var first reflect.Type
	for _, list := range lists {
		for _, v := range list {
			t := reflect.TypeOf(v)
			switch {
			case t == nil:
				return false, fmt.Errorf("list element types are not identical: %v", fmt.Sprint(lists))
			case first == nil:
				if first = t; t.Kind() == reflect.Slice {
					return false, errListOfLists
				}
			case t != first:
				return false, fmt.Errorf("list element types are not identical: %v", fmt.Sprint(lists))
			}
		}
	}
	if first == nil {
		return false, fmt.Errorf("no elements in any of the given slices")
	}
	return first.Kind() == reflect.Map, nil
}

// same compares two values as == does, and also those that == cannot compare.
func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// An elements says what identifies the elements of a list: the value of the merge key of objects, and
// scalars themselves.
type elements struct {
	maps     bool
	mergeKey string
}

func (e elements) id(v any) any {
	if !e.maps {
		return v
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	return m[e.mergeKey]
}

// index returns where in list an element with the identity of v is, or -1.
func (e elements) index(list []any, v any) int {
	id := e.id(v)
	for i, other := range list {
		if same(id, e.id(other)) {
			return i
		}
	}
	return -1
}

// find returns where in a list of objects one has this value of the merge key, or -1.
func (e elements) find(list []any, id any) int {
	return slices.IndexFunc(list, func(v any) bool {
		has, ok := v.(map[string]any)[e.mergeKey]
		return ok && same(has, id)
	})
}

// check demands that every element of the lists is an object with the merge key.
func (e elements) check(lists ...[]any) error {
	for _, list := range lists {
		for _, v := range list {
			if _, err := e.key(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// key returns the merge key's value of an element that is an object.
func (e elements) key(v any) (any, error) {
	m, err := as[map[string]any](v)
	if err != nil {
		return nil, err
	}
	id, ok := m[e.mergeKey]
	if !ok {
		return nil, noMergeKey(m, e.mergeKey)
	}
	return id, nil
}

// sorted returns list in the relative order that order has; elements marked for deletion come last.
//
// Models strategicpatch normalizeSliceOrder.
func (e elements) sorted(list, order []any) ([]any, error) {
	var keep, deleted []any
	if !e.maps {
		keep = append(keep, list...)
	} else {
		if err := e.check(list, order); err != nil {
			return nil, err
		}
		for _, v := range list {
			if v.(map[string]any)[directive] == deleteDirective {
				deleted = append(deleted, v)
			} else {
				keep = append(keep, v)
			}
		}
	}
	sort.SliceStable(keep, func(i, j int) bool {
		if at := e.index(order, keep[i]); at >= 0 {
			if other := e.index(order, keep[j]); other >= 0 {
				return at < other
			}
		}
		return true
	})
	return append(keep, deleted...), nil
}

// ordered brings the elements of merged into order: those named in patchOrder in that order, and the others,
// which only the server has, where serverOrder puts them between those.
//
// Models strategicpatch partition...PresentInList, normalizeElementOrder, mergeSortedSlice.
func (e elements) ordered(merged, patchOrder, serverOrder []any) ([]any, error) {
	var mine, others []any
	for _, v := range merged {
		if e.maps {
			if _, err := e.key(v); err != nil {
				return nil, err
			}
			for n, o := range patchOrder {
				if _, ok := o.(map[string]any); !ok {
					return nil, fmt.Errorf("value for key %v is not a map", n)
				}
			}
		}
		if e.index(patchOrder, v) >= 0 {
			mine = append(mine, v)
		} else {
			others = append(others, v)
		}
	}
	mine, err := e.sorted(mine, patchOrder)
	if err != nil {
		return nil, err
	}
	others, err = e.sorted(others, serverOrder)
	if err != nil {
		return nil, err
	}
	out := make([]any, 0, len(merged))
	for len(mine) > 0 && len(others) > 0 {
		o, m := e.index(serverOrder, others[0]), e.index(serverOrder, mine[0])
		if o >= 0 && m >= 0 && o < m {
			out = append(out, others[0])
			others = others[1:]
		} else {
			out = append(out, mine[0])
			mine = mine[1:]
		}
	}
	return append(append(out, mine...), others...), nil
}

// unique drops scalars that are there already, the way upstream does it: the last one takes their place.
func unique(list []any) []any {
	for i := 0; i < len(list)-1; i++ {
		for j := i + 1; j < len(list); j++ {
			if same(list[i], list[j]) {
				list[j] = list[len(list)-1]
				list = list[:len(list)-1]
				j--
			}
		}
	}
	return list
}

// byText returns a copy of list sorted by what its elements look like.
func byText(list []any) []any {
	out := append([]any{}, list...)
	sort.Slice(out, func(i, j int) bool { return fmt.Sprint(out[i]) < fmt.Sprint(out[j]) })
	return out
}
