// Package dom builds HTML as strings in which no text can act as markup.
//
// It promises: an HTML value is well-escaped. Markup comes only from constants of the program (type lit
// has no name outside this package, so a variable cannot become one); everything else goes through Text
// or Attr, which escape.
package dom

// HTML is markup made by a Builder. The zero value is empty.
type HTML struct{ s string }

// String returns the markup, for innerHTML and its like.
func (h HTML) String() string { return h.s }

// lit is markup written in the source: an untyped constant converts to it by itself.
type lit string

// A Builder puts markup together. The zero value is ready; it can be used again after Reset.
//
// Its methods are not inlined: they are called in hundreds of places, and the page must be small.
type Builder struct{ buf []byte }

// Reset empties the builder and keeps its memory.
func (b *Builder) Reset() { b.buf = b.buf[:0] }

// Len returns the number of bytes built so far.
func (b *Builder) Len() int { return len(b.buf) }

// HTML returns what was built.
func (b *Builder) HTML() HTML { return HTML{string(b.buf)} }

// Lit adds constant markup.
//
//go:noinline
func (b *Builder) Lit(s lit) { b.buf = append(b.buf, s...) }

// Add adds markup that a Builder made.
func (b *Builder) Add(h HTML) { b.buf = append(b.buf, h.s...) }

// Text adds s as text.
//
//go:noinline
func (b *Builder) Text(s string) { b.buf = appendEscaped(b.buf, s) }

// Int adds a number.
//
//go:noinline
func (b *Builder) Int(n int64) { b.buf = appendInt(b.buf, n) }

// Attr adds an attribute with a value: a space, name="value".
//
//go:noinline
func (b *Builder) Attr(name lit, value string) {
	b.open(name)
	b.buf = append(appendEscaped(b.buf, value), '"')
}

// IntAttr adds an attribute with a number.
//
//go:noinline
func (b *Builder) IntAttr(name lit, value int64) {
	b.open(name)
	b.buf = append(appendInt(b.buf, value), '"')
}

// Flag adds an attribute without a value if on is true.
//
//go:noinline
func (b *Builder) Flag(name lit, on bool) {
	if on {
		b.buf = append(append(b.buf, ' '), name...)
	}
}

func (b *Builder) open(name lit) {
	b.buf = append(append(append(b.buf, ' '), name...), '=', '"')
}

// appendEscaped escapes for text and for quoted attributes alike. Bytes that no HTML parser keeps (NUL)
// become the replacement character.
func appendEscaped(buf []byte, s string) []byte {
	done := 0
	for i := 0; i < len(s); i++ {
		var esc string
		switch s[i] {
		case '&':
			esc = "&amp;"
		case '<':
			esc = "&lt;"
		case '>':
			esc = "&gt;"
		case '"':
			esc = "&#34;"
		case '\'':
			esc = "&#39;"
		case 0:
			esc = "\uFFFD"
		default:
			continue
		}
		buf = append(append(buf, s[done:i]...), esc...)
		done = i + 1
	}
	return append(buf, s[done:]...)
}

func appendInt(buf []byte, n int64) []byte {
	if n < 0 {
		buf = append(buf, '-')
		n = -n
	}
	var digits [20]byte
	i := len(digits)
	for u := uint64(n); ; u /= 10 {
		i--
		digits[i] = byte('0' + u%10)
		if u < 10 {
			return append(buf, digits[i:]...)
		}
	}
}
