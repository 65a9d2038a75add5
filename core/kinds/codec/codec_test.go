package codec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
)

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: nginx
        resources:
          limits:
            cpu: 500m
        ports:
        - containerPort: 80
`

func TestDecodeErrors(t *testing.T) {
	replace := func(old, new string) string {
		if !strings.Contains(deployment, old) {
			t.Fatalf("no %q in the deployment", old)
		}
		return strings.Replace(deployment, old, new, 1)
	}
	tests := []struct {
		name  string
		data  string
		want  []codec.FieldError // strict problems, or the place of the error
		error string
	}{
		{name: "good", data: deployment},
		{
			name: "unknown field",
			data: replace("  replicas: 2", "  replicas: 2\n  foo: 1"),
			want: []codec.FieldError{{"spec.foo", 8, 3, `unknown field "spec.foo"`}},
		}, {
			name: "unknown field in a list, and again",
			data: replace("        image: nginx", "        image: nginx\n        imagePullPolice: Always\n        Image: x"),
			want: []codec.FieldError{
				{"spec.template.spec.containers[0].imagePullPolice", 19, 9, `unknown field "spec.template.spec.containers[0].imagePullPolice"`},
				{"spec.template.spec.containers[0].Image", 20, 9, `unknown field "spec.template.spec.containers[0].Image"`},
			},
		}, {
			name: "duplicate field",
			data: replace("  replicas: 2", "  replicas: 2\n  replicas: 3"),
			want: []codec.FieldError{{"spec.replicas", 8, 3, `duplicate field "spec.replicas"`}},
		}, {
			name: "duplicate label",
			data: replace("labels: {app: web}", "labels: {app: web, app: api}"),
			want: []codec.FieldError{{"metadata.labels.app", 5, 22, `duplicate field "metadata.labels.app"`}},
		}, {
			name:  "string for a number",
			data:  replace("replicas: 2", "replicas: two"),
			want:  []codec.FieldError{{"spec.replicas", 7, 13, `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`}},
			error: `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`,
		}, {
			name:  "object for a list",
			data:  replace("      - name: web\n", "        name: web\n"),
			want:  []codec.FieldError{{"spec.template.spec.containers", 17, 9, `json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container`}},
			error: `json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container`,
		}, {
			name:  "list for an object",
			data:  replace("    matchLabels:\n      app: web", "    - app: web"),
			want:  []codec.FieldError{{"spec.selector", 9, 5, `json: cannot unmarshal array into Go struct field DeploymentSpec.spec.selector of type v1.LabelSelector`}},
			error: `json: cannot unmarshal array into Go struct field DeploymentSpec.spec.selector of type v1.LabelSelector`,
		}, {
			name:  "bool for a string",
			data:  replace("{app: web}", "{app: yes}"),
			want:  []codec.FieldError{{"metadata.labels.app", 5, 17, `json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string`}},
			error: `json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string`,
		}, {
			name:  "bad quantity",
			data:  replace("500m", "half"),
			want:  []codec.FieldError{{"spec.template.spec.containers[0].resources.limits.cpu", 21, 18, `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`}},
			error: `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
		}, {
			name:  "unknown kind",
			data:  replace("kind: Deployment", "kind: Deploymnt"),
			want:  []codec.FieldError{{"kind", 2, 7, `no matches for kind "Deploymnt" in version "apps/v1"`}},
			error: `no matches for kind "Deploymnt" in version "apps/v1"`,
		}, {
			name:  "no kind",
			data:  "metadata: {name: x}\n",
			want:  []codec.FieldError{{"kind", 1, 1, `Object 'Kind' is missing in '{"metadata":{"name":"x"}}'`}},
			error: `Object 'Kind' is missing in '{"metadata":{"name":"x"}}'`,
		}, {
			name:  "no version",
			data:  "kind: Pod\n",
			want:  []codec.FieldError{{"apiVersion", 1, 1, `Object 'apiVersion' is missing in '{"kind":"Pod"}'`}},
			error: `Object 'apiVersion' is missing in '{"kind":"Pod"}'`,
		}, {
			name:  "kind is a list",
			data:  "apiVersion: v1\nkind: [Pod]\n",
			want:  []codec.FieldError{{"kind", 2, 7, `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go struct field .kind of type string`}},
			error: `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go struct field .kind of type string`,
		}, {
			name:  "no object",
			data:  "- a\n- b\n",
			want:  []codec.FieldError{{"", 1, 1, `Object 'Kind' is missing in '["a","b"]'`}},
			error: `Object 'Kind' is missing in '["a","b"]'`,
		}, {
			name:  "tab",
			data:  "apiVersion: v1\nkind: Pod\nmetadata:\n\tname: x\n",
			want:  []codec.FieldError{{"", 4, 1, `yaml: found character that cannot start any token`}},
			error: `error converting YAML to JSON: yaml: line 4: found character that cannot start any token`,
		}, {
			name:  "binary",
			data:  "apiVersion: v1\nkind: P\x00d\n",
			want:  []codec.FieldError{{"", 2, 8, `yaml: control characters are not allowed`}},
			error: `error converting YAML to JSON: yaml: line 2: control characters are not allowed`,
		}, {
			name:  "latin-1",
			data:  "apiVersion: v1\nkind: P\xf6d\n",
			want:  []codec.FieldError{{"", 2, 8, `yaml: invalid leading UTF-8 octet`}},
			error: `error converting YAML to JSON: yaml: line 2: invalid leading UTF-8 octet`,
		}, {
			name:  "bad indentation",
			data:  replace("  template:", " template:"),
			want:  []codec.FieldError{{"", 11, 2, `yaml: did not find expected key`}},
			error: `error converting YAML to JSON: yaml: line 11: did not find expected key`,
		}, {
			name:  "unclosed bracket",
			data:  replace("{app: web}", "{app: web"),
			want:  []codec.FieldError{{"", 5, 3, `yaml: did not find expected ',' or '}'`}},
			error: `error converting YAML to JSON: yaml: line 5: did not find expected ',' or '}'`,
		}, {
			name:  "missing colon",
			data:  replace("  replicas: 2", "  replicas 2"),
			want:  []codec.FieldError{{"", 8, 3, `yaml: mapping values are not allowed in this context`}},
			error: `error converting YAML to JSON: yaml: line 8: mapping values are not allowed in this context`,
		}, {
			name:  "unclosed quote",
			data:  replace("image: nginx", `image: "nginx`),
			want:  []codec.FieldError{{"", 18, 9, `yaml: found unexpected end of stream`}},
			error: `error converting YAML to JSON: yaml: line 18: found unexpected end of stream`,
		}, {
			name:  "unknown anchor",
			data:  replace("image: nginx", `image: *nginx`),
			want:  []codec.FieldError{{"", 18, 9, `yaml: unknown anchor 'nginx' referenced`}},
			error: `error converting YAML to JSON: yaml: line 18: unknown anchor 'nginx' referenced`,
		}, {
			name:  "infinite",
			data:  replace("replicas: 2", "replicas: .inf"),
			want:  []codec.FieldError{{"", 7, 13, `yaml: unsupported value: .inf`}},
			error: `error converting YAML to JSON: yaml: line 7: unsupported value: .inf`,
		}, {
			name: "JSON: unknown and duplicate",
			data: "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n \"spec\": {\"a.b\": 1, \"hostPID\": true,\n\t\"hostPID\": false}}",
			want: []codec.FieldError{
				{"spec.a.b", 2, 11, `unknown field "spec.a.b"`},
				{"spec.hostPID", 3, 2, `duplicate field "spec.hostPID"`},
			},
		}, {
			name:  "JSON: cut short",
			data:  `{"apiVersion": "v1", "kind"`,
			want:  []codec.FieldError{{"", 1, 27, `couldn't get version/kind; json parse error: unexpected end of JSON input`}},
			error: `couldn't get version/kind; json parse error: unexpected end of JSON input`,
		}, {
			name: "flow YAML",
			data: "{apiVersion: v1, kind: Pod,\n spex: {}}",
			want: []codec.FieldError{{"spex", 2, 2, `unknown field "spex"`}},
		}, {
			name:  "merge keys and anchors",
			data:  "apiVersion: v1\nkind: Pod\nmetadata:\n  labels: &l {a: b}\n  annotations:\n    <<: *l\n    <<: {c: d}\n    e: *l\n",
			want:  []codec.FieldError{{"metadata.annotations.e", 4, 11, `json: cannot unmarshal object into Go struct field ObjectMeta.metadata.annotations of type string`}},
			error: `json: cannot unmarshal object into Go struct field ObjectMeta.metadata.annotations of type string`,
		},
	}
	c := codec.New(all.Registry())
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, found, err := c.Decode([]byte(tt.data), nil, true)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if text != tt.error {
				t.Errorf("error\n got %s\nwant %s", text, tt.error)
			}
			if diff := cmp.Diff(tt.want, found); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStrict(t *testing.T) {
	c := codec.New(all.Registry())
	_, _, found, err := c.Decode([]byte(`{"a":1,"spec":{},"spec":{}}`), all.Registry().ByName("pod"), true)
	if err != nil {
		t.Fatal(err)
	}
	want := `strict decoding error: unknown field "a", duplicate field "spec"`
	if got := codec.Strict(found); got == nil || got.Error() != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if codec.Strict(nil) != nil {
		t.Error("Strict of nothing is an error")
	}
	if _, _, found, err := c.Decode([]byte(`{"a":1,"spec":{},"spec":{}}`), all.Registry().ByName("pod"), false); found != nil || err != nil {
		t.Errorf("not strict: %v, %v", found, err)
	}
}

