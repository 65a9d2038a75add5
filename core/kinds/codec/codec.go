// Package codec turns bytes into objects and back: JSON and YAML at the borders (what a person or a client
// sends and sees), protobuf for what is kept.
//
// It promises: decoding names path, line and column of what is wrong, in the words of kube-apiserver and
// kubectl; any bytes may come in, and what is too big, too deep or not text is refused before it costs time
// or memory; encoding never changes the object it is given.
//
// It does not promise that a decoded object is valid or has its defaults: that is its Strategy's business.
package codec

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"terrarium/core/kinds"
)

// Limits of what is decoded. One document may be as large as a request to kube-apiserver.
const (
	MaxInput    = 4 << 20       // bytes of a file of several documents
	MaxDocument = 3 << 20       // bytes of one document
	maxDepth    = 1000          // of nested YAML; JSON has the decoder's own limit, 10,000
	maxValues   = 250_000       // keys and values of one YAML document
	maxSteps    = 2 * maxValues // values of one YAML document after its aliases are followed
	maxExpanded = 2 * MaxDocument
)

// A Codec encodes and decodes the kinds of a registry. What it learns of the types for protobuf it
// remembers, so one goroutine owns it.
type Codec struct {
	reg    *kinds.Registry
	byType map[reflect.Type]*kinds.Kind
	proto  protoTypes
}

// New returns a codec for the kinds of reg.
func New(reg *kinds.Registry) *Codec {
	c := &Codec{reg: reg, byType: make(map[reflect.Type]*kinds.Kind, len(reg.All())), proto: protoTypes{}}
	for _, k := range reg.All() {
		c.byType[reflect.TypeOf(k.New())] = k
	}
	return c
}

// KindOf returns the kind that an object of this Go type is, or nil.
func (c *Codec) KindOf(obj runtime.Object) *kinds.Kind { return c.byType[reflect.TypeOf(obj)] }

// Decode reads one object from JSON or YAML. Where kind is nil the data must say what it is; otherwise the
// data may leave apiVersion and kind out and must not contradict kind.
//
// The object has no TypeMeta: what it was is the second result, which is set as far as it is known even when
// there is an error. With strict, unknown and duplicate fields are the third result, and are no error: see
// Strict. With an error, the third result says where it is, if that is known.
func (c *Codec) Decode(data []byte, kind *kinds.Kind, strict bool) (kinds.Object, schema.GroupVersionKind, []FieldError, error) {
	return c.DecodeDocument(Document{Line: 1, Raw: data}, kind, strict)
}

// DecodeDocument is Decode for a part of a file: lines are counted from the beginning of the file.
func (c *Codec) DecodeDocument(doc Document, kind *kinds.Kind, strict bool) (kinds.Object, schema.GroupVersionKind, []FieldError, error) {
	src, err := doc.source()
	if err != nil {
		return nil, schema.GroupVersionKind{}, where(err), err
	}
	k, gvk, err := c.identify(src, kind)
	if err != nil {
		return nil, gvk, where(err), err
	}
	obj, found, err := decodeInto(src, k.New, strict)
	if err != nil {
		return nil, gvk, found, err
	}
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return obj, gvk, found, nil
}

// identify returns the kind that the source is of.
func (c *Codec) identify(src *source, want *kinds.Kind) (*kinds.Kind, schema.GroupVersionKind, error) {
	var gvk schema.GroupVersionKind
	if want != nil {
		gvk = want.GVK
	}
	meta, err := typeMeta(src)
	if err != nil {
		return nil, gvk, err
	}
	if meta.kind.text != "" {
		gvk.Kind = meta.kind.text
	}
	if meta.apiVersion.text != "" {
		gv, err := schema.ParseGroupVersion(meta.apiVersion.text)
		if err != nil {
			return nil, gvk, src.errorAt(meta.apiVersion.offset, "apiVersion", err.Error())
		}
		gvk = gv.WithKind(gvk.Kind)
	}
	switch {
	case gvk.Kind == "":
		return nil, gvk, src.errorAt(0, "kind", runtime.NewMissingKindErr(src.excerpt()).Error())
	case gvk.Version == "":
		return nil, gvk, src.errorAt(0, "apiVersion", runtime.NewMissingVersionErr(src.excerpt()).Error())
	case want == nil:
		if k := c.reg.ByGVK(gvk); k != nil {
			return k, gvk, nil
		}
		return nil, gvk, src.errorAt(meta.kind.offset, "kind",
			fmt.Sprintf("no matches for kind %q in version %q", gvk.Kind, gvk.GroupVersion()))
	case gvk.GroupVersion() != want.GVK.GroupVersion():
		return nil, gvk, src.errorAt(meta.apiVersion.offset, "apiVersion",
			fmt.Sprintf("the API version in the data (%s) does not match the expected API version (%s)", gvk.GroupVersion(), want.GVK.GroupVersion()))
	case gvk.Kind != want.GVK.Kind:
		return nil, gvk, src.errorAt(meta.kind.offset, "kind",
			fmt.Sprintf("converting (%s.%s) to (%s.%s): unknown conversion", gvk.Version, gvk.Kind, want.GVK.Version, want.GVK.Kind))
	}
	return want, gvk, nil
}

// decodeInto decodes the source into a new object. On an error the field errors say where it is.
func decodeInto[T any](src *source, newObject func() T, strict bool) (obj T, found []FieldError, err error) {
	obj = newObject()
	var strictErrs []error
	if strict {
		strictErrs, err = kjson.UnmarshalStrict(src.json, obj)
	} else {
		err = kjson.UnmarshalCaseSensitivePreserveInts(src.json, obj)
	}
	if err != nil {
		return obj, src.locateError(err, reflect.TypeOf(obj).Elem()), err
	}
	return obj, src.locateStrict(strictErrs), nil
}

// typeMeta finds apiVersion and kind among the members of the source's object.
func typeMeta(src *source) (found struct{ apiVersion, kind member }, err error) {
	var bad error
	ok := members(src.json, func(key []byte, value int, raw []byte) bool {
		var to *member
		switch string(key) {
		case "apiVersion":
			to = &found.apiVersion
		case "kind":
			to = &found.kind
		default:
			return true
		}
		to.offset = value
		if len(raw) > 0 && raw[0] == '"' {
			to.text = unquote(raw)
		} else if !bytes.Equal(raw, []byte("null")) {
			bad = src.errorAt(value, string(key), fmt.Sprintf("couldn't get version/kind; json parse error: json: cannot unmarshal %s into Go struct field .%s of type string", typeName(raw), key))
		}
		return bad == nil
	})
	if bad == nil && !ok {
		bad = src.errorAt(0, "", runtime.NewMissingKindErr(src.excerpt()).Error())
	}
	return found, bad
}

// A member is the value of an object's member that is a string.
type member struct {
	text   string
	offset int
}

// where returns the position an error carries, if it does.
func where(err error) []FieldError {
	var e *Error
	if !errors.As(err, &e) {
		return nil
	}
	return []FieldError{e.FieldError}
}
