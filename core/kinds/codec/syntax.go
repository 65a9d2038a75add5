package codec

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseYAML returns the nodes of one document.
func parseYAML(r io.Reader) (root *yaml.Node, err error) {
	defer func() {
		// The parser panics with a text of its own where input confuses it.
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	root = &yaml.Node{}
	err = yaml.NewDecoder(r).Decode(root)
	if err == io.EOF {
		err = nil
	}
	return root, err
}

// syntaxError returns what the YAML parser found wrong, with the line on which it is. The parser names the
// line on which the surrounding mapping begins, or none; then the line is found by how far it read.
func syntaxError(data []byte, first int, err error) *Error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if number, text, ok := strings.Cut(rest, ": "); ok {
			line, _ = strconv.Atoi(number)
			message = text
		}
	}
	anchor, ok := strings.CutPrefix(message, "unknown anchor '")
	switch anchor, _, _ = strings.Cut(anchor, "'"); {
	case ok:
		line = 1 + bytes.Count(data[:max(0, bytes.Index(data, []byte("*"+anchor)))], []byte("\n"))
	case line > 0 && strings.HasPrefix(message, "did not find expected ',' or"):
		line++ // on which the bracket was opened; the parser forgets that it counts from 0
	case line == 0, strings.HasPrefix(message, "did not find expected"):
		line = failedLine(data)
	}
	return yamlError(first+line-1, 1+indent(data, line), message)
}

// failedLine returns the line on which the parser stops.
func failedLine(data []byte) int {
	const lookahead = 4 // bytes the parser may have read beyond what it looked at
	r := slowReader{data: data}
	parseYAML(&r) // the error is known
	end := max(0, r.pos-lookahead)
	for end < r.pos && (data[end] == '\n' || data[end] == ' ' || data[end] == '\r') {
		end++
	}
	if end == r.pos {
		end = len(bytes.TrimRight(data[:end], " \r\n"))
	}
	return 1 + bytes.Count(data[:end], []byte("\n"))
}

// indent returns how many spaces the numbered line of data begins with.
func indent(data []byte, line int) int {
	for ; line > 1; line-- {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return len(data) - len(bytes.TrimLeft(data, " "))
}

// A slowReader hands out single bytes, so that pos says how far its reader needed to read.
type slowReader struct {
	data []byte
	pos  int
}

func (r *slowReader) Read(p []byte) (int, error) {
	if r.pos >= len(r.data) || len(p) == 0 {
		return 0, io.EOF
	}
	p[0] = r.data[r.pos]
	r.pos++
	return 1, nil
}
