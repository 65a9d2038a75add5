package patch

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"terrarium/core/kinds"
)

// ThreeWay returns the patch that kubectl apply sends: what modified has other than current, and the removal
// of what last, the configuration applied before, had and modified has no more. What others have set stays.
// Any of the three may be empty. For a kind that is nil the patch is a JSON merge patch, otherwise a
// strategic one.
//
// Models strategicpatch CreateThreeWayMergePatch with overwrite. Differs: upstream sends the order of a list
// of scalars (finalizers) even where it is the right one.
func ThreeWay(last, modified, current []byte, kind *kinds.Kind) ([]byte, error) {
	var docs [3]map[string]any
	for i, data := range [3][]byte{last, modified, current} {
		var err error
		if docs[i], err = object(data); err != nil {
			return nil, err
		}
	}
	if kind == nil {
		return encode(jsonThreeWay(docs[0], docs[1], docs[2]))
	}
	info := infoOf(kind)
	changes, err := differ{ignoreDeletions: true}.objects(docs[2], docs[1], info)
	if err != nil {
		return nil, err
	}
	deletions, err := differ{ignoreChanges: true}.objects(docs[0], docs[1], info)
	if err != nil {
		return nil, err
	}
	patch, err := merger{combine: true}.object(deletions, changes, info)
	if err != nil {
		return nil, err
	}
	return encode(patch)
}

// TwoWay returns the strategic merge patch that makes modified of original.
//
// Models strategicpatch CreateTwoWayMergePatch.
func TwoWay(original, modified []byte, kind *kinds.Kind) ([]byte, error) {
	o, err := object(original)
	if err != nil {
		return nil, err
	}
	m, err := object(modified)
	if err != nil {
		return nil, err
	}
	patch, err := differ{}.objects(o, m, infoOf(kind))
	if err != nil {
		return nil, err
	}
	return encode(patch)
}

// A differ makes strategic merge patches of differences. It changes nothing it is given, but what it returns
// shares parts with it.
type differ struct {
	ignoreChanges   bool // and additions
	ignoreDeletions bool
	retainKeys      bool // list the keys that stay
}

// objects returns the patch that makes modified of original.
//
// Models strategicpatch diffMaps.
func (d differ) objects(original, modified map[string]any, info typeInfo) (map[string]any, error) {
	patch := map[string]any{}
	kept := []any{}
	for _, key := range sortedKeys(modified) {
		value := modified[key]
		if d.retainKeys && value != nil {
			kept = append(kept, key)
		}
		old, ok := original[key]
		if !ok || key != directive && reflect.TypeOf(old) != reflect.TypeOf(value) {
			if !d.ignoreChanges {
				patch[key] = value
			}
			continue
		}
		if err := d.field(patch, key, old, value, info); err != nil {
			return nil, err
		}
	}
	for key, v := range original {
		if _, ok := modified[key]; ok {
			continue
		}
		if !d.ignoreDeletions {
			patch[key] = nil
		}
		if v != nil && len(kept) > 0 {
			patch[retainKeys] = kept
		}
	}
	if len(kept) > 0 && len(patch) > 0 {
		patch[retainKeys] = kept
	}
	return patch, nil
}

// field adds the difference between two values of one type to patch.
func (d differ) field(patch map[string]any, key string, old, value any, info typeInfo) error {
	if key == directive {
		o, ok := old.(string)
		v, okay := value.(string)
		if !ok || !okay {
			return fmt.Errorf("invalid value for special key: %s", directive)
		}
		if o != v {
			patch[key] = value
		}
		return nil
	}
	if same(old, value) {
		return d.unchanged(patch, key, value, info)
	}
	switch value := value.(type) {
	case map[string]any:
		f, err := info.object(key)
		if err != nil {
			return err
		}
		if f.strategy == replaceDirective {
			break
		}
		d.retainKeys = f.retainKeys
		inner, err := d.objects(old.(map[string]any), value, f.typeInfo)
		if err != nil {
			return err
		}
		if len(inner) > 0 {
			patch[key] = inner
		}
		return nil
	case []any:
		f, err := info.list(key)
		if err != nil {
			return err
		}
		if f.strategy != mergeDirective {
			break
		}
		d.retainKeys = f.retainKeys
		return d.list(patch, key, old.([]any), value, f)
	}
	if !d.ignoreChanges {
		patch[key] = value
	}
	return nil
}

