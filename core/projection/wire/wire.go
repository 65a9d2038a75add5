// Package wire is the binary form of what the worker tells the page: frames of the board, and what the
// inspector shows of one object. Worker and page share it, so it imports nothing.
//
// It promises: what an Encoder wrote, the Decoder of the same stream reads back equal, frame after frame
// in the order they were made; any other bytes give an error, never a panic and never more memory than a
// small multiple of their length.
//
// A Frame says only what changed since the one before. Words that repeat (phases, namespaces, reasons)
// travel once: encoder and decoder number them alike as they come by.
package wire

// Version is the first byte of every message.
const Version = 1

// maxWords bounds the words an Encoder remembers; then both sides start over.
const maxWords = 4096

// An Encoder writes the messages of one stream.
type Encoder struct {
	words map[string]uint64
	buf   []byte
}

// NewEncoder returns an encoder whose first message needs no earlier one.
func NewEncoder() *Encoder { return &Encoder{words: make(map[string]uint64)} }

// begin starts a message. Its second byte says whether the words start over.
func (e *Encoder) begin() {
	e.buf = append(make([]byte, 0, cap(e.buf)), Version)
	fresh := len(e.words) == 0 || len(e.words) > maxWords
	if fresh {
		clear(e.words)
	}
	e.bool(fresh)
}

func (e *Encoder) uint(v uint64) {
	for v >= 0x80 {
		e.buf = append(e.buf, byte(v)|0x80)
		v >>= 7
	}
	e.buf = append(e.buf, byte(v))
}

func (e *Encoder) int(v int64) { e.uint(uint64(v<<1) ^ uint64(v>>63)) }

func (e *Encoder) bool(v bool) {
	if v {
		e.buf = append(e.buf, 1)
	} else {
		e.buf = append(e.buf, 0)
	}
}

func (e *Encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// word writes a text that is likely to come again: 0 and the text the first time, its number later.
func (e *Encoder) word(s string) {
	if n, ok := e.words[s]; ok {
		e.uint(n)
		return
	}
	e.words[s] = uint64(len(e.words) + 1)
	e.uint(0)
	e.text(s)
}

// An Error says where a message could not be read.
type Error struct {
	Offset int
	Reason string
}

func (e *Error) Error() string { return "wire: " + e.Reason }

// A Decoder reads the messages of one stream, in order.
type Decoder struct {
	words []string
	data  []byte
	at    int
	err   *Error
}

// begin starts reading a message.
func (d *Decoder) begin(data []byte) {
	d.data, d.at, d.err = data, 0, nil
	if v := d.byte(); v != Version {
		d.fail("the worker speaks another version: reload the page")
	}
	if d.bool() {
		d.words = d.words[:0]
	}
}

// end reports the first error of the message.
func (d *Decoder) end() error {
	if d.err == nil && d.at != len(d.data) {
		d.fail("bytes left over")
	}
	if d.err != nil {
		return d.err
	}
	return nil
}

func (d *Decoder) fail(reason string) {
	if d.err == nil {
		d.err = &Error{d.at, reason}
	}
}

func (d *Decoder) byte() byte {
	if d.err != nil || d.at >= len(d.data) {
		d.fail("cut short")
		return 0
	}
	d.at++
	return d.data[d.at-1]
}

func (d *Decoder) bool() bool { return d.byte() != 0 }

func (d *Decoder) uint() uint64 {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		b := d.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	d.fail("number too long")
	return 0
}

func (d *Decoder) int() int64 {
	v := d.uint()
	return int64(v>>1) ^ -int64(v&1)
}

// count reads the length of a list whose items take at least one byte each.
func (d *Decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.data)-d.at) {
		d.fail("list longer than the message")
		return 0
	}
	return int(n)
}

func (d *Decoder) text() string {
	n := d.count()
	if d.err != nil {
		return ""
	}
	d.at += n
	return string(d.data[d.at-n : d.at])
}

func (d *Decoder) word() string {
	n := d.uint()
	if n == 0 {
		s := d.text()
		d.words = append(d.words, s)
		return s
	}
	if n > uint64(len(d.words)) {
		d.fail("unknown word")
		return ""
	}
	return d.words[n-1]
}

// encodeList writes the items of a list, each with write.
func encodeList[T any](e *Encoder, items []T, write func(*Encoder, *T)) {
	e.uint(uint64(len(items)))
	for i := range items {
		write(e, &items[i])
	}
}

// decodeList appends to into as many items as the message holds, each read with read.
func decodeList[T any](d *Decoder, into []T, read func(*Decoder, *T)) []T {
	for n := d.count(); n > 0 && d.err == nil; n-- {
		var item T
		read(d, &item)
		into = append(into, item)
	}
	return into
}
