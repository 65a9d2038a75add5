package codec

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	kjson "sigs.k8s.io/json"
)

// locateStrict says where unknown and duplicate fields are.
func (s *source) locateStrict(errs []error) []FieldError {
	if len(errs) == 0 {
		return nil
	}
	found := make([]FieldError, len(errs))
	type want struct{ index, skip int } // the skip-th later place of that path is meant
	wanted := make(map[string][]want, len(errs))
	for i, err := range errs {
		found[i] = FieldError{Message: err.Error()}
		var f kjson.FieldError
		if !errors.As(err, &f) {
			continue
		}
		found[i].Path = f.FieldPath()
		skip := 0
		if strings.HasPrefix(err.Error(), "duplicate") {
			skip = 1
		}
		wanted[found[i].Path] = append(wanted[found[i].Path], want{i, skip})
	}
	open := len(errs)
	walk(s.json, func(at place) bool {
		ws := wanted[string(at.path)]
		for i := range ws {
			if ws[i].skip == 0 {
				found[ws[i].index].Line, found[ws[i].index].Column = s.position(at.key)
				open--
			}
			ws[i].skip--
		}
		return open > 0
	})
	return found
}

// locateError says where in the text the error is that decoding into a t met.
func (s *source) locateError(err error, t reflect.Type) []FieldError {
	found := FieldError{Message: err.Error()}
	if syntax, offset := kjson.SyntaxErrorOffset(err); syntax {
		found.Line, found.Column = s.position(max(0, int(offset)-1))
		return []FieldError{found}
	}
	c := customs{scanner: scanner{data: s.json}, fields: map[reflect.Type]map[string]reflect.Type{}}
	c.next()
	limit := len(s.json)
	var typeErr *json.UnmarshalTypeError
	if c.value(t) != nil {
		limit = c.pos + 1
	} else if errors.As(err, &typeErr) {
		limit = int(typeErr.Offset)
	} else {
		return []FieldError{found}
	}
	walk(s.json, func(at place) bool {
		if at.value < limit {
			found.Path = string(at.path)
			found.Line, found.Column = s.position(at.value)
		}
		return at.value < limit
	})
	return []FieldError{found}
}

// A customs looks in JSON text for the value that its Go type's own UnmarshalJSON refuses, or that is no base64:
// such errors do not say where they were met.
type customs struct {
	scanner
	fields map[reflect.Type]map[string]reflect.Type
}

// value walks over the value at pos, which is to be decoded into a t. When the value is refused it returns
// the error and leaves pos at its start. A nil type is one that has no say.
func (c *customs) value(t reflect.Type) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	start := c.pos
	if t != nil {
		_, own := reflect.New(t).Interface().(json.Unmarshaler)
		if own || isBytes(t) && start < len(c.data) && c.data[start] == '"' {
			c.skip()
			err := json.Unmarshal(c.data[start:c.pos], reflect.New(t).Interface())
			if err != nil {
				c.pos = start
			}
			return err
		}
	}
	switch {
	case t == nil || c.pos >= len(c.data):
		c.skip()
	case c.data[c.pos] == '{' && (t.Kind() == reflect.Struct || t.Kind() == reflect.Map):
		return c.object(t)
	case c.data[c.pos] == '[' && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		for c.pos++; c.next() != ']' && c.pos < len(c.data); {
			if err := c.value(t.Elem()); err != nil {
				return err
			}
		}
		c.pos++
	default:
		c.skip()
	}
	return nil
}

func (c *customs) object(t reflect.Type) error {
	for c.pos++; c.next() == '"'; {
		key := unquote(c.text())
		c.next()
		var to reflect.Type
		if t.Kind() == reflect.Map {
			to = t.Elem()
		} else {
			to = c.fieldsOf(t)[key]
		}
		if err := c.value(to); err != nil {
			return err
		}
	}
	c.pos++
	return nil
}

// fieldsOf returns the types of the struct's fields by their JSON names.
func (c *customs) fieldsOf(t reflect.Type) map[string]reflect.Type {
	if fields := c.fields[t]; fields != nil {
		return fields
	}
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "" && f.Anonymous && f.Type.Kind() == reflect.Struct:
			for inner, it := range c.fieldsOf(f.Type) {
				fields[inner] = it
			}
		case name != "" && name != "-":
			fields[name] = f.Type
		}
	}
	c.fields[t] = fields
	return fields
}
