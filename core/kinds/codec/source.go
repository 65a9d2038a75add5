package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"
)

// A source is a document as JSON that still knows where in the file everything was.
type source struct {
	json  []byte
	marks []mark // by offset; nil when json is the text itself
	line  int    // on which the text begins, when there are no marks
}

// A mark says that what begins at offset of the JSON was at line and column of the file.
type mark struct{ offset, line, column int32 }

// source parses the document.
func (d Document) source() (*source, error) {
	if d.parsed != nil {
		return d.parsed, nil
	}
	if len(d.Raw) > MaxDocument {
		message := fmt.Sprintf("Request entity too large: limit is %d", MaxDocument)
		return nil, &Error{FieldError{Line: d.Line, Column: 1, Message: message}, message}
	}
	if d.JSON {
		return &source{json: d.Raw, line: d.Line}, nil
	}
	raw := bytes.TrimPrefix(d.Raw, []byte("\xef\xbb\xbf"))
	s := scanner{data: raw}
	src := &source{json: raw, line: d.Line}
	var jsonErr error
	isJSON := s.space() == '{'
	if isJSON && utf8.Valid(raw) {
		if jsonErr = checkJSON(raw); jsonErr == nil {
			return src, nil // where DEL may be, unlike in YAML
		}
	}
	if err := checkText(d.Raw, d.Line); err != nil {
		return nil, err
	}
	if !isJSON {
		return fromYAML(raw, d.Line)
	}
	s.pos++
	if first := s.space(); first != '"' && first != '}' {
		return fromYAML(raw, d.Line) // {a: b}
	}
	if s, err := fromYAML(raw, d.Line); err == nil {
		return s, nil // {"a": b}
	}
	_, offset := kjson.SyntaxErrorOffset(jsonErr)
	return nil, src.errorAt(max(0, int(offset)-1), "", "couldn't get version/kind; json parse error: "+jsonErr.Error())
}

// position returns the line and column of an offset of the JSON.
func (s *source) position(offset int) (line, column int) {
	if s.marks == nil {
		before := s.json[:min(offset, len(s.json))]
		start := bytes.LastIndexByte(before, '\n') + 1
		return s.line + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
	}
	i := sort.Search(len(s.marks), func(i int) bool { return int(s.marks[i].offset) > offset })
	if i == 0 {
		return s.line, 1
	}
	m := s.marks[i-1]
	return int(m.line), int(m.column)
}

func (s *source) errorAt(offset int, path, message string) *Error {
	e := &Error{FieldError{Path: path, Message: message}, message}
	e.Line, e.Column = s.position(offset)
	return e
}

// excerpt is the beginning of the JSON, for messages.
func (s *source) excerpt() string {
	const most = 512
	if len(s.json) <= most {
		return string(s.json)
	}
	return string(s.json[:most]) + "..."
}

// checkJSON returns the syntax error of data, if it has one. Unlike json.Valid it says where.
func checkJSON(data []byte) error {
	if json.Valid(data) {
		return nil
	}
	var ignored json.RawMessage
	return json.Unmarshal(data, &ignored)
}

func validJSON(data []byte) bool { return json.Valid(data) }

// Items returns the members of the document's items when it is a list (apiVersion: v1, kind: List, as
// kubectl prints several objects), and otherwise the document itself.
func (d Document) Items() ([]Document, error) {
	src, err := d.source()
	if err != nil {
		return nil, err
	}
	meta, err := typeMeta(src)
	if err != nil || meta.kind.text != "List" || meta.apiVersion.text != "v1" {
		d.parsed = src
		return []Document{d}, nil
	}
	var items []Document
	walk(src.json, func(at place) bool {
		if at.key < 0 && string(at.path) == fmt.Sprintf("items[%d]", len(items)) {
			s := scanner{data: src.json, pos: at.value}
			s.skip()
			items = append(items, src.part(at.value, s.pos))
		}
		return true
	})
	return items, nil
}

// part returns the value between two offsets of the JSON as a document of its own.
func (s *source) part(start, end int) Document {
	line, _ := s.position(start)
	p := &source{json: s.json[start:end], line: line}
	if s.marks != nil {
		from := sort.Search(len(s.marks), func(i int) bool { return int(s.marks[i].offset) >= start })
		to := sort.Search(len(s.marks), func(i int) bool { return int(s.marks[i].offset) >= end })
		p.marks = make([]mark, 0, to-from)
		for _, m := range s.marks[from:to] {
			p.marks = append(p.marks, mark{m.offset - int32(start), m.line, m.column})
		}
	}
	return Document{Line: line, Raw: p.json, JSON: true, parsed: p}
}
