package kindtest

import (
	"fmt"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// apply makes one edit in a tree.
func apply(tree map[string]any, edit string) error {
	if path, ok := strings.CutPrefix(edit, "delete "); ok {
		return at(tree, path, func(holder map[string]any, key string) { delete(holder, key) })
	}
	path, text, ok := strings.Cut(edit, " = ")
	if !ok {
		return fmt.Errorf("edit %q: want \"path = value\"", edit)
	}
	var value any
	if strings.HasPrefix(text, "xxx*") { // a long text
		n, err := strconv.Atoi(text[4:])
		if err != nil {
			return err
		}
		value = strings.Repeat("x", n)
	} else if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return fmt.Errorf("edit %q: %w", edit, err)
	}
	return at(tree, path, func(holder map[string]any, key string) { holder[key] = value })
}

// at calls f with the map that holds the last part of a path, making what is missing on the way. Elements of
// lists are reached through a map of the one key that f sets.
func at(tree map[string]any, path string, f func(holder map[string]any, key string)) error {
	parts, err := split(path)
	if err != nil {
		return err
	}
	_, err = edit(tree, parts, f)
	return err
}

// edit returns node with the edit below it made.
func edit(node any, parts []string, f func(holder map[string]any, key string)) (any, error) {
	key := parts[0]
	if i, isIndex := index(key); isIndex {
		list, _ := node.([]any)
		if i > len(list) {
			return nil, fmt.Errorf("index %d of a list of %d", i, len(list))
		}
		if i == len(list) {
			list = append(list, nil)
		}
		if len(parts) == 1 {
			holder := map[string]any{"": list[i]}
			f(holder, "")
			list[i] = holder[""]
			return list, nil
		}
		child, err := edit(list[i], parts[1:], f)
		list[i] = child
		return list, err
	}
	m, _ := node.(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	if len(parts) == 1 {
		f(m, key)
		return m, nil
	}
	child, err := edit(m[key], parts[1:], f)
	m[key] = child
	return m, err
}

func index(part string) (int, bool) {
	if !strings.HasPrefix(part, "[") {
		return 0, false
	}
	i, err := strconv.Atoi(part[1:])
	return i, err == nil
}

// split splits a.b[0]["c.d"] into a, b, [0, c.d.
func split(path string) (parts []string, err error) {
	for rest := path; rest != ""; {
		switch {
		case strings.HasPrefix(rest, `["`):
			key, after, ok := strings.Cut(rest[2:], `"]`)
			if !ok {
				return nil, fmt.Errorf("path %q: missing \"]", path)
			}
			parts, rest = append(parts, key), after
		case rest[0] == '[':
			i, after, ok := strings.Cut(rest, "]")
			if !ok {
				return nil, fmt.Errorf("path %q: missing ]", path)
			}
			parts, rest = append(parts, i), after
		default:
			rest = strings.TrimPrefix(rest, ".")
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			parts, rest = append(parts, rest[:end]), rest[end:]
		}
	}
	return parts, nil
}
