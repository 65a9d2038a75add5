package patch

import (
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"terrarium/core/kinds/all"
)

func TestPatches(t *testing.T) {
	pod := all.Registry().ByName("pods")
	strategic := func(o, p []byte) ([]byte, error) { return Strategic(o, p, pod) }
	tests := []struct {
		name            string
		apply           func(o, p []byte) ([]byte, error)
		original, patch string
		want, error     string
		code            int32
	}{
		{"JSON", JSON, `{"a":1,"b":[1]}`, `[{"op":"replace","path":"/a","value":2},{"op":"add","path":"/b/-","value":3},{"op":"test","path":"/a","value":2}]`, `{"a":2,"b":[1,3]}`, "", 0},
		{"JSON: escaped path", JSON, `{"m":{"a/b":1}}`, `[{"op":"remove","path":"/m/a~1b"}]`, `{"m":{}}`, "", 0},
		{"JSON: no patch", JSON, `{}`, `{"a":1}`, "", "json: cannot unmarshal object into Go value of type jsonpatch.Patch", 400},
		{"JSON: missing", JSON, `{}`, `[{"op":"remove","path":"/a"}]`, "", "the server rejected our request due to an error in our request", 422},
		{"JSON: test fails", JSON, `{"a":1}`, `[{"op":"test","path":"/a","value":2}]`, "", "the server rejected our request due to an error in our request", 422},
		{"JSON: too many", JSON, `{}`, "[" + strings.Repeat(`{"op":"add","path":"/a","value":1},`, 10_000) + `{}]`, "", "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001", 413},
		{"JSON: copies", JSON, `{"a":["` + strings.Repeat("x", 1<<20) + `"]}`, "[" + strings.Repeat(`{"op":"copy","from":"/a/0","path":"/a/-"},`, 4)[:4*43-5] + "]", "", "the server rejected our request due to an error in our request", 422},
		{"merge", Merge, `{"a":{"b":1,"c":2},"l":[1]}`, `{"a":{"b":null,"d":3},"l":[2]}`, `{"a":{"c":2,"d":3},"l":[2]}`, "", 0},
		{"merge: no patch", Merge, `{}`, `x`, "", "Invalid JSON Patch", 400},
		{"strategic: by name", strategic,
			`{"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}}`,
			`{"spec":{"containers":[{"name":"b","image":"z"},{"name":"c"}]}}`,
			`{"spec":{"containers":[{"image":"x","name":"a"},{"image":"z","name":"b"},{"name":"c"}]}}`, "", 0},
		{"strategic: delete", strategic,
			`{"spec":{"containers":[{"name":"a"},{"name":"b"}]},"metadata":{"finalizers":["x","y"]}}`,
			`{"spec":{"containers":[{"name":"a","$patch":"delete"}]},"metadata":{"$deleteFromPrimitiveList/finalizers":["x"]}}`,
			`{"metadata":{"finalizers":["y"]},"spec":{"containers":[{"name":"b"}]}}`, "", 0},
		{"strategic: order", strategic,
			`{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}}`,
			`{"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"a"}]}}`,
			`{"spec":{"containers":[{"name":"b"},{"name":"c"},{"name":"a"}]}}`, "", 0},
		{"strategic: replace", strategic, `{"metadata":{"labels":{"a":"b"}}}`, `{"metadata":{"labels":{"c":"d","$patch":"replace"}}}`, `{"metadata":{"labels":{"c":"d"}}}`, "", 0},
		{"strategic: no key", strategic, `{"spec":{"containers":[{"name":"a"}]}}`, `{"spec":{"containers":[{"image":"x"}]}}`, "", "map: map[image:x] does not contain declared merge key: name", 0},
		{"strategic: no JSON", strategic, `{}`, `[`, "", "invalid JSON document", 400},
		{"strategic: bad directive", strategic, `{"spec":{}}`, `{"spec":{"$patch":"x"}}`, "", "unknown patch type: x in map: map[$patch:x]", 0},
		{"strategic: retainKeys", strategic, `{"spec":{"volumes":[{"name":"a","secret":{}}]}}`,
			`{"spec":{"volumes":[{"name":"a","emptyDir":{},"$retainKeys":["name","emptyDir"]}]}}`,
			`{"spec":{"volumes":[{"emptyDir":{},"name":"a"}]}}`, "", 0},
		{"strategic: bad retainKeys", strategic, `{"spec":{}}`, `{"spec":{"$retainKeys":["a"],"nodeName":"x"}}`, "", "invalid patch format of retainKeys", 400},
		{"strategic: maps as keys", strategic, `{"spec":{"containers":[{"name":{}}]}}`, `{"spec":{"containers":[{"name":{},"image":"x"},{"name":[]}]}}`, `{"spec":{"containers":[{"image":"x","name":{}},{"name":[]}]}}`, "", 0},
		{"strategic: null element", strategic, `{"spec":{"containers":[{"name":"a"}]}}`, `{"spec":{"containers":[null]}}`, "", "list element types are not identical: [[map[name:a]] [<nil>]]", 0},
		{"strategic: big numbers stay", strategic, `{"metadata":{"generation":9007199254740993}}`, `{}`, `{"metadata":{"generation":9007199254740993}}`, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.apply([]byte(tt.original), []byte(tt.patch))
			text := ""
			if err != nil {
				text = err.Error()
			}
			if string(got) != tt.want || text != tt.error {
				t.Errorf("got %s, error %s\nwant %s, error %s", got, text, tt.want, tt.error)
			}
			var status apierrors.APIStatus
			if s, ok := err.(apierrors.APIStatus); ok {
				status = s
			}
			if tt.code != 0 && (status == nil || status.Status().Code != tt.code) {
				t.Errorf("status of %v is not %d", err, tt.code)
			}
		})
	}
}

