package codec

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// A Document is one of the documents of a file.
type Document struct {
	Line int    // of the file, from 1, on which Raw begins
	Raw  []byte // YAML or JSON; shares memory with the file
	JSON bool   // Raw is known to be well-formed JSON

	parsed *source // set for the items of a list, whose lines are not those of Raw
}

// Documents splits a file into its documents: YAML documents between lines of ---, or JSON objects one
// after the other. Documents with nothing but white space and comments are left out.
//
// Whether the documents are well-formed is for DecodeDocument to say; the error here is about the file as a
// whole (too large, not text, a line that only looks like a separator) and then there are no documents.
func Documents(data []byte) ([]Document, error) {
	if len(data) > MaxInput {
		message := fmt.Sprintf("Request entity too large: limit is %d", MaxInput)
		return nil, &Error{FieldError{Line: 1, Column: 1, Message: message}, message}
	}
	if err := checkText(data, 1); err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if docs := jsonDocuments(data); docs != nil {
		return docs, nil
	}
	return yamlDocuments(data)
}

// jsonDocuments returns the JSON objects that data consists of, or nil when it is anything else.
func jsonDocuments(data []byte) []Document {
	var docs []Document
	s := scanner{data: data}
	line, counted := 1, 0
	for s.space() == '{' {
		start := s.pos
		s.skip()
		if !validJSON(data[start:s.pos]) {
			return nil
		}
		line += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		docs = append(docs, Document{Line: line, Raw: data[start:s.pos], JSON: true})
	}
	if s.pos < len(data) {
		return nil
	}
	return docs
}

// Models apimachinery pkg/util/yaml YAMLReader. Differs: a line of ... ends a document too; upstream ignores
// what follows it.
func yamlDocuments(data []byte) ([]Document, error) {
	var docs []Document
	doc := Document{Line: 1}
	start, line := 0, 1
	end := func(at, next, nextLine int) {
		doc.Raw = data[start:at]
		if !blank(doc.Raw) {
			docs = append(docs, doc)
		}
		start, doc.Line = next, nextLine
	}
	for pos := 0; pos < len(data); line++ {
		next := len(data)
		if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
			next = pos + i + 1
		}
		text := data[pos:next]
		switch {
		case bytes.HasPrefix(text, []byte("---")):
			rest := bytes.TrimSpace(text[3:])
			if len(rest) > 0 && rest[0] != '#' {
				message := "invalid Yaml document separator: " + string(rest[:min(len(rest), 80)])
				return nil, &Error{FieldError{Line: line, Column: 1, Message: message}, message}
			}
			end(pos, next, line+1)
		case string(bytes.TrimRight(text, " \t\r\n")) == "...":
			end(pos, next, line+1)
		}
		pos = next
	}
	end(len(data), len(data), line)
	return docs, nil
}

// blank reports whether YAML has nothing but white space, comments and directives.
func blank(data []byte) bool {
	for len(data) > 0 {
		text, rest, _ := bytes.Cut(data, []byte("\n"))
		if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] != '#' && text[0] != '%' {
			return false
		}
		data = rest
	}
	return true
}

// checkText returns an error at the first byte that is not UTF-8 or is a control character. line is the
// number of the first line.
func checkText(data []byte, line int) error {
	lineStart := 0
	for i := 0; i < len(data); {
		c := data[i]
		size, message := 1, ""
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(data[i:])
			if size = n; r == utf8.RuneError && n == 1 {
				message = "invalid leading UTF-8 octet"
			}
		case c == '\n':
			line++
			lineStart = i + 1
		case c < ' ' && c != '\t' && c != '\r', c == 0x7f:
			message = "control characters are not allowed"
		}
		if message != "" {
			return yamlError(line, 1+utf8.RuneCount(data[lineStart:i]), message)
		}
		i += size
	}
	return nil
}
