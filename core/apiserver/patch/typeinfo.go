package patch

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"terrarium/core/kinds"
)

// A typeInfo says how the fields of one Go type are merged, from its struct tags.
type typeInfo struct{ t reflect.Type }

func infoOf(kind *kinds.Kind) typeInfo { return typeInfo{reflect.TypeOf(kind.New()).Elem()} }

// A fieldInfo is how one field is merged.
type fieldInfo struct {
	typeInfo          // of the field, or of a list's elements
	strategy   string // merge, replace, or empty for the default
	retainKeys bool   // a patch lists all keys that stay
	mergeKey   string // of a list's elements
}

// object returns how the object in a field is merged.
//
// Models apimachinery third_party/forked/golang/json LookupPatchMetadataForStruct.
func (i typeInfo) object(key string) (fieldInfo, error) {
	t := i.t
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return fieldInfo{}, fmt.Errorf("merging an object in json but data type is not struct, instead is: %s", t.Kind())
	}
	f, ok := fieldByKey(t, key, func(a, b string) bool { return a == b })
	if !ok {
		f, ok = fieldByKey(t, key, strings.EqualFold)
	}
	if !ok {
		return fieldInfo{}, fmt.Errorf("unable to find api field in struct %s for the json field %q", t.Name(), key)
	}
	out := fieldInfo{typeInfo: typeInfo{f.Type}, mergeKey: f.Tag.Get("patchMergeKey")}
	strategies := strings.Split(f.Tag.Get("patchStrategy"), ",")
	for n, s := range strategies {
		switch {
		case s == "retainKeys":
			out.retainKeys = true
		case n == 0 || out.retainKeys:
			out.strategy = s
		default:
			return fieldInfo{}, fmt.Errorf("unexpected patch strategy: %v", strategies)
		}
	}
	return out, nil
}

// list returns how the list in a field is merged.
func (i typeInfo) list(key string) (fieldInfo, error) {
	f, err := i.object(key)
	if err != nil {
		return f, err
	}
	t := f.t
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Slice {
		return f, fmt.Errorf("expected slice or array type, but got: %s", i.t.Kind())
	}
	if f.t = t.Elem(); f.t.Kind() == reflect.Slice {
		return f, errors.New("unexpected slice of slice")
	}
	return f, nil
}

// fieldByKey finds the field with the JSON name key in t or in the structs that are inlined in it.
func fieldByKey(t reflect.Type, key string, equal func(a, b string) bool) (reflect.StructField, bool) {
	for n := range t.NumField() {
		f := t.Field(n)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && f.Anonymous && f.Type.Kind() == reflect.Struct {
			if inner, ok := fieldByKey(f.Type, key, equal); ok {
				return inner, true
			}
		} else if name != "" && name != "-" && equal(name, key) {
			return f, true
		}
	}
	return reflect.StructField{}, false
}