func TestStrictErrors(t *testing.T) {
	for _, tt := range []struct {
		kind        types.PatchType
		patch, want string
	}{
		{types.JSONPatchType, `[{"op":"add","paht":"/a","op":"add"}]`, `[json patch unknown field "[0].paht" json patch duplicate field "[0].op"] <nil>`},
		{types.JSONPatchType, `{}`, `[] error decoding patch: json: cannot unmarshal object into Go value of type []patch.operation`},
		{types.MergePatchType, `{"a":1,"a":2}`, `[duplicate field "a"] <nil>`},
		{types.StrategicMergePatchType, `x`, `[] invalid character 'x' looking for beginning of value`},
	} {
		found, err := StrictErrors(tt.kind, []byte(tt.patch))
		if got := fmt.Sprint(found, " ", err); got != tt.want {
			t.Errorf("got %s\nwant %s", got, tt.want)
		}
	}
}

// No patch makes any of them panic or work for long.
func FuzzPatch(f *testing.F) {
	f.Add([]byte(`{"spec":{"containers":[{"name":"a","image":"x"}]}}`), []byte(`{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"a","$patch":"delete"}]}}`))
	f.Add([]byte(`{"a":1}`), []byte(`[{"op":"copy","from":"","path":"/a/b"}]`))
	f.Add([]byte(`{"metadata":{"finalizers":["a"]}}`), []byte(`{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"],"$retainKeys":["x"]}}`))
	pod := all.Registry().ByName("pods")
	f.Fuzz(func(t *testing.T, original, patch []byte) {
		if out, err := Strategic(original, patch, pod); err == nil {
			decode(out)
		}
		if out, err := ThreeWay(original, patch, patch, pod); err == nil {
			decode(out)
		}
		if out, err := ThreeWay(patch, original, original, nil); err == nil {
			decode(out)
		}
		_, _ = JSON(original, patch)
		_, _ = Merge(original, patch)
	})
}

func BenchmarkThreeWay(b *testing.B) {
	kind := all.Registry().ByName("deployments.apps")
	doc := `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"a":"b"}},"spec":{"replicas":%d,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"nginx:%d","ports":[{"containerPort":80}]}]}}}}`
	last, modified := fmt.Appendf(nil, doc, 1, 1), fmt.Appendf(nil, doc, 2, 2)
	b.ReportAllocs()
	for b.Loop() {
		p, err := ThreeWay(last, modified, last, kind)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Strategic(last, p, kind); err != nil {
			b.Fatal(err)
		}
	}
}
