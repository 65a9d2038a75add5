package store

import (
	"reflect"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"

	"terrarium/core/kinds"
)

// shallowCopy returns a copy of the struct obj points to, which shares everything below it.
func shallowCopy(obj kinds.Object) kinds.Object {
	from := reflect.ValueOf(obj).Elem()
	to := reflect.New(from.Type())
	to.Elem().Set(from)
	return to.Interface().(kinds.Object)
}

// A detector keeps a deep copy of every committed object still kept, to find those changed since.
type detector struct {
	copies map[kinds.Object]kinds.Object
}

func newDetector() *detector { return &detector{copies: make(map[kinds.Object]kinds.Object)} }

func (d *detector) remember(key kinds.Key, obj kinds.Object) {
	if d.copies[obj] != nil {
		panic("BUG: " + key.String() + " is committed with an object that was committed before; it must be copied to be changed")
	}
	d.copies[obj] = obj.DeepCopyObject().(kinds.Object)
}

func (d *detector) commit(ev Event) {
	if ev.Old != nil {
		d.check(ev.Key, ev.Old)
	}
	d.remember(ev.Key, ev.Object)
}

// forget drops the objects that only ev, which is compacted, still held.
func (d *detector) forget(ev *Event) {
	if ev.Old != nil {
		d.check(ev.Key, ev.Old)
		delete(d.copies, ev.Old)
	}
	if ev.Type == Deleted {
		delete(d.copies, ev.Object)
	}
}

// check panics when obj is not what was committed.
func (d *detector) check(key kinds.Key, obj kinds.Object) {
	was := d.copies[obj]
	if was == nil {
		return
	}
	if at, differ := difference("", reflect.ValueOf(was), reflect.ValueOf(obj)); differ {
		panic("BUG: " + key.String() + " was changed after it was committed as revision " +
			was.GetResourceVersion() + ", at " + at)
	}
}

// check panics when obj, about to be handed out, was changed.
func (s *Store) check(key kinds.Key, obj kinds.Object) {
	if s.detector != nil {
		s.detector.check(key, obj)
	}
}

// CheckMutation panics when any kept object was changed since its commit. It does nothing unless
// Config.CheckMutation is set. Reads and commits check the objects they meet; this checks all.
func (s *Store) CheckMutation() {
	if s.detector == nil {
		return
	}
	for key, obj := range s.All() {
		s.detector.check(key, obj)
	}
	for _, t := range s.tables {
		for i := range t.log.events {
			s.detector.check(t.log.events[i].Key, t.log.events[i].Object)
		}
	}
}

// difference returns the path of a place where a and b, of one type, differ.
func difference(path string, a, b reflect.Value) (at string, differ bool) {
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return path, a.IsNil() != b.IsNil()
		}
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return "", false
		}
		if a.Elem().Type() != b.Elem().Type() {
			return path, true
		}
		return difference(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type() == reflect.TypeFor[resource.Quantity]() && a.Type().Field(i).Name == "s" {
				continue // the text, kept by Quantity.String
			}
			if at, differ := difference(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); differ {
				return at, true
			}
		}
		return "", false
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return path, true
		}
		for i := range a.Len() {
			if at, differ := difference(path+"["+strconv.Itoa(i)+"]", a.Index(i), b.Index(i)); differ {
				return at, true
			}
		}
		return "", false
	case reflect.Map:
		if a.Len() != b.Len() {
			return path, true
		}
		for _, k := range a.MapKeys() {
			v := b.MapIndex(k)
			if !v.IsValid() {
				return path, true
			}
			if at, differ := difference(path+"["+k.String()+"]", a.MapIndex(k), v); differ {
				return at, true
			}
		}
		return "", false
	case reflect.Func:
		return path, a.IsNil() != b.IsNil()
	default:
		return path, !a.Equal(b)
	}
}
