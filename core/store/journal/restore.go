package journal

import "terrarium/core/kinds"

// Restore fills the empty store with what is kept and calls done, at once or when the backend has
// answered; found is false when nothing is kept. After an error (ErrCorrupt, ErrNewer, a CodecError or
// the backend's) the store is empty, and the journal never writes, so that what is kept stays as it is.
func (j *Journal) Restore(done func(found bool, err error)) {
	if j.phase != unopened || j.store.Revision() != 0 {
		panic("BUG: restore into a store that is in use")
	}
	j.backend.Load(func(snapshot []byte, records [][]byte, err error) {
		if j.phase == detached {
			done(false, ErrClosed)
			return
		}
		var im *image
		if err == nil {
			im, err = j.restore(snapshot, records)
		}
		if err != nil {
			j.phase, j.failed = detached, err
			j.refuse(err)
			done(false, err)
			return
		}
		j.phase = open
		j.tidy(im)
		done(im.rev > 0, nil)
	})
}

func (j *Journal) restore(snapshot []byte, records [][]byte) (*image, error) {
	im := newImage(j.layout)
	if err := im.read(snapshot, true); err != nil {
		return nil, err
	}
	for _, r := range records {
		if err := im.read(r, false); err != nil {
			return nil, err
		}
	}
	objs, err := im.objects(j.codec)
	if err != nil {
		return nil, err
	}
	if im.rev > 0 {
		j.store.Load(im.rev, func(yield func(kinds.Key, kinds.Object) bool) {
			for _, o := range objs {
				if !yield(o.key, o.obj) {
					return
				}
			}
		})
	}
	j.snapshot, j.logged, j.records = im.snapshot, im.bytes-im.snapshot, im.frames
	j.begun.rev, j.durable.rev = im.rev, im.rev
	j.restored, j.dropped = im.extras, im.dropped
	return im, nil
}

// tidy replaces what was read by one snapshot where new records could not follow it (a broken end, an old
// format) or where a snapshot is due. Nothing is encoded anew.
func (j *Journal) tidy(im *image) {
	if im.dropped == 0 && !im.old && !j.snapshotDue() {
		return
	}
	j.mustReplace = im.dropped > 0
	j.replace(&write{to: j.durable}, im.encode())
}

// Extras returns what Config.Extras had returned for the record restored from; nil if none was.
func (j *Journal) Extras() map[string][]byte { return j.restored }

// Dropped returns how many bytes Restore left out because they were broken or did not follow: the end
// of a write that a crash cut short, which was never acknowledged, or damage.
func (j *Journal) Dropped() int { return j.dropped }
