package codec

import (
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The API's types come with generated Marshal and Unmarshal methods, which are a megabyte of compressed
// WebAssembly. The same bytes are written here by looking at the types' protobuf tags.

var (
	errTruncated = errors.New("protobuf is cut short")
	errWire      = errors.New("protobuf has a field of the wrong type")
)

// Wire types of protobuf.
const (
	wireVarint    = 0
	wire64        = 1
	wireDelimited = 2
	wire32        = 5
)

// appendProto appends the fields of a message, or the bare content of any other value.
func appendProto(out []byte, v reflect.Value, t *protoType) []byte {
	switch t.kind {
	case protoString:
		return append(out, v.String()...)
	case protoBytes:
		return append(out, v.Bytes()...)
	case protoBool:
		if v.Bool() {
			return append(out, 1)
		}
		return append(out, 0)
	case protoInt:
		return binary.AppendUvarint(out, uint64(v.Int()))
	case protoTime:
		tm := v.Addr().Interface().(*metav1.Time)
		if tm.IsZero() {
			return out
		}
		return appendTimestamp(out, tm.Unix(), 0)
	case protoMicroTime:
		tm := v.Addr().Interface().(*metav1.MicroTime)
		if tm.IsZero() {
			return out
		}
		return appendTimestamp(out, tm.Unix(), tm.Nanosecond()/1000*1000)
	case protoQuantity:
		s := v.Addr().Interface().(*resource.Quantity).String()
		out = append(out, 1<<3|wireDelimited)
		return append(binary.AppendUvarint(out, uint64(len(s))), s...)
	case protoList:
		for i := range v.Len() {
			out = appendField(out, 1, v.Index(i), t.elem)
		}
		return out
	}
	for i := range t.fields {
		f := &t.fields[i]
		fv := v.Field(f.index)
		switch f.container {
		case single:
			if f.value.kind != protoBytes || !fv.IsNil() {
				out = appendField(out, f.number, fv, f.value)
			}
		case optional:
			if !fv.IsNil() {
				out = appendField(out, f.number, fv.Elem(), f.value)
			}
		case repeated:
			for i := range fv.Len() {
				out = appendField(out, f.number, fv.Index(i), f.value)
			}
		case mapping:
			out = appendMap(out, f, fv)
		}
	}
	return out
}

// appendField appends a value with its field number.
func appendField(out []byte, number int, v reflect.Value, t *protoType) []byte {
	if t.kind == protoBool || t.kind == protoInt {
		return appendProto(binary.AppendUvarint(out, uint64(number)<<3|wireVarint), v, t)
	}
	out = binary.AppendUvarint(out, uint64(number)<<3|wireDelimited)
	switch t.kind {
	case protoString:
		out = binary.AppendUvarint(out, uint64(v.Len()))
		return append(out, v.String()...)
	case protoBytes:
		out = binary.AppendUvarint(out, uint64(v.Len()))
		return append(out, v.Bytes()...)
	}
	return closeLength(appendProto(append(out, 0), v, t), len(out))
}

// closeLength puts the length of what follows the placeholder byte at start into its place.
func closeLength(out []byte, start int) []byte {
	n := len(out) - start - 1
	if n < 0x80 {
		out[start] = byte(n)
		return out
	}
	var length [binary.MaxVarintLen64]byte
	size := binary.PutUvarint(length[:], uint64(n))
	return slices.Replace(out, start, start+1, length[:size]...)
}

func appendMap(out []byte, f *protoField, m reflect.Value) []byte {
	if m.Len() == 0 {
		return out
	}
	keys := m.MapKeys()
	slices.SortFunc(keys, func(x, y reflect.Value) int {
		switch a, b := x.String(), y.String(); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	value := reflect.New(m.Type().Elem()).Elem() // addressable
	for _, k := range keys {
		out = binary.AppendUvarint(out, uint64(f.number)<<3|wireDelimited)
		start := len(out)
		out = appendField(append(out, 0), 1, k, f.key)
		value.Set(m.MapIndex(k))
		if f.value.kind != protoBytes || !value.IsNil() {
			out = appendField(out, 2, value, f.value)
		}
		out = closeLength(out, start)
	}
	return out
}

func appendTimestamp(out []byte, seconds int64, nanos int) []byte {
	out = binary.AppendUvarint(append(out, 1<<3), uint64(seconds))
	return binary.AppendUvarint(append(out, 2<<3), uint64(nanos))
}

// readProto is the inverse of appendProto. v is addressable.
func readProto(data []byte, v reflect.Value, t *protoType) error {
	switch t.kind {
	case protoString:
		v.SetString(string(data))
	case protoBytes:
		v.SetBytes(append([]byte{}, data...))
	case protoMessage:
		return readMessage(data, v, t)
	case protoList:
		return eachField(data, func(number, wire int, _ uint64, body []byte) error {
			if number != 1 || wire != wireDelimited {
				return nil
			}
			return readProto(body, grow(v), t.elem)
		})
	case protoTime, protoMicroTime:
		return readTime(data, v, t.kind)
	case protoQuantity:
		return eachField(data, func(number, wire int, _ uint64, body []byte) error {
			if number != 1 || wire != wireDelimited {
				return nil
			}
			q, err := resource.ParseQuantity(string(body))
			v.Set(reflect.ValueOf(q))
			return err
		})
	default:
		return errWire
	}
	return nil
}

func readMessage(data []byte, v reflect.Value, t *protoType) error {
	at := 0 // fields mostly come in order
	return eachField(data, func(number, wire int, varint uint64, body []byte) error {
		for n := 0; ; n++ {
			if n > len(t.fields) || len(t.fields) == 0 {
				return nil // not known: written by a later version
			}
			if at >= len(t.fields) {
				at = 0
			}
			if t.fields[at].number == number {
				break
			}
			at++
		}
		f := &t.fields[at]
		fv := v.Field(f.index)
		switch f.container {
		case optional:
			fv.Set(reflect.New(fv.Type().Elem()))
			fv = fv.Elem()
		case repeated:
			fv = grow(fv)
		case mapping:
			if wire != wireDelimited {
				return errWire
			}
			return readEntry(body, fv, f)
		}
		return readField(wire, varint, body, fv, f.value)
	})
}

func readField(wire int, varint uint64, body []byte, v reflect.Value, t *protoType) error {
	switch {
	case wire == wireVarint && t.kind == protoInt:
		v.SetInt(int64(varint))
		return nil
	case wire == wireVarint && t.kind == protoBool:
		v.SetBool(varint != 0)
		return nil
	case wire != wireDelimited:
		return errWire
	}
	return readProto(body, v, t)
}

func readEntry(data []byte, m reflect.Value, f *protoField) error {
	if m.IsNil() {
		m.Set(reflect.MakeMap(m.Type()))
	}
	key, value := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
	err := eachField(data, func(number, wire int, varint uint64, body []byte) error {
		switch number {
		case 1:
			return readField(wire, varint, body, key, f.key)
		case 2:
			return readField(wire, varint, body, value, f.value)
		}
		return nil
	})
	m.SetMapIndex(key, value)
	return err
}

// grow appends a zero element to a slice and returns it.
func grow(slice reflect.Value) reflect.Value {
	n := slice.Len()
	slice.Grow(1)
	slice.SetLen(n + 1)
	return slice.Index(n)
}

func readTime(data []byte, v reflect.Value, kind protoKind) error {
	if len(data) == 0 {
		return nil
	}
	var seconds, nanos int64
	err := eachField(data, func(number, wire int, varint uint64, _ []byte) error {
		switch {
		case wire != wireVarint:
			return errWire
		case number == 1:
			seconds = int64(varint)
		case number == 2:
			nanos = int64(varint)
		}
		return nil
	})
	if kind == protoTime {
		v.Addr().Interface().(*metav1.Time).Time = time.Unix(seconds, 0).Local()
	} else {
		v.Addr().Interface().(*metav1.MicroTime).Time = time.Unix(seconds, nanos/1000*1000).Local()
	}
	return err
}

// eachField calls visit with every field of a message: its number and wire type, and its varint or body.
func eachField(data []byte, visit func(number, wire int, varint uint64, body []byte) error) error {
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		if n <= 0 || key>>3 > 1<<29 {
			return errTruncated
		}
		data = data[n:]
		var varint uint64
		var body []byte
		switch key & 7 {
		case wireVarint:
			if varint, n = binary.Uvarint(data); n <= 0 {
				return errTruncated
			}
			data = data[n:]
		case wireDelimited:
			length, n := binary.Uvarint(data)
			if n <= 0 || length > uint64(len(data)-n) {
				return errTruncated
			}
			body = data[n : n+int(length)]
			data = data[n+int(length):]
		case wire32, wire64:
			size := 4
			if key&7 == wire64 {
				size = 8
			}
			if len(data) < size {
				return errTruncated
			}
			data = data[size:]
		default:
			return errWire
		}
		if err := visit(int(key>>3), int(key&7), varint, body); err != nil {
			return err
		}
	}
	return nil
}
