package journal

import "terrarium/core/kinds"

// A layout is the versions of the payload that are known: upgrades[i] turns a payload of version i+1 into
// one of version i+2. The last version is the one written.
type layout struct {
	upgrades []func(payload []byte) ([]byte, error)
}

func (l layout) version() byte { return byte(1 + len(l.upgrades)) }

// decode reads a payload of any known version. Possible errors: ErrNewer, errBroken.
func (l layout) decode(version byte, payload []byte) (record, error) {
	if version > l.version() {
		return record{}, ErrNewer
	}
	if version == 0 {
		return record{}, errBroken
	}
	for _, upgrade := range l.upgrades[version-1:] {
		var err error
		if payload, err = upgrade(payload); err != nil {
			return record{}, err
		}
	}
	return decode(payload)
}

// An image is the state that frames add up to, still encoded.
type image struct {
	layout layout
	rev    kinds.Revision
	extras map[string][]byte
	ops    []op              // the last op of every key
	at     map[kinds.Key]int // where in ops

	frames   int  // read
	bytes    int  // of the frames that were read
	snapshot int  // bytes of the last snapshot among them
	dropped  int  // bytes not read: from the first frame that is broken or does not follow
	old      bool // a frame of an older version was read
}

func newImage(l layout) *image { return &image{layout: l, at: make(map[kinds.Key]int)} }

// read applies the frames in data until one is broken; after that nothing is applied any more.
// Possible errors: ErrNewer, ErrCorrupt.
func (im *image) read(data []byte, isSnapshot bool) error {
	for len(data) > 0 && im.dropped == 0 {
		version, payload, rest, err := split(data)
		var r record
		if err == nil {
			r, err = im.layout.decode(version, payload)
		}
		if err == ErrNewer {
			return err
		}
		if err != nil || !im.apply(r) {
			if im.frames == 0 && (err == nil || isSnapshot || beginsSnapshot(data)) {
				// This is not the end of a crash: a snapshot is written in one step, and a whole first record that
				// does not begin at nothing lacks the snapshot before it.
				return ErrCorrupt
			}
			break
		}
		im.frames++
		im.bytes += len(data) - len(rest)
		if r.kind == kindSnapshot {
			im.snapshot = len(data) - len(rest)
		}
		im.old = im.old || version != im.layout.version()
		data = rest
	}
	im.dropped += len(data)
	return nil
}

// apply reports false when r does not follow. One whose end is reached already is skipped.
func (im *image) apply(r record) bool {
	if r.kind == kindSnapshot {
		im.ops, im.at = im.ops[:0], make(map[kinds.Key]int, len(r.ops))
	} else if r.from > im.rev {
		return false
	} else if r.to < im.rev {
		return true
	}
	for _, o := range r.ops {
		i, ok := im.at[o.key]
		if !ok {
			i = len(im.ops)
			im.at[o.key] = i
			im.ops = append(im.ops, o)
		}
		im.ops[i] = o
	}
	im.rev, im.extras = r.to, r.extras
	return true
}

// An object is one decoded op.
type object struct {
	key kinds.Key
	obj kinds.Object
}

// objects decodes the live objects. Possible error: CodecError.
func (im *image) objects(codec Codec) ([]object, error) {
	out := make([]object, 0, len(im.ops))
	for _, o := range im.ops {
		if o.rev == 0 {
			continue
		}
		obj, err := codec.Decode(o.key.Resource, o.data)
		if err != nil {
			return nil, &CodecError{o.key, err}
		}
		obj.SetResourceVersion(format(o.rev))
		out = append(out, object{o.key, obj})
	}
	return out, nil
}

// encode returns the image as one snapshot.
func (im *image) encode() []byte {
	var e encoder
	e.buf = make([]byte, 0, im.bytes)
	e.begin(im.layout.version(), kindSnapshot, 0, im.rev, im.extras)
	for _, o := range im.ops {
		if o.rev != 0 {
			e.put(o.key, o.rev, o.data)
		}
	}
	return e.finish()
}
