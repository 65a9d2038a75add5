package patch

// jsonThreeWay is ThreeWay for kinds whose types are not known: lists are replaced.
//
// Models apimachinery pkg/util/jsonmergepatch CreateThreeWayJSONMergePatch.
func jsonThreeWay(last, modified, current map[string]any) map[string]any {
	patch := removals(last, modified)
	overlay(patch, changes(current, modified))
	return patch
}

// changes returns what modified has other than current, without what it has not.
func changes(current, modified map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range modified {
		old, had := current[key]
		if v == nil || had && same(old, v) {
			continue
		}
		m, isMap := v.(map[string]any)
		o, wasMap := old.(map[string]any)
		if !isMap || !wasMap {
			out[key] = v
			continue
		}
		if inner := changes(o, m); len(inner) > 0 {
			out[key] = inner
		}
	}
	return out
}

// removals returns nulls for what last had and modified has not.
func removals(last, modified map[string]any) map[string]any {
	out := map[string]any{}
	for key, old := range last {
		v, has := modified[key]
		if !has {
			out[key] = nil
			continue
		}
		m, isMap := v.(map[string]any)
		o, wasMap := old.(map[string]any)
		if isMap && wasMap {
			if inner := removals(o, m); len(inner) > 0 {
				out[key] = inner
			}
		}
	}
	return out
}

// overlay merges another patch over patch.
func overlay(patch, over map[string]any) {
	for key, v := range over { // any order: each key is merged by itself
		m, isMap := v.(map[string]any)
		o, wasMap := patch[key].(map[string]any)
		if isMap && wasMap {
			overlay(o, m)
		} else {
			patch[key] = v
		}
	}
}