// The data may say less than the request's path, but nothing else.
func TestExpectedKind(t *testing.T) {
	r := all.Registry()
	c := codec.New(r)
	for _, tt := range []struct{ kind, data, error string }{
		{"pod", `{}`, ""},
		{"pod", `{"kind":"Pod"}`, ""},
		{"pod", `{"kind":"Node","apiVersion":"v1"}`, "converting (v1.Node) to (v1.Pod): unknown conversion"},
		{"hpa.v1.autoscaling", `{"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v2"}`,
			"the API version in the data (autoscaling/v2) does not match the expected API version (autoscaling/v1)"},
		{"pod", `{"apiVersion":"a/b/c"}`, "unexpected GroupVersion string: a/b/c"},
	} {
		obj, gvk, _, err := c.Decode([]byte(tt.data), r.ByName(tt.kind), true)
		if tt.error == "" && err == nil {
			if gvk.Kind != "Pod" || obj.GetObjectKind().GroupVersionKind().Kind != "" {
				t.Errorf("%s: %v, %v", tt.data, gvk, obj)
			}
		} else if err == nil || err.Error() != tt.error {
			t.Errorf("%s: got %v, want %s", tt.data, err, tt.error)
		}
	}
}

func TestDecodeValues(t *testing.T) {
	obj, _, found, err := codec.New(all.Registry()).Decode([]byte(`
apiVersion: v1
kind: ConfigMap
metadata:
  name: "1"
  creationTimestamp: null
  generation: 0x10
data:
  1: "one"
  true: "y"
  literal: |
    a
     b
  folded: >-
    a
    b
  quoted: "\u00e9\n\t\"<"
  tagged: !!str 12
  date: 2001-01-01
  when: 2001-12-14T21:59:43Z
  other: !Sub "${x}"
binaryData: {b: aGk=, c: !!binary YUdrPQ==}
immutable: off
`), nil, true)
	if err != nil || found != nil {
		t.Fatal(found, err)
	}
	cm := obj.(*corev1.ConfigMap)
	want := map[string]string{
		"1": "one", "true": "y", "literal": "a\n b\n", "folded": "a b", "quoted": "é\n\t\"<", "tagged": "12",
		"date": "2001-01-01", "when": "2001-12-14T21:59:43Z", "other": "${x}",
	}
	if diff := cmp.Diff(want, cm.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	if string(cm.BinaryData["b"]) != "hi" || string(cm.BinaryData["c"]) != "hi" || *cm.Immutable || cm.Generation != 16 {
		t.Errorf("got %+v", cm)
	}
}

// JSON takes DEL within a string, which YAML does not take as it is.
func TestDelete(t *testing.T) {
	c := codec.New(all.Registry())
	obj, _, _, err := c.Decode([]byte(`{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"\x7f"}}`), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if got := obj.(*corev1.ConfigMap).Data["a"]; got != "\x7f" {
		t.Errorf("got %q", got)
	}
}