// unchanged puts an object that is always replaced as a whole into the patch, as upstream does.
func (d differ) unchanged(patch map[string]any, key string, value any, info typeInfo) error {
	if _, ok := value.(map[string]any); ok && !d.ignoreChanges {
		if f, err := info.object(key); err == nil && f.strategy == replaceDirective {
			patch[key] = value
		}
	}
	return nil
}

// list adds the difference between two lists that are merged to patch.
//
// Models strategicpatch handleSliceDiff, diffLists.
func (d differ) list(patch map[string]any, key string, old, value []any, f fieldInfo) error {
	if len(old) == 0 {
		if len(value) > 0 && !d.ignoreChanges {
			patch[key] = value
		}
		return nil
	}
	maps, err := ofMaps(old, value)
	if err != nil {
		return err
	}
	e := elements{maps, f.mergeKey}
	var changed, deleted, order []any
	if maps {
		if changed, order, err = d.maps(old, value, e, f.typeInfo); err != nil {
			return err
		}
	} else {
		changed, deleted = d.scalars(old, value)
		if changed, err = e.sorted(changed, value); err != nil {
			return err
		}
		if !d.ignoreDeletions && len(deleted) > 0 || !d.ignoreChanges && !same(old, value) {
			order = value
		}
	}
	if len(changed) > 0 {
		patch[key] = changed
	}
	if len(deleted) > 0 {
		patch[deleteFromList+"/"+key] = deleted
	}
	if len(order) > 0 {
		patch[elementOrder+"/"+key] = order
	}
	return nil
}

// maps returns the patches of the elements of a list of objects, deletions last, and the order that the
// elements are to have, if it needs saying.
//
// Models strategicpatch diffListsOfMaps, isOrderSame.
func (d differ) maps(old, value []any, e elements, info typeInfo) (changed, order []any, err error) {
	if err := e.check(old, value); err != nil {
		return nil, nil, err
	}
	var deleted []any
	olds, values := e.byKey(old), e.byKey(value)
	for len(olds) > 0 || len(values) > 0 {
		switch c := e.compare(olds, values); {
		case c == 0:
			v := values[0].(map[string]any)
			p, err := d.objects(olds[0].(map[string]any), v, info)
			if err != nil {
				return nil, nil, err
			}
			if len(p) > 0 {
				p[e.mergeKey] = v[e.mergeKey]
				changed = append(changed, p)
			}
			olds, values = olds[1:], values[1:]
		case c > 0:
			if !d.ignoreChanges {
				changed = append(changed, values[0])
			}
			values = values[1:]
		default:
			if !d.ignoreDeletions {
				deleted = append(deleted, map[string]any{e.mergeKey: e.id(olds[0]), directive: deleteDirective})
			}
			olds = olds[1:]
		}
	}
	if changed, err = e.sorted(changed, value); err != nil {
		return nil, nil, err
	}
	moved := !slices.EqualFunc(old, value, func(a, b any) bool { return same(e.id(a), e.id(b)) })
	changed = append(changed, deleted...)
	if !d.ignoreChanges && (len(changed) > 0 || moved) || !d.ignoreDeletions && len(changed) > 0 {
		order = make([]any, len(value))
		for i, v := range value {
			order[i] = map[string]any{e.mergeKey: e.id(v)}
		}
	}
	return changed, order, nil
}

// byKey returns a copy of a list of objects sorted by what their keys look like.
func (e elements) byKey(list []any) []any {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b any) int { return strings.Compare(fmt.Sprint(e.id(a)), fmt.Sprint(e.id(b))) })
	return out
}

// compare compares the first elements of two sorted lists; an empty list is beyond everything.
func (e elements) compare(a, b []any) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return strings.Compare(fmt.Sprint(e.id(a[0])), fmt.Sprint(e.id(b[0])))
}

// scalars returns what a list of scalars has more and what it has less.
//
// Models strategicpatch diffListsOfScalars.
func (d differ) scalars(old, value []any) (added, deleted []any) {
	var e elements
	olds, values := byText(old), byText(value)
	for len(olds) > 0 || len(values) > 0 {
		switch c := e.compare(olds, values); {
		case c == 0:
			olds, values = olds[1:], values[1:]
		case c > 0:
			if !d.ignoreChanges {
				added = append(added, values[0])
			}
			values = values[1:]
		default:
			if !d.ignoreDeletions {
				deleted = append(deleted, olds[0])
			}
			olds = olds[1:]
		}
	}
	return added, unique(deleted)
}
