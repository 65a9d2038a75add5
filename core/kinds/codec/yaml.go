package codec

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fromYAML converts one YAML document to JSON, as sigs.k8s.io/yaml does. Duplicate keys stay duplicate, for
// the JSON decoder to find.
func fromYAML(data []byte, line int) (*source, error) {
	if at := tooMany(data); at >= 0 {
		return nil, yamlError(line+bytes.Count(data[:at], []byte("\n")), 1, "document has too many values")
	}
	if at := tooDeep(data); at >= 0 {
		return nil, yamlError(line+bytes.Count(data[:at], []byte("\n")), 1, "exceeded max depth")
	}
	root, err := parseYAML(bytes.NewReader(data))
	if err != nil {
		return nil, syntaxError(data, line, err)
	}
	if root.Kind == 0 {
		return &source{json: []byte("null"), line: line}, nil
	}
	c := converter{base: line - 1, out: make([]byte, 0, len(data)+len(data)/4), merging: map[*yaml.Node]bool{}}
	if err := c.value(root); err != nil {
		return nil, err
	}
	return &source{json: c.out, marks: c.marks, line: line}, nil
}

// tooMany returns where data has had as many values as a document may have, or -1. It counts what separates
// values, so it may count text of block scalars too.
func tooMany(data []byte) int {
	n := 0
	for i, c := range data {
		switch c {
		case ',', ':', '\n', '[', '{', '?', '&', '*', '!':
			n++
		case '-':
			if i+1 < len(data) && (data[i+1] == ' ' || data[i+1] == '\n') {
				n++
			}
		}
		if n > maxValues {
			return i
		}
	}
	return -1
}

// A converter writes YAML nodes as JSON.
type converter struct {
	base    int // lines of the file before the document
	out     []byte
	marks   []mark
	depth   int
	steps   int
	aliased bool                // an alias was followed, so out may grow beyond the input
	merging map[*yaml.Node]bool // anchors being followed
}

func (c *converter) value(n *yaml.Node) error {
	if err := c.enter(n); err != nil {
		return err
	}
	defer func() { c.depth-- }()
	switch n.Kind {
	case yaml.DocumentNode:
		return c.value(n.Content[0])
	case yaml.AliasNode:
		return c.alias(n, c.value)
	case yaml.SequenceNode:
		c.mark(n)
		c.out = append(c.out, '[')
		for i, e := range n.Content {
			if i > 0 {
				c.out = append(c.out, ',')
			}
			if err := c.value(e); err != nil {
				return err
			}
		}
		c.out = append(c.out, ']')
	case yaml.MappingNode:
		return c.mapping(n)
	case yaml.ScalarNode:
		return c.scalar(n)
	}
	return nil
}

// enter counts a step down into n and refuses to go too deep or too far.
func (c *converter) enter(n *yaml.Node) error {
	c.depth++
	c.steps++
	switch {
	case c.depth > maxDepth:
		return c.errorAt(n, "exceeded max depth")
	case c.aliased && (c.steps > maxSteps || len(c.out) > maxExpanded):
		return c.errorAt(n, "document contains excessive aliasing")
	}
	return nil
}

// alias follows an alias.
func (c *converter) alias(n *yaml.Node, follow func(*yaml.Node) error) error {
	if c.merging[n.Alias] {
		return c.errorAt(n, "anchor '"+n.Value+"' value contains itself")
	}
	c.aliased = true
	c.merging[n.Alias] = true
	defer delete(c.merging, n.Alias)
	return follow(n.Alias)
}

func (c *converter) mapping(n *yaml.Node) error {
	c.mark(n)
	c.out = append(c.out, '{')
	first := true
	entry := func(key string, k, v *yaml.Node) error {
		if !first {
			c.out = append(c.out, ',')
		}
		first = false
		c.mark(k)
		c.out = appendString(c.out, key)
		c.out = append(c.out, ':')
		return c.value(v)
	}
	var seen map[string]bool // kept only when there is something to merge
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			seen = map[string]bool{}
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if isMerge(k) {
			continue
		}
		key, err := c.key(k)
		if err != nil {
			return err
		}
		if seen != nil {
			seen[key] = true
		}
		if err := entry(key, k, v); err != nil {
			return err
		}
	}
	for i := 0; i+1 < len(n.Content) && seen != nil; i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		if err := c.merge(n.Content[i+1], seen, entry); err != nil {
			return err
		}
	}
	c.out = append(c.out, '}')
	return nil
}

// merge writes the entries of from, the value of a << key, that are not there yet.
func (c *converter) merge(from *yaml.Node, seen map[string]bool, entry func(string, *yaml.Node, *yaml.Node) error) error {
	if err := c.enter(from); err != nil {
		return err
	}
	defer func() { c.depth-- }()
	again := func(n *yaml.Node) error { return c.merge(n, seen, entry) }
	switch from.Kind {
	case yaml.AliasNode:
		return c.alias(from, again)
	case yaml.SequenceNode:
		for _, e := range from.Content {
			if err := again(e); err != nil {
				return err
			}
		}
		return nil
	case yaml.MappingNode:
	default:
		return c.errorAt(from, "map merge requires map or sequence of maps as the value")
	}
	for i := 0; i+1 < len(from.Content); i += 2 {
		c.steps++
		k, v := from.Content[i], from.Content[i+1]
		if isMerge(k) {
			if err := again(v); err != nil {
				return err
			}
			continue
		}
		key, err := c.key(k)
		if err != nil {
			return err
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		if err := entry(key, k, v); err != nil {
			return err
		}
	}
	return nil
}

func isMerge(k *yaml.Node) bool {
	return k.Kind == yaml.ScalarNode && k.Value == "<<" && k.Tag == "!!merge"
}

// key returns the text of a mapping's key.
func (c *converter) key(k *yaml.Node) (string, error) {
	for k.Kind == yaml.AliasNode {
		k = k.Alias
	}
	if k.Kind != yaml.ScalarNode {
		return "", c.errorAt(k, "invalid map key")
	}
	kind, text := resolve(k)
	if kind == nullScalar {
		return "", c.errorAt(k, "unsupported map key of type: null")
	}
	return text, nil
}

func (c *converter) scalar(n *yaml.Node) error {
	c.mark(n)
	kind, text := resolve(n)
	switch kind {
	case nullScalar:
		c.out = append(c.out, "null"...)
	case booleanScalar, numberScalar:
		c.out = append(c.out, text...)
	case infiniteScalar:
		return c.errorAt(n, "unsupported value: "+n.Value)
	case wrongScalar:
		return c.errorAt(n, "cannot decode `"+n.Value+"` as a "+n.Tag)
	case binaryScalar:
		data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			return c.errorAt(n, "!!binary value contains invalid base64 data")
		}
		text = string(data)
		fallthrough
	default:
		c.out = appendString(c.out, text)
	}
	return nil
}

func (c *converter) mark(n *yaml.Node) {
	c.marks = append(c.marks, mark{int32(len(c.out)), int32(c.base + n.Line), int32(n.Column)})
}

func (c *converter) errorAt(n *yaml.Node, message string) *Error {
	return yamlError(c.base+n.Line, n.Column, message)
}

// appendString appends s as a JSON string.
func appendString(out []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f || s[i] == '"' || s[i] == '\\' {
			quoted, _ := json.Marshal(s) // strings always marshal
			return append(out, quoted...)
		}
	}
	return append(append(append(out, '"'), s...), '"')
}
