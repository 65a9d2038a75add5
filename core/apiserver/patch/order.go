package patch

import (
	"fmt"
	"strings"
)

// retain obeys $retainKeys: keys of original that it does not list go.
//
// Models strategicpatch applyRetainKeysDirective.
func (m merger) retain(original, patch map[string]any) error {
	listed, ok := patch[retainKeys]
	if !ok {
		return nil
	}
	delete(patch, retainKeys)
	if m.combine {
		if other, ok := original[retainKeys]; ok && !same(other, listed) {
			return fmt.Errorf("%v and %v are not deep equal: this may happen when calculating the 3-way diff patch", other, listed)
		}
		original[retainKeys] = listed
		return nil
	}
	keys, ok := listed.([]any)
	if !ok {
		return errBadRetainKeys
	}
	keep := map[string]bool{}
	for _, k := range keys {
		if s, ok := k.(string); ok {
			keep[s] = true
		}
	}
	for k, v := range patch { // any order: the error does not say which key
		if v != nil && !keep[k] && !strings.HasPrefix(k, deleteFromList) && !strings.HasPrefix(k, elementOrder) {
			return errBadRetainKeys
		}
	}
	for k := range original {
		if !keep[k] {
			delete(original, k)
		}
	}
	return nil
}

// orderedLists obeys $setElementOrder: it merges the lists that have such an order and removes both from
// patch. When patches are combined the order stays in the result.
//
// Models strategicpatch mergePatchIntoOriginal.
func (m merger) orderedLists(original, patch map[string]any, info typeInfo) error {
	for _, key := range sortedKeys(patch) {
		if !strings.HasPrefix(key, elementOrder) {
			continue
		}
		order := patch[key]
		if m.combine {
			if other, ok := original[key]; ok && !same(other, order) {
				return errBadElementOrder
			}
			original[key] = order
		}
		delete(patch, key)
		list, err := as[[]any](order)
		if err != nil {
			return err
		}
		name, ok := strings.CutPrefix(key, elementOrder+"/")
		if !ok {
			return errBadElementOrder
		}
		if err := m.orderedList(original, patch, name, list, info); err != nil {
			return err
		}
	}
	return nil
}

func (m merger) orderedList(original, patch map[string]any, key string, order []any, info typeInfo) (err error) {
	var old, mine []any
	oldValue, haveOld := original[key]
	if haveOld {
		if old, err = as[[]any](oldValue); err != nil {
			return err
		}
	}
	patchValue, havePatch := patch[key]
	if havePatch {
		if mine, err = as[[]any](patchValue); err != nil {
			return err
		}
	}
	f, err := info.list(key)
	if err != nil {
		return err
	}
	if err := checkOrder(mine, order, f.mergeKey); err != nil {
		return err
	}
	var merged []any
	switch {
	case !haveOld && !havePatch:
		return nil
	case !havePatch:
		merged = old
	case !haveOld:
		kept, _ := stripped(mine)
		merged = kept.([]any)
	default:
		if merged, err = m.list(old, mine, f, false); err != nil {
			return err
		}
	}
	maps, err := ofMaps(old, mine)
	if err != nil {
		return err
	}
	e := elements{f.mergeKey != "", f.mergeKey}
	if e.maps != maps {
		if e.maps {
			return badType[map[string]any](append(old, mine...)[0])
		}
		return badType[string](append(old, mine...)[0])
	}
	if original[key], err = e.ordered(merged, order, old); err != nil {
		return err
	}
	delete(patch, key)
	return nil
}

// checkOrder demands that the elements of a patch list come in the order that is given beside it.
//
// Models strategicpatch validatePatchWithSetOrderList.
func checkOrder(patch, wanted []any, mergeKey string) error {
	order := wanted
	if len(order) == 0 || len(patch) == 0 {
		return nil
	}
	e := elements{mergeKey != "", mergeKey}
	var left []any
	for _, v := range patch {
		m, ok := v.(map[string]any)
		if !ok && e.maps {
			return badType[map[string]any](v)
		}
		if !e.maps || m[directive] != deleteDirective {
			left = append(left, v)
		}
	}
	for len(left) > 0 && len(order) > 0 {
		if m, ok := left[0].(map[string]any); ok && m[directive] != nil {
			left = left[1:]
			continue
		}
		if e.maps {
			if err := e.check(left[:1], order[:1]); err != nil {
				return err
			}
		}
		if same(e.id(left[0]), e.id(order[0])) {
			left = left[1:]
		}
		order = order[1:]
	}
	if len(left) > 0 {
		return fmt.Errorf("The order in patch list:\n%v\n doesn't match %s list:\n%v\n", patch, elementOrder, wanted)
	}
	return nil
}
