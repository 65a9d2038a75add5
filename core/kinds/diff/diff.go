// Package diff says which fields of an object changed, for people: paths with the old and the new value.
//
// It promises: the same two objects give the same changes in the same order (by path); elements of a list
// that have names (or another identifying field) are compared with their namesakes, wherever they stand.
// It does not promise that the changes can be applied: see core/apiserver/patch for that.
package diff

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"terrarium/core/kinds"
)

// A Change is one field that differs. Old is empty for a field that was added, New for one that is gone.
type Change struct{ Path, Old, New string }

// noise are the fields that change with every write and say nothing.
var noise = []string{
	"metadata.resourceVersion",
	"metadata.managedFields",
	"metadata.generation",
	"metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]",
}

// identity are what the server puts into every new object.
var identity = []string{"metadata.uid", "metadata.creationTimestamp", "apiVersion", "kind"}

// Objects returns what a write changed. Either object may be nil: then every field of the other one was
// added or is gone.
func Objects(before, after kinds.Object) []Change {
	changes := Values(value(before), value(after))
	hide := noise
	if before == nil || after == nil {
		hide = slices.Concat(noise, identity)
	}
	changes = slices.DeleteFunc(changes, func(c Change) bool { return under(c.Path, hide) })
	if len(changes) == 0 {
		return nil
	}
	return changes
}

// under reports whether the path is one of the fields or inside of one.
func under(path string, fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool {
		rest, ok := strings.CutPrefix(path, f)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

func value(o kinds.Object) any {
	if o == nil {
		return nil
	}
	data, err := json.Marshal(o)
	if err != nil {
		panic("BUG: diff: an object that cannot be encoded: " + err.Error())
	}
	v, err := Parse(data)
	if err != nil {
		panic("BUG: diff: an object that encodes as no JSON: " + err.Error())
	}
	return v
}

// Parse reads JSON into the values that Values compares. Numbers keep their text.
func Parse(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	return v, d.Decode(&v)
}

// Values compares two JSON values.
func Values(before, after any) []Change {
	var d differ
	d.compare("", before, after)
	return d.changes
}

type differ struct{ changes []Change }

func (d *differ) compare(path string, before, after any) {
	if empty(before) && empty(after) {
		return
	}
	bm, bIsMap := before.(map[string]any)
	am, aIsMap := after.(map[string]any)
	bl, bIsList := before.([]any)
	al, aIsList := after.([]any)
	switch {
	case (bIsMap || before == nil) && (aIsMap || after == nil):
		d.maps(path, bm, am)
	case (bIsList || before == nil) && (aIsList || after == nil):
		d.lists(path, bl, al)
	default:
		if was, is := text(before), text(after); was != is {
			d.changes = append(d.changes, Change{path, was, is})
		}
	}
}

// empty reports whether v says nothing: absent, or a map or list without anything in it.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

func (d *differ) maps(path string, before, after map[string]any) {
	for _, k := range keys(before, after) {
		d.compare(child(path, k), before[k], after[k])
	}
}

// keys returns the keys of both maps, sorted.
func keys(a, b map[string]any) []string {
	all := make([]string, 0, len(a)+len(b))
	for k := range a {
		all = append(all, k)
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return all
}

func child(path, key string) string {
	switch {
	case strings.ContainsAny(key, "./[]"):
		return path + "[" + key + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

func (d *differ) lists(path string, before, after []any) {
	if field := nameField(before, after); field != "" {
		b, a := byName(before, field), byName(after, field)
		for _, name := range keys(b, a) {
			d.compare(path+"["+name+"]", b[name], a[name])
		}
		return
	}
	for i := range max(len(before), len(after)) {
		var b, a any
		if i < len(before) {
			b = before[i]
		}
		if i < len(after) {
			a = after[i]
		}
		d.compare(path+"["+strconv.Itoa(i)+"]", b, a)
	}
}

// names are the fields that identify an element of a list, the better ones first.
var names = []string{"name", "mountPath", "uid", "type", "key", "containerPort", "ip"}

// nameField returns the first of names that identifies every element of both lists, or "".
func nameField(lists ...[]any) string {
	for _, field := range names {
		if slices.ContainsFunc(lists, func(l []any) bool { return !identifies(field, l) }) {
			continue
		}
		return field
	}
	return ""
}

func identifies(field string, list []any) bool {
	seen := make(map[string]bool, len(list))
	for _, e := range list {
		m, _ := e.(map[string]any)
		name := text(m[field])
		if m == nil || name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

func byName(list []any, field string) map[string]any {
	m := make(map[string]any, len(list))
	for _, e := range list {
		m[text(e.(map[string]any)[field])] = e
	}
	return m
}

// text is a value as a person reads it.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if v == "" {
			return `""`
		}
		return v
	case json.Number:
		return v.String()
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic("BUG: diff: a value that is not from JSON: " + err.Error())
	}
	return string(data)
}
