package codec_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terrarium/core/kinds/all"
	"terrarium/core/kinds/codec"
)

func TestDocuments(t *testing.T) {
	tests := []struct {
		name, data string
		want       []string // line: text
		error      string
	}{
		{"empty", "", nil, ""},
		{"only comments", "# a\n---\n\n# b\n", nil, ""},
		{"one", "a: 1\n", []string{"1: a: 1\n"}, ""},
		{"several", "---\na: 1\n--- # two\n\nb: 2\n---\n---\nc: |\n  ---\n", []string{"2: a: 1\n", "4: \nb: 2\n", "8: c: |\n  ---\n"}, ""},
		{"without newline at the end", "a: 1\n---\nb: 2", []string{"1: a: 1\n", "3: b: 2"}, ""},
		{"carriage returns", "a: 1\r\n---\r\nb: 2\r\n", []string{"1: a: 1\r\n", "3: b: 2\r\n"}, ""},
		{"dots and directives", "%YAML 1.1\n---\na: 1\n...\nb: 2\n", []string{"3: a: 1\n", "5: b: 2\n"}, ""},
		{"byte order mark", "\xef\xbb\xbfa: 1\n", []string{"1: a: 1\n"}, ""},
		{"JSON", "{\"a\": 1}\n\n{\"b\":\n 2}{}", []string{"1: {\"a\": 1}", "3: {\"b\":\n 2}", "4: {}"}, ""},
		{"JSON, then not", "{\"a\": 1} x", []string{"1: {\"a\": 1} x"}, ""},
		{"text after the separator", "a: 1\n--- b\n", nil, "invalid Yaml document separator: b"},
		{"four dashes", "a: 1\n----\n", nil, "invalid Yaml document separator: -"},
		{"binary", "a: 1\n\x01", nil, "error converting YAML to JSON: yaml: line 2: control characters are not allowed"},
		{"too large", strings.Repeat("a: 1\n---\n", 600_000), nil, "Request entity too large: limit is 4194304"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			docs, err := codec.Documents([]byte(tt.data))
			var got []string
			for _, d := range docs {
				got = append(got, fmt.Sprintf("%d: %s", d.Line, d.Raw))
			}
			text := ""
			if err != nil {
				text = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || text != tt.error {
				t.Errorf("error %q, want %q; documents (-want +got):\n%s", text, tt.error, diff)
			}
		})
	}
}

func TestDocumentLines(t *testing.T) {
	c := codec.New(all.Registry())
	data := "# first\napiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Pod\nspex: 1\n---\na: [\n---\n" +
		"{\"apiVersion\":\"v1\",\n\"kind\":\"Pod\",\n\"x\":1}\n"
	docs, err := codec.Documents([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range docs {
		_, _, found, err := c.DecodeDocument(d, nil, true)
		for _, f := range found {
			got = append(got, fmt.Sprintf("%d:%d %s %v", f.Line, f.Column, f.Message, err))
		}
	}
	want := []string{
		`7:1 unknown field "spex" <nil>`,
		`9:1 yaml: did not find expected node content error converting YAML to JSON: yaml: line 9: did not find expected node content`,
		`13:1 unknown field "x" <nil>`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestItems(t *testing.T) {
	c := codec.New(all.Registry())
	for name, data := range map[string]string{
		"YAML": "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n- apiVersion: apps/v1\n  kind: Deployment\n  spec:\n    foo: 1\n",
		"JSON": "{\"apiVersion\":\"v1\",\"kind\":\"List\",\n\"items\":[\n\n{\"apiVersion\":\"v1\",\"kind\":\"Pod\"},\n\n\n{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\n\"spec\":\n    {\"foo\":1}}]}",
	} {
		docs, err := codec.Documents([]byte(data))
		if err != nil || len(docs) != 1 {
			t.Fatal(docs, err)
		}
		items, err := docs[0].Items()
		if err != nil || len(items) != 2 {
			t.Fatalf("%s: items %v, %v", name, items, err)
		}
		_, first, _, err := c.DecodeDocument(items[0], nil, true)
		if err != nil || first.Kind != "Pod" {
			t.Errorf("%s: %v, %v", name, first, err)
		}
		_, second, found, err := c.DecodeDocument(items[1], nil, true)
		if err != nil || second.Kind != "Deployment" {
			t.Errorf("%s: %v, %v", name, second, err)
		}
		if len(found) != 1 || found[0].Line != 9 || found[0].Path != "spec.foo" {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// Whatever comes in is refused fast, with words.
func TestHostile(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	merges := "a: &a {k: v}\n"
	for c := 'b'; c < 'p'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 9))
		merges += fmt.Sprintf("%c: &%c {<<: [%s]}\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 9))
	}
	big := strings.Repeat("x", 1<<20)
	tests := []struct{ name, data, error string }{
		{"5 MB", "a: " + strings.Repeat("x", 5_000_000), "limit is 3145728"},
		{"3 MB of short values", strings.Repeat("a,", 1_500_000), "too many values"},
		{"deep flow", strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), "max depth"},
		{"deep flow, open", strings.Repeat("[", 10_000), "max depth"},
		{"deeper flow", strings.Repeat("{a: ", 50_000), "max depth"},
		{"deep block", strings.Repeat("- ", 10_000) + "a", "max depth"},
		{"deep mapping", nested(1500), "max depth"},
		{"deep JSON", `{"apiVersion":"v1","kind":"Pod","spec":` + strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_001), "max depth"},
		{"alias bomb", bomb, "excessive aliasing"},
		{"merge bomb", merges, "excessive aliasing"},
		{"self", "a: &a [*a]\n", "value contains itself"},
		{"self by merge", "a: &a {<<: *a}\n", "value contains itself"},
		{"big alias", "a: &a \"" + big + "\"\nb: [" + strings.Repeat("*a,", 100) + "]\n", "excessive aliasing"},
		{"binary", "\x7fELF\x00\x01", "control characters"},
		{"UTF-16", "\xff\xfea\x00", "UTF-8"},
		{"quotes", strings.Repeat(`"`, 100_000), "Kind' is missing"},
		{"colons", strings.Repeat("a: ", 80_000), "yaml: "},
		{"question marks", strings.Repeat("? ", 9_000), "yaml: "},
		{"comments", strings.Repeat("#\n", 100_000) + "a: b: c", "yaml: "},
		{"anchors", strings.Repeat("&a ", 50_000), "Kind' is missing"},
		{"keys that are maps", "? {a: b}\n: c\n", "invalid map key"},
		{"null key", "~: c\n", "unsupported map key"},
	}
	c := codec.New(all.Registry())
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			_, _, _, err := c.Decode([]byte(tt.data), nil, true)
			if took := time.Since(start); took > 15*time.Second {
				t.Errorf("took %v", took)
			}
			if err == nil || !strings.Contains(err.Error(), tt.error) {
				t.Errorf("got %.200v, want %s", err, tt.error)
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
		})
	}
}

func nested(n int) string {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}
