package codec

import (
	"strings"
)

// AsJSON returns the document as JSON. The caller must not change it.
func (d Document) AsJSON() ([]byte, error) {
	src, err := d.source()
	if err != nil {
		return nil, err
	}
	return src.json, nil
}

// Locate returns where in the file a field is, by its path as kube-apiserver writes it
// ("spec.containers[0].image", "metadata.labels[app]"). For a field that is not there it is where the
// nearest field around it is.
func (d Document) Locate(path string) (line, column int) {
	src, err := d.source()
	if err != nil {
		return d.Line, 1
	}
	path = keysAsMembers(path)
	best, offset := 0, 0
	walk(src.json, func(at place) bool {
		n := len(at.path)
		if n <= best || n > len(path) || path[:n] != string(at.path) || (n < len(path) && path[n] != '.' && path[n] != '[') {
			return true
		}
		best, offset = n, at.value
		if at.key >= 0 {
			offset = at.key
		}
		return n < len(path)
	})
	return src.position(offset)
}

// keysAsMembers writes the keys of maps as walk does: labels[app] becomes labels.app.
func keysAsMembers(path string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(path, '[')
		if open < 0 {
			break
		}
		end := strings.IndexByte(path[open:], ']')
		if end < 0 {
			break
		}
		key := path[open+1 : open+end]
		b.WriteString(path[:open])
		if strings.Trim(key, "0123456789") == "" && key != "" {
			b.WriteString("[" + key + "]")
		} else {
			b.WriteString("." + key)
		}
		path = path[open+end+1:]
	}
	return b.String() + path
}
