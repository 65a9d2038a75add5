package patch

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	"terrarium/core/kinds"
)

// Keys and values of a strategic merge patch that say how to merge.
const (
	directive        = "$patch"
	deleteDirective  = "delete"
	replaceDirective = "replace"
	mergeDirective   = "merge"

	retainKeys     = "$retainKeys"
	deleteFromList = "$deleteFromPrimitiveList"
	elementOrder   = "$setElementOrder"
)

// Strategic applies a strategic merge patch to an object of kind.
//
// Models apimachinery pkg/util/strategicpatch StrategicMergePatch. Differs: keys are taken in order, so that
// a patch whose keys contradict each other always does the same.
func Strategic(original, patch []byte, kind *kinds.Kind) ([]byte, error) {
	o, err := object(original)
	if err != nil {
		return nil, statusOf(err)
	}
	p, err := object(patch)
	if err != nil {
		return nil, statusOf(err)
	}
	merged, err := merger{}.object(o, p, infoOf(kind))
	if err != nil {
		return nil, statusOf(err)
	}
	return encode(merged)
}

// A merger merges patches into objects. Both are changed and become part of the result.
type merger struct {
	// combine merges into another patch instead: directives and nulls stay in it.
	combine bool
}

// object merges patch into original, which may be nil.
//
// Models strategicpatch mergeMap.
func (m merger) object(original, patch map[string]any, info typeInfo) (map[string]any, error) {
	switch d, ok := patch[directive]; {
	case !ok:
	case d == replaceDirective:
		delete(patch, directive)
		return patch, nil
	case d == deleteDirective:
		return map[string]any{}, nil
	default:
		return nil, badDirective(d, patch)
	}
	if original == nil {
		original = map[string]any{}
	}
	if err := m.retain(original, patch); err != nil {
		return nil, err
	}
	if err := m.orderedLists(original, patch, info); err != nil {
		return nil, err
	}
	for _, key := range sortedKeys(patch) {
		if err := m.field(original, key, patch[key], info); err != nil {
			return nil, err
		}
	}
	return original, nil
}

// field merges one key of a patch.
func (m merger) field(original map[string]any, key string, patch any, info typeInfo) error {
	deleting := strings.HasPrefix(key, deleteFromList)
	if deleting {
		if m.combine {
			original[key] = patch
			return nil
		}
		name, ok := strings.CutPrefix(key, deleteFromList+"/")
		if !ok {
			return errBadPrimitiveList
		}
		key = name
	}
	if patch == nil {
		delete(original, key)
		if !m.combine {
			return nil
		}
	}
	old, ok := original[key]
	if !ok || reflect.TypeOf(old) != reflect.TypeOf(patch) {
		if !deleting {
			if !m.combine {
				dropNulls(patch)
			}
			set(original, key, patch)
		}
		return nil
	}
	switch old := old.(type) {
	case map[string]any:
		f, err := info.object(key)
		if err != nil {
			return err
		}
		if f.strategy == replaceDirective {
			original[key] = patch
			return nil
		}
		original[key], err = m.object(old, patch.(map[string]any), f.typeInfo)
		return err
	case []any:
		f, err := info.list(key)
		if err != nil {
			return err
		}
		original[key], err = m.list(old, patch.([]any), f, deleting)
		return err
	}
	set(original, key, patch)
	return nil
}

// list merges the list of a field.
//
// Models strategicpatch mergeSliceHandler, mergeSlice.
func (m merger) list(original, patch []any, f fieldInfo, deleting bool) ([]any, error) {
	if f.strategy != mergeDirective && !deleting {
		return patch, nil
	}
	if len(original) == 0 && len(patch) == 0 {
		return original, nil
	}
	maps, err := ofMaps(original, patch)
	if err != nil {
		return nil, err
	}
	e := elements{maps, f.mergeKey}
	var merged []any
	switch {
	case !maps && deleting && !m.combine:
		return slices.DeleteFunc(original, func(v any) bool { return e.index(patch, v) >= 0 }), nil
	case !maps:
		merged = unique(append(slices.Clone(original), patch...))
	case f.mergeKey == "":
		return nil, fmt.Errorf("cannot merge lists without merge key for %s", f.t.Kind())
	default:
		if original, patch, err = withoutDirectives(original, patch, e); err != nil {
			return nil, err
		}
		if merged, err = m.elements(original, patch, e, f.typeInfo); err != nil {
			return nil, err
		}
	}
	return e.ordered(merged, patch, original)
}

// withoutDirectives does what the elements of a patch list with a directive say, and returns the list that
// is left to be patched and the elements that are left to patch it.
//
// Models strategicpatch mergeSliceWithSpecialElements.
func withoutDirectives(original, patch []any, e elements) ([]any, []any, error) {
	left := []any{}
	replace := false
	for _, v := range patch {
		p := v.(map[string]any)
		switch d, ok := p[directive]; {
		case !ok:
			left = append(left, v)
		case d == deleteDirective:
			id, err := e.key(v)
			if err != nil {
				return nil, nil, err
			}
			for at := e.find(original, id); at >= 0; at = e.find(original, id) {
				// In place, as upstream: the callers' view of the list is what the order is taken from.
				original = append(original[:at], original[at+1:]...)
			}
		case d == replaceDirective:
			replace = true
		case d == mergeDirective:
			return nil, nil, fmt.Errorf("merging lists cannot yet be specified in the patch")
		default:
			return nil, nil, badDirective(d, p)
		}
	}
	if replace {
		return left, nil, nil
	}
	return original, left, nil
}

// elements merges each object of patch into the one with the same key, or appends it.
func (m merger) elements(original, patch []any, e elements, info typeInfo) ([]any, error) {
	for _, v := range patch {
		id, err := e.key(v)
		if err != nil {
			return nil, err
		}
		at := e.find(original, id)
		if at < 0 {
			original = append(original, v)
			continue
		}
		if original[at], err = m.object(original[at].(map[string]any), v.(map[string]any), info); err != nil {
			return nil, err
		}
	}
	return original, nil
}

// set puts a value of a patch into the object, without its directives.
func set(original map[string]any, key string, patch any) {
	if v, keep := stripped(patch); keep {
		original[key] = v
	} else {
		delete(original, key)
	}
}

// stripped removes what carries a directive from a value that has nothing to be merged with.
func stripped(v any) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if _, has := v[directive]; has {
			return nil, false
		}
		for k, inner := range v { // any order: each key is stripped by itself
			if s, keep := stripped(inner); keep {
				v[k] = s
			} else {
				delete(v, k)
			}
		}
	case []any:
		kept := []any{}
		for _, inner := range v {
			if s, keep := stripped(inner); keep {
				kept = append(kept, s)
			}
		}
		return kept, true
	}
	return v, true
}

// dropNulls removes the nulls inside a value that has nothing to be merged with.
func dropNulls(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v { // any order: each key is looked at by itself
			if inner == nil {
				delete(v, k)
			} else {
				dropNulls(inner)
			}
		}
	case []any:
		for _, inner := range v {
			dropNulls(inner)
		}
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
