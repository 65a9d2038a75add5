package codec_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/kinds"
	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
)

// Every kind comes back from JSON, YAML and protobuf as it went in, and the protobuf is the one that the
// generated methods of the types write.
func TestRoundTrip(t *testing.T) {
	r := all.Registry()
	c := codec.New(r)
	for _, k := range r.All() {
		t.Run(strings.ReplaceAll(k.GVK.String(), " ", ""), func(t *testing.T) {
			for seed := range uint64(8) {
				roundTrip(t, c, k, seed)
			}
		})
	}
}

func roundTrip(t *testing.T, c *codec.Codec, k *kinds.Kind, seed uint64) {
	obj := k.New()
	f := filler{rand: rand.New(rand.NewPCG(seed, 1))}
	f.fill(reflect.ValueOf(obj).Elem(), 0)
	obj.GetObjectKind().SetGroupVersionKind(k.GVK.GroupVersion().WithKind(""))
	before := obj.DeepCopyObject()
	same := func(how string, got any, err error) {
		t.Helper()
		want := withoutKind(before)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, how, err)
		}
		if !equality.Semantic.DeepEqual(want, got) {
			t.Fatalf("seed %d: %s (-want +got):\n%s", seed, how, cmp.Diff(want, got))
		}
	}
	for how, encode := range map[string]func(runtime.Object) ([]byte, error){"JSON": c.JSON, "YAML": c.YAML} {
		data, err := encode(obj)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, gvk, found, err := c.Decode(data, nil, true)
		if err != nil || found != nil || gvk != k.GVK {
			t.Fatalf("seed %d: %s: %v %v %v in\n%s", seed, how, gvk, found, err, data)
		}
		same(how, got, nil)
	}
	if k.Resource != "" {
		stored, err := c.EncodeStored(obj)
		if err != nil {
			t.Fatal(err)
		}
		want, err := obj.(interface{ Marshal() ([]byte, error) }).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if got := stored[2+len(k.GVK.Version):]; string(got) != string(want) {
			t.Fatalf("seed %d: protobuf differs from the generated one\n got %q\nwant %q", seed, got, want)
		}
		got, err := c.DecodeStored(k.StorageResource(), stored)
		same("protobuf", got, err)
	}
	if diff := cmp.Diff(before, obj); diff != "" {
		t.Fatalf("seed %d: encoding changed the object:\n%s", seed, diff)
	}
}

func withoutKind(obj runtime.Object) runtime.Object {
	obj = obj.DeepCopyObject()
	obj.GetObjectKind().SetGroupVersionKind(k0)
	return obj
}

var k0 = (&metav1.TypeMeta{}).GroupVersionKind()

// A filler sets fields to random values that have a canonical form.
type filler struct{ rand *rand.Rand }

func (f filler) fill(v reflect.Value, depth int) {
	switch p := v.Addr().Interface().(type) {
	case *metav1.Time:
		if f.rand.IntN(4) > 0 {
			*p = metav1.NewTime(time.Unix(int64(f.rand.IntN(2e9)), 0).Local())
		}
		return
	case *metav1.MicroTime:
		if f.rand.IntN(4) > 0 {
			*p = metav1.NewMicroTime(time.Unix(int64(f.rand.IntN(2e9)), int64(f.rand.IntN(1e6))*1000).Local())
		}
		return
	case *resource.Quantity:
		units := []string{"", "m", "Ki", "Gi", "k", "e3"}
		*p = resource.MustParse(fmt.Sprintf("%d%s", f.rand.IntN(5000)-1000, units[f.rand.IntN(len(units))]))
		_ = p.String()
		return
	case *intstr.IntOrString:
		if *p = intstr.FromInt32(f.rand.Int32()); f.rand.IntN(2) == 0 {
			*p = intstr.FromString(f.text())
		}
		return
	case *runtime.RawExtension:
		p.Raw = []byte(`{"a":1}`)
		return
	case *metav1.FieldsV1:
		p.SetRawBytes([]byte(`{"f:a":{}}`))
		return
	case *metav1.TypeMeta:
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if ft := v.Type().Field(i); ft.IsExported() && ft.Tag.Get("json") != "-" {
				f.fill(v.Field(i), depth+1)
			}
		}
	case reflect.Pointer:
		if f.some(depth) {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth)
			if z, ok := v.Interface().(interface{ IsZero() bool }); ok && z.IsZero() {
				v.SetZero() // a pointer to no time is null in JSON
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(f.text()))
		} else if f.some(depth) {
			n := 1 + f.rand.IntN(2)
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.fill(v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if f.some(depth) {
			v.Set(reflect.MakeMap(v.Type()))
			for range 1 + f.rand.IntN(3) {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				f.fill(key, depth+1)
				f.fill(value, depth+1)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.String:
		v.SetString(f.text())
	case reflect.Bool:
		v.SetBool(f.rand.IntN(2) == 0)
	case reflect.Int32:
		v.SetInt(int64(int32(f.rand.Uint32())))
	case reflect.Int64:
		v.SetInt(int64(f.rand.Uint64()) >> f.rand.IntN(64))
	default:
		panic(v.Type())
	}
}

// some says whether an optional part is there: rarely so deep inside.
func (f filler) some(depth int) bool { return f.rand.IntN(max(1, depth)) < 3 && depth < 14 }

func (f filler) text() string {
	words := []string{"yes", "on", "~", "0x1", "1e3", "12:30", "22:22", "2024-01-01T00:00:00Z", "null", "- a", "a: b", "#", "é ü", "\ttab\n", "a\nb\n", "<<", "=", "plain", " ", "{}", "!x", "&x", "*x", "\U0001f600", "'", `"`, "%", "@", "0777", ".inf", ".", "\u0085\u2028", "a\r\nb", "---", "...", "? a", "x\n---\ny", "\x00", "\ufeff"}
	return words[f.rand.IntN(len(words))] + fmt.Sprint(f.rand.IntN(10))[:f.rand.IntN(2)]
}

// What is printed reads the same to kubectl.
func TestYAMLReadsTheSame(t *testing.T) {
	for seed := range uint64(300) {
		f := filler{rand: rand.New(rand.NewPCG(seed, 2))}
		m := map[string]any{}
		for range 5 {
			m[f.text()] = []any{f.text(), f.text(), map[string]any{f.text(): f.text(), "e": map[string]any{}, "l": []any{}, "n": int64(f.rand.IntN(100)), "b": true, "z": nil}}
		}
		data, err := codec.ToYAML(m)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := yaml.Unmarshal(data, &got); err != nil {
			t.Fatalf("seed %d: %v in\n%s", seed, err, data)
		}
		for _, v := range got {
			n := v.([]any)[2].(map[string]any)
			n["n"] = int64(n["n"].(float64))
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Fatalf("seed %d: (-want +got):\n%s\n%s", seed, diff, data)
		}
	}
}
