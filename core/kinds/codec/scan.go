package codec

import (
	"encoding/json"
	"strconv"
)

// A scanner walks over JSON text that is known to be valid. On other text it goes nowhere useful, but ends
// and stays in bounds.
type scanner struct {
	data []byte
	pos  int
}

// next skips white space, commas and colons and returns the byte that a value, key or end starts with.
func (s *scanner) next() byte {
	for ; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// space skips white space and returns the byte after it.
func (s *scanner) space() byte {
	for ; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// text skips a string or another scalar and returns it raw, with its quotes.
func (s *scanner) text() []byte {
	start := s.pos
	if s.pos < len(s.data) && s.data[s.pos] == '"' {
		for s.pos++; s.pos < len(s.data) && s.data[s.pos] != '"'; s.pos++ {
			if s.data[s.pos] == '\\' {
				s.pos++
			}
		}
		s.pos = min(s.pos+1, len(s.data))
		return s.data[start:s.pos]
	}
	for ; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r', ',', ':', '{', '}', '[', ']', '"':
			return s.data[start:s.pos]
		}
	}
	return s.data[start:]
}

// skip skips a whole value.
func (s *scanner) skip() {
	for depth := 0; ; {
		switch s.next() {
		case 0:
			return
		case '{', '[':
			depth++
			s.pos++
		case '}', ']':
			depth--
			s.pos++
		default:
			s.text()
		}
		if depth <= 0 {
			return
		}
	}
}

// members calls visit for every member of the object that data is, with the offset and the text of its
// value, until visit returns false. It reports whether data is an object.
func members(data []byte, visit func(key []byte, value int, raw []byte) bool) bool {
	s := scanner{data: data}
	if s.next() != '{' {
		return false
	}
	s.pos++
	for {
		if c := s.next(); c != '"' {
			return true
		}
		key := s.text()
		s.next()
		start := s.pos
		s.skip()
		if !visit([]byte(unquote(key)), start, data[start:s.pos]) {
			return true
		}
	}
}

// A place is a member or an element found by walk.
type place struct {
	path  []byte // valid during the call
	key   int    // offset of the member's key, or -1
	value int    // offset of the value
}

// walk visits every member and element of data in the order of the text, parents first. It goes on while
// visit returns true.
func walk(data []byte, visit func(place) bool) {
	w := walker{scanner: scanner{data: data}, visit: visit}
	w.next()
	w.value()
}

type walker struct {
	scanner
	path  []byte
	visit func(place) bool
	done  bool
}

func (w *walker) value() {
	if w.done || w.pos >= len(w.data) {
		return
	}
	switch w.data[w.pos] {
	case '{':
		w.pos++
		for w.next() == '"' && !w.done {
			at := place{key: w.pos}
			key := unquote(w.text())
			w.next()
			sep := "."
			if len(w.path) == 0 {
				sep = ""
			}
			w.child(at, sep, key, "")
		}
		w.pos++
	case '[':
		w.pos++
		for i := 0; !w.done; i++ {
			if c := w.next(); c == ']' || c == 0 {
				break
			}
			w.child(place{key: -1}, "[", strconv.Itoa(i), "]")
		}
		w.pos++
	case '}', ']':
		w.pos++ // not valid JSON; go on
	default:
		w.text()
	}
}

func (w *walker) child(at place, open, name, end string) {
	n := len(w.path)
	w.path = append(append(append(w.path, open...), name...), end...)
	at.path, at.value = w.path, w.pos
	if !w.visit(at) {
		w.done = true
		return
	}
	w.value()
	w.path = w.path[:n]
}

// unquote returns the text of a raw JSON string.
func unquote(raw []byte) string {
	if len(raw) < 2 {
		return ""
	}
	for _, c := range raw {
		if c == '\\' {
			var s string
			if json.Unmarshal(raw, &s) != nil {
				return string(raw)
			}
			return s
		}
	}
	return string(raw[1 : len(raw)-1])
}

// typeName says what a raw JSON value is, as encoding/json does.
func typeName(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}
