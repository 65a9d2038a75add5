package codec

// tooDeep returns where data nests deeper than a document may, or -1. The YAML parser calls itself for every
// level, which in a browser ends the program long before the parser's own limit, so this looks first. It
// counts what opens levels, so it may count brackets and dashes of texts too.
func tooDeep(data []byte) int {
	flow, line, indenting := 0, 0, true
	for i, c := range data {
		switch c {
		case '\n':
			line, indenting = 0, true
			continue
		case '[', '{':
			flow++
			indenting = false
		case ']', '}':
			flow = max(flow-1, 0)
			indenting = false
		case ' ':
			if indenting {
				line++
			}
		case '-', '?':
			if indenting {
				line++
			}
		default:
			indenting = false
		}
		if flow > maxDepth || (line > maxDepth && !indenting) {
			return i
		}
	}
	return -1
}
