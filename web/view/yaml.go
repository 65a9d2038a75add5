package view

import (
	"strings"

	"terrarium/web/dom"
)

// YAML draws a document with its keys, texts and numbers told apart. It knows as much YAML as Kubernetes
// objects are printed with; anything else comes out as plain text.
func YAML(b *dom.Builder, doc string) {
	block := -1 // indent of the key whose block scalar runs; -1 outside of one
	for len(doc) > 0 {
		line, rest, _ := strings.Cut(doc, "\n")
		doc = rest
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if block >= 0 && (indent > block || strings.TrimSpace(line) == "") {
			span(b, "y-s", line)
			b.Lit("\n")
			continue
		}
		block = -1
		if yamlLine(b, line) {
			block = indent
		}
		b.Lit("\n")
	}
}

// yamlLine draws one line and reports whether a block scalar begins after it.
func yamlLine(b *dom.Builder, line string) bool {
	body := strings.TrimLeft(line, " -")
	b.Text(line[:len(line)-len(body)])
	key, value, ok := cutKey(body)
	if !ok {
		scalar(b, body)
		return false
	}
	span(b, "y-k", key)
	b.Lit(`:`)
	trimmed := strings.TrimLeft(value, " ")
	b.Text(value[:len(value)-len(trimmed)])
	scalar(b, trimmed)
	return trimmed != "" && (trimmed[0] == '|' || trimmed[0] == '>')
}

// cutKey splits "key: value" or "key:".
func cutKey(s string) (key, value string, ok bool) {
	if s == "" || s[0] == '"' || s[0] == '\'' || s[0] == '{' || s[0] == '#' {
		return "", "", false
	}
	i := strings.Index(s, ": ")
	if i < 0 {
		if !strings.HasSuffix(s, ":") {
			return "", "", false
		}
		i = len(s) - 1
	}
	return s[:i], s[i+1:], true
}

func scalar(b *dom.Builder, s string) {
	switch {
	case s == "":
	case s[0] == '#':
		span(b, "y-c", s)
	case s == "true" || s == "false" || s == "null" || isNumber(s):
		span(b, "y-n", s)
	default:
		span(b, "y-s", s)
	}
}

func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if s == "" || strings.Count(s, ".") > 1 { // 10.244.0.2 is an address
		return false
	}
	for i := 0; i < len(s); i++ {
		if (s[i] < '0' || s[i] > '9') && s[i] != '.' {
			return false
		}
	}
	return true
}

func span(b *dom.Builder, class, s string) {
	b.Lit(`<span`)
	b.Attr("class", class)
	b.Lit(`>`)
	b.Text(s)
	b.Lit(`</span>`)
}
