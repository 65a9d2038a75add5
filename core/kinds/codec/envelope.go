package codec

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"

	"terrarium/core/kinds"
)

// magic begins every protobuf body of the Kubernetes API; a runtime.Unknown follows.
var magic = []byte("k8s\x00")

// IsProtobuf reports whether data is a protobuf body of the Kubernetes API.
func IsProtobuf(data []byte) bool { return bytes.HasPrefix(data, magic) }

// An envelope is the runtime.Unknown around an object.
type envelope struct {
	apiVersion, kind string
	raw              []byte
}

// DecodeProtobuf reads an object of kind from a protobuf body of the Kubernetes API.
//
// Models apimachinery pkg/runtime/serializer/protobuf protobuf.go.
func (c *Codec) DecodeProtobuf(data []byte, kind *kinds.Kind) (kinds.Object, error) {
	env, err := openEnvelope(data)
	if err != nil {
		return nil, err
	}
	gv := kind.GVK.GroupVersion().String()
	if env.apiVersion != "" && env.apiVersion != gv {
		return nil, fmt.Errorf("the API version in the data (%s) does not match the expected API version (%s)", env.apiVersion, gv)
	}
	obj := kind.New()
	return obj, c.readMessage(env.raw, obj)
}

// DecodeProtobufInto reads what is no object of a kind, such as DeleteOptions, into the struct that target
// points to.
func (c *Codec) DecodeProtobufInto(data []byte, target runtime.Object) error {
	env, err := openEnvelope(data)
	if err != nil {
		return err
	}
	return c.readMessage(env.raw, target)
}

func (c *Codec) readMessage(raw []byte, target runtime.Object) error {
	v := reflect.ValueOf(target).Elem()
	return readProto(raw, v, c.proto.of(v.Type()))
}

func openEnvelope(data []byte) (env envelope, err error) {
	if !IsProtobuf(data) {
		return env, errors.New("the body does not begin as a protobuf body of the Kubernetes API does")
	}
	err = eachField(data[len(magic):], func(number, wire int, _ uint64, body []byte) error {
		switch number {
		case 1:
			return eachField(body, func(number, _ int, _ uint64, text []byte) error {
				switch number {
				case 1:
					env.apiVersion = string(text)
				case 2:
					env.kind = string(text)
				}
				return nil
			})
		case 2:
			env.raw = body
		}
		return nil
	})
	return env, err
}
