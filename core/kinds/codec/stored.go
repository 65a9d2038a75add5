package codec

import (
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/kinds"
)

// Stored objects begin with a byte that says how the rest is written, then the length of the version's name
// and that name, then the object.
const storedProtobuf = 1

var errShort = errors.New("stored object is cut short")

// EncodeStored returns obj as it is kept: the version it is in, then the same protobuf that its generated
// Marshal would write.
func (c *Codec) EncodeStored(obj kinds.Object) ([]byte, error) {
	k := c.KindOf(obj)
	if k == nil {
		return nil, fmt.Errorf("BUG: no kind is registered for %T", obj)
	}
	v := reflect.ValueOf(obj).Elem()
	out := make([]byte, 0, 1024)
	out = append(out, storedProtobuf, byte(len(k.GVK.Version)))
	out = append(out, k.GVK.Version...)
	return appendProto(out, v, c.proto.of(v.Type())), nil
}

// DecodeStored is the inverse of EncodeStored. resource is the Resource of the object's Key.
func (c *Codec) DecodeStored(resource string, data []byte) (kinds.Object, error) {
	if len(data) < 2 || len(data) < 2+int(data[1]) {
		return nil, errShort
	}
	if data[0] != storedProtobuf {
		return nil, fmt.Errorf("stored object has unknown format %d", data[0])
	}
	version, body := string(data[2:2+data[1]]), data[2+data[1]:]
	k := c.reg.ByGVR(schema.ParseGroupResource(resource).WithVersion(version))
	if k == nil {
		return nil, fmt.Errorf("no kind is registered for stored %s in version %q", resource, version)
	}
	obj := k.New()
	v := reflect.ValueOf(obj).Elem()
	if err := readProto(body, v, c.proto.of(v.Type())); err != nil {
		return nil, fmt.Errorf("stored %s: %w", resource, err)
	}
	return obj, nil
}
