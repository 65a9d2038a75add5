package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"terrarium/core/kinds"
)

// JSON returns obj as the API serves it, with apiVersion and kind. They come from the registry, or from the
// object where it has them and the registry does not know its type.
func (c *Codec) JSON(obj runtime.Object) ([]byte, error) {
	if k := c.KindOf(obj); k != nil {
		return c.JSONAs(obj, k.GVK)
	}
	return json.Marshal(obj)
}

// JSONAs is JSON with another group, version and kind than the registry's.
func (c *Codec) JSONAs(obj runtime.Object, gvk schema.GroupVersionKind) ([]byte, error) {
	if has := obj.GetObjectKind().GroupVersionKind(); has.Kind != "" || has.Version != "" {
		if has == gvk {
			return json.Marshal(obj)
		}
		obj = withoutTypeMeta(obj)
	}
	body, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	if len(body) == 0 || body[0] != '{' {
		return nil, fmt.Errorf("BUG: %T is no object in JSON", obj)
	}
	out := appendTypeMeta(make([]byte, 0, len(body)+64), gvk)
	if len(body) == 2 {
		return append(out, '}'), nil
	}
	return append(append(out, ','), body[1:]...), nil
}

// List returns the objects of one kind as the API serves a list of them.
func (c *Codec) List(kind *kinds.Kind, meta metav1.ListMeta, items []kinds.Object) ([]byte, error) {
	head, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	gvk := kind.GVK
	gvk.Kind += "List"
	out := appendTypeMeta(make([]byte, 0, 256+1024*len(items)), gvk)
	out = append(append(out, `,"metadata":`...), head...)
	out = append(out, `,"items":[`...)
	for i, obj := range items {
		if i > 0 {
			out = append(out, ',')
		}
		if obj.GetObjectKind().GroupVersionKind().Kind != "" {
			obj = withoutTypeMeta(obj).(kinds.Object)
		}
		item, err := json.Marshal(obj)
		if err != nil {
			return nil, err
		}
		out = append(out, item...)
	}
	return append(out, "]}"...), nil
}

func appendTypeMeta(out []byte, gvk schema.GroupVersionKind) []byte {
	out = appendString(append(out, `{"kind":`...), gvk.Kind)
	return appendString(append(out, `,"apiVersion":`...), gvk.GroupVersion().String())
}

// withoutTypeMeta returns a shallow copy of obj that says nothing of its kind.
func withoutTypeMeta(obj runtime.Object) runtime.Object {
	from := reflect.ValueOf(obj).Elem()
	to := reflect.New(from.Type())
	to.Elem().Set(from)
	out := to.Interface().(runtime.Object)
	out.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return out
}

// YAML returns obj as kubectl get -o yaml prints it: keys sorted, lists not indented.
func (c *Codec) YAML(obj runtime.Object) ([]byte, error) {
	data, err := c.JSON(obj)
	if err != nil {
		return nil, err
	}
	return JSONToYAML(data)
}

// JSONToYAML converts valid JSON to YAML with sorted keys.
func JSONToYAML(data []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return ToYAML(v)
}

// ToYAML prints a value that is made of maps, lists, strings, numbers and bools, as JSON decodes them.
func ToYAML(v any) ([]byte, error) {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	e.CompactSeqIndent()
	if err := e.Encode(node(v)); err != nil {
		return nil, err
	}
	return out.Bytes(), e.Close()
}

// node returns the YAML of a value that encoding/json has decoded.
func node(v any) *yaml.Node {
	switch v := v.(type) {
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode}
		if len(v) == 0 {
			n.Style = yaml.FlowStyle
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			n.Content = append(n.Content, scalarNode(k), node(v[k]))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		if len(v) == 0 {
			n.Style = yaml.FlowStyle
		}
		for _, e := range v {
			n.Content = append(n.Content, node(e))
		}
		return n
	case string:
		return scalarNode(v)
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: v.String()}
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: "null"}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(v)}
}

// scalarNode returns a string's node, quoted where it would be read as something else.
func scalarNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	// A block scalar may not begin with white space: where its indentation ends would not be seen.
	block := strings.TrimLeft(s, "\t\n\r ") == s || !strings.Contains(s, "\n")
	if kind, _ := resolvePlain(s); kind != textScalar || base60(s) || !block {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// base60 reports whether YAML 1.1 reads s as a number like 1:30, which other programs may do.
func base60(s string) bool {
	s = strings.TrimLeft(s, "+-")
	if s == "" || s[0] < '0' || s[0] > '9' {
		return false
	}
	parts := strings.Split(s, ":")
	for i, p := range parts {
		if i == len(parts)-1 {
			p, _, _ = strings.Cut(p, ".")
		}
		if strings.Trim(p, "0123456789") != "" && (i > 0 || strings.Trim(p, "0123456789_") != "") {
			return false
		}
		if i > 0 && (len(p) == 0 || len(p) > 2 || len(p) == 2 && p[0] > '5') {
			return false
		}
	}
	return len(parts) > 1
}
