package check

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// Internal wraps a value that an error shows. Upstream validates its internal types, which have no JSON
// tags, so its messages show Go's field names; a wrapped v1 value prints the same way.
func Internal(v any) json.Marshaler { return internal{v} }

type internal struct{ value any }

func (i internal) MarshalJSON() ([]byte, error) {
	var w internalWriter
	w.value(reflect.ValueOf(i.value))
	return w.Bytes(), w.err
}

type internalWriter struct {
	bytes.Buffer
	err error
}

func (w *internalWriter) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.WriteString("null")
		} else {
			w.value(v.Elem())
		}
	case reflect.Struct:
		if !untagged(v.Type()) {
			w.plain(v)
			return
		}
		w.WriteByte('{')
		w.fields(v, true)
		w.WriteByte('}')
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			w.plain(v)
			return
		}
		w.WriteByte('[')
		for i := range v.Len() {
			w.comma(i == 0)
			w.value(v.Index(i))
		}
		w.WriteByte(']')
	case reflect.Map:
		w.mapping(v)
	default:
		w.plain(v)
	}
}

// fields writes the fields of a struct; embedded ones are part of it.
func (w *internalWriter) fields(v reflect.Value, first bool) bool {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && untagged(f.Type) {
			first = w.fields(v.Field(i), first)
			continue
		}
		if f.Anonymous {
			first = w.inline(v.Field(i), first)
			continue
		}
		w.comma(first)
		w.plain(reflect.ValueOf(f.Name))
		w.WriteByte(':')
		w.value(v.Field(i))
		first = false
	}
	return first
}

// inline writes the members of an embedded struct that has tags, such as ObjectMeta.
func (w *internalWriter) inline(v reflect.Value, first bool) bool {
	data, err := json.Marshal(v.Interface())
	if err != nil {
		w.err = err
		return first
	}
	if len(data) <= 2 {
		return first
	}
	w.comma(first)
	w.Write(data[1 : len(data)-1])
	return false
}

func (w *internalWriter) mapping(v reflect.Value) {
	if v.IsNil() {
		w.WriteString("null")
		return
	}
	byName := make(map[string]reflect.Value, v.Len())
	for _, k := range v.MapKeys() {
		byName[k.String()] = v.MapIndex(k)
	}
	w.WriteByte('{')
	for i, k := range Keys(byName) {
		w.comma(i == 0)
		w.plain(reflect.ValueOf(k))
		w.WriteByte(':')
		w.value(byName[k])
	}
	w.WriteByte('}')
}

func (w *internalWriter) comma(first bool) {
	if !first {
		w.WriteByte(',')
	}
}

func (w *internalWriter) plain(v reflect.Value) {
	data, err := json.Marshal(v.Interface())
	if err != nil {
		w.err = err
	}
	w.Write(data)
}

// untagged reports whether upstream has an internal type for t: all of k8s.io/api has.
func untagged(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), "k8s.io/api/") }
