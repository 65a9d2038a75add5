package codec

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A protoKind is how protobuf writes the values of one Go type.
type protoKind uint8

const (
	protoString protoKind = iota
	protoBytes
	protoBool
	protoInt
	protoMessage
	protoTime
	protoMicroTime
	protoQuantity
	protoList // a named slice such as ExtraValue: a message whose first field is the elements
)

// A protoType is what is known of a Go type to write it as protobuf.
type protoType struct {
	kind   protoKind
	fields []protoField // of a message, by number
	elem   *protoType   // of a list
}

// A container says how often a field may be there.
type container uint8

const (
	single   container = iota // always there
	optional                  // a pointer
	repeated                  // a slice
	mapping                   // a map
)

type protoField struct {
	index     int // of the struct's field
	number    int
	container container
	key       *protoType // of a map
	value     *protoType
}

// protoTypes are the protoTypes of whole objects, built when one is first needed.
type protoTypes map[reflect.Type]*protoType

func (p protoTypes) of(t reflect.Type) *protoType {
	made := p[t]
	if made == nil {
		made = protoBuilder{}.build(t)
		p[t] = made
	}
	return made
}

// A protoBuilder builds the protoTypes of one object's type; types may contain themselves.
type protoBuilder map[reflect.Type]*protoType

func (b protoBuilder) build(t reflect.Type) *protoType {
	if known := b[t]; known != nil {
		return known
	}
	made := &protoType{}
	b[t] = made
	switch {
	case t == reflect.TypeFor[metav1.Time]():
		made.kind = protoTime
	case t == reflect.TypeFor[metav1.MicroTime]():
		made.kind = protoMicroTime
	case t == reflect.TypeFor[resource.Quantity]():
		made.kind = protoQuantity
	case t.Kind() == reflect.String:
		made.kind = protoString
	case t.Kind() == reflect.Bool:
		made.kind = protoBool
	case t.Kind() == reflect.Int32, t.Kind() == reflect.Int64:
		made.kind = protoInt
	case isBytes(t):
		made.kind = protoBytes
	case t.Kind() == reflect.Slice:
		made.kind, made.elem = protoList, b.build(t.Elem())
	case t.Kind() == reflect.Struct:
		made.kind, made.fields = protoMessage, b.structFields(t)
	default:
		panic(fmt.Sprintf("BUG: no protobuf for type %v", t))
	}
	return made
}

func (b protoBuilder) structFields(t reflect.Type) []protoField {
	var fields []protoField
	for i := range t.NumField() {
		f := t.Field(i)
		tag := strings.SplitN(f.Tag.Get("protobuf"), ",", 3)
		if len(tag) < 2 {
			continue
		}
		number, err := strconv.Atoi(tag[1])
		if err != nil {
			panic(fmt.Sprintf("BUG: protobuf tag of %v.%s: %v", t, f.Name, err))
		}
		pf := protoField{index: i, number: number}
		ft := f.Type
		switch {
		case ft.Kind() == reflect.Pointer:
			pf.container, pf.value = optional, b.build(ft.Elem())
		case ft.Kind() == reflect.Slice && !isBytes(ft):
			pf.container, pf.value = repeated, b.build(ft.Elem())
		case ft.Kind() == reflect.Map:
			pf.container, pf.key, pf.value = mapping, b.build(ft.Key()), b.build(ft.Elem())
		default:
			pf.value = b.build(ft)
		}
		fields = append(fields, pf)
	}
	slices.SortFunc(fields, func(x, y protoField) int { return x.number - y.number })
	return fields
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}
