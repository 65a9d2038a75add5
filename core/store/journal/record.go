package journal

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"

	"terrarium/core/kinds"
)

// A frame is what is kept of one record or snapshot:
//
//	"TRJ"  version:1  length:4  crc:4  payload:length
//
// Integers are little-endian; the CRC-32 (IEEE) covers version, length and payload. This outer form never
// changes. The payload of version 1, with uvarints and length-prefixed strings:
//
//	kind:1  from  to  extras{count (key value)*}  op*
//	op: 1 resource namespace name revision object | 2 resource namespace name
const (
	magic      = "TRJ"
	headerSize = 12
)

// The kinds of payload.
const (
	kindRecord   = 1 // from the state at revision from to the one at to
	kindSnapshot = 2 // the whole state at to
)

const (
	opPut    = 1
	opDelete = 2
)

// An op is the state of one key: an encoded object and its revision, or revision 0 for none.
type op struct {
	key  kinds.Key
	rev  kinds.Revision
	data []byte
}

// A record is a decoded payload. Its data share the payload's bytes.
type record struct {
	kind     byte
	from, to kinds.Revision
	extras   map[string][]byte
	ops      []op
}

// An encoder builds one frame.
type encoder struct {
	buf     []byte
	average int // bytes of an object in the frames so far, roughly
}

// expect makes room for that many objects: a frame of megabytes is not to grow by copying.
func (e *encoder) expect(objects int) { e.buf = slices.Grow(e.buf, objects*e.average*9/8) }

// begin starts a frame in place of what the encoder held; it keeps the memory.
func (e *encoder) begin(version, kind byte, from, to kinds.Revision, extras map[string][]byte) {
	e.buf = append(e.buf[:0], magic...)
	e.buf = append(e.buf, version, 0, 0, 0, 0, 0, 0, 0, 0, kind)
	e.uint(uint64(from))
	e.uint(uint64(to))
	names := make([]string, 0, len(extras))
	for name := range extras {
		names = append(names, name)
	}
	slices.Sort(names)
	e.uint(uint64(len(names)))
	for _, name := range names {
		e.string(name)
		e.bytes(extras[name])
	}
}

func (e *encoder) put(key kinds.Key, rev kinds.Revision, data []byte) {
	e.buf = append(e.buf, opPut)
	e.key(key)
	e.uint(uint64(rev))
	e.bytes(data)
	e.average += (len(key.Resource) + len(key.Namespace) + len(key.Name) + len(data) + 10 - e.average) / 16
}

func (e *encoder) delete(key kinds.Key) {
	e.buf = append(e.buf, opDelete)
	e.key(key)
}

func (e *encoder) key(key kinds.Key) {
	e.string(key.Resource)
	e.string(key.Namespace)
	e.string(key.Name)
}

func (e *encoder) uint(v uint64) { e.buf = binary.AppendUvarint(e.buf, v) }

func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *encoder) bytes(b []byte) {
	e.uint(uint64(len(b)))
	e.buf = append(e.buf, b...)
}

// finish returns the frame. It is the encoder's memory until begin is called again.
func (e *encoder) finish() []byte {
	binary.LittleEndian.PutUint32(e.buf[4:], uint32(len(e.buf)-headerSize))
	binary.LittleEndian.PutUint32(e.buf[8:], checksum(e.buf))
	return e.buf
}

func checksum(frame []byte) uint32 {
	sum := crc32.ChecksumIEEE(frame[3:8])
	return crc32.Update(sum, crc32.IEEETable, frame[headerSize:])
}

// errBroken is a frame that is cut short or not as it was written.
var errBroken = errors.New("broken record")

// split takes the first frame off data.
func split(data []byte) (version byte, payload, rest []byte, err error) {
	if len(data) < headerSize || string(data[:3]) != magic {
		return 0, nil, nil, errBroken
	}
	length := uint64(binary.LittleEndian.Uint32(data[4:]))
	if length > uint64(len(data)-headerSize) {
		return 0, nil, nil, errBroken
	}
	end := headerSize + int(length)
	if binary.LittleEndian.Uint32(data[8:]) != checksum(data[:end]) {
		return 0, nil, nil, errBroken
	}
	return data[3], data[headerSize:end], data[end:], nil
}

// beginsSnapshot reports whether data, though broken, begins as a snapshot does.
func beginsSnapshot(data []byte) bool {
	return len(data) > headerSize && string(data[:3]) == magic && data[headerSize] == kindSnapshot
}

// decode reads a payload of the current version.
func decode(payload []byte) (record, error) {
	d := decoder{rest: payload}
	r := record{kind: d.byte(), from: d.revision(), to: d.revision()}
	if n := d.uint(); n > 0 && n <= uint64(len(d.rest)) {
		r.extras = make(map[string][]byte, n)
		for range n {
			name := string(d.bytes())
			r.extras[name] = d.bytes()
		}
	} else if n > 0 {
		d.bad = true
	}
	for len(d.rest) > 0 && !d.bad {
		o := op{}
		tag := d.byte()
		o.key = d.key()
		switch tag {
		case opPut:
			o.rev, o.data = d.revision(), d.bytes()
			d.bad = d.bad || o.rev == 0 || o.rev > r.to
		case opDelete:
		default:
			d.bad = true
		}
		r.ops = append(r.ops, o)
	}
	if d.bad || r.from > r.to || r.kind != kindRecord && r.kind != kindSnapshot {
		return record{}, errBroken
	}
	return r, nil
}

// A decoder reads a payload; after something bad it reads zeros.
type decoder struct {
	rest []byte
	bad  bool
	last kinds.Key // of the key read before: the next one mostly shares its strings
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.bad = true
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) revision() kinds.Revision {
	v := d.uint()
	if v > 1<<62 {
		d.bad = true
		return 0
	}
	return kinds.Revision(v)
}

func (d *decoder) bytes() []byte {
	n := d.uint()
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return nil
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) key() kinds.Key {
	d.last = kinds.Key{
		Resource:  same(d.last.Resource, d.bytes()),
		Namespace: same(d.last.Namespace, d.bytes()),
		Name:      string(d.bytes()),
	}
	return d.last
}

// same returns b as a string, which is s if they are equal.
func same(s string, b []byte) string {
	if s == string(b) {
		return s
	}
	return string(b)
}
