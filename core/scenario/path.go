package scenario

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// lookup reads values out of an object: ".spec.replicas", `.metadata.annotations["a.b/c"]`,
// ".spec.containers[0].image", ".status.conditions[type=Ready].status", ".items[*].name". What is absent
// gives nothing.
func lookup(doc []byte, path string) ([]string, error) {
	var root any
	dec := json.NewDecoder(strings.NewReader(string(doc)))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		return nil, err
	}
	steps, err := steps(path)
	if err != nil {
		return nil, err
	}
	found := []any{root}
	for _, step := range steps {
		var next []any
		for _, v := range found {
			next = append(next, step(v)...)
		}
		found = next
	}
	out := make([]string, len(found))
	for i, v := range found {
		out[i] = show(v)
	}
	return out, nil
}

// steps turns a path into functions from a value to the values one step further.
func steps(path string) (out []func(any) []any, err error) {
	for rest := path; rest != ""; {
		switch rest[0] {
		case '.':
			name := rest[1:]
			if i := strings.IndexAny(name, ".["); i >= 0 {
				name = name[:i]
			}
			rest = rest[1+len(name):]
			if name != "" {
				out = append(out, member(name))
			}
		case '[':
			i := strings.IndexByte(rest, ']')
			if i < 0 {
				return nil, fmt.Errorf("path %s: [ without ]", path)
			}
			step, err := bracket(rest[1:i])
			if err != nil {
				return nil, fmt.Errorf("path %s: %w", path, err)
			}
			out, rest = append(out, step), rest[i+1:]
		default:
			return nil, fmt.Errorf("path %s: want . or [ before %q", path, rest)
		}
	}
	return out, nil
}

func member(name string) func(any) []any {
	return func(v any) []any {
		if m, ok := v.(map[string]any); ok {
			if x, ok := m[name]; ok {
				return []any{x}
			}
		}
		return nil
	}
}

func bracket(inside string) (func(any) []any, error) {
	if inside == "*" {
		return func(v any) []any { l, _ := v.([]any); return l }, nil
	}
	if strings.HasPrefix(inside, `"`) {
		name, err := strconv.Unquote(inside)
		return member(name), err
	}
	if key, want, ok := strings.Cut(inside, "="); ok {
		return func(v any) (out []any) {
			list, _ := v.([]any)
			for _, x := range list {
				if m, ok := x.(map[string]any); ok && show(m[key]) == want {
					out = append(out, x)
				}
			}
			return out
		}, nil
	}
	n, err := strconv.Atoi(inside)
	return func(v any) []any {
		if l, ok := v.([]any); ok && n >= 0 && n < len(l) {
			return l[n : n+1]
		}
		return nil
	}, err
}

// show prints scalars as they are, and everything else as JSON.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case map[string]any:
		var b strings.Builder
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for i, k := range keys {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(k + "=" + show(v[k]))
		}
		return b.String()
	}
	data, _ := json.Marshal(v)
	return string(data)
}
