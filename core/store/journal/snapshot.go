package journal

import "terrarium/core/kinds"

// A builder encodes a snapshot of the state at one revision, some objects at a time, while the cluster
// goes on: the store still knows that state. Records written meanwhile follow it in the same blob.
//
//	records:   ... (3,5] | (5,6] (6,9]
//	built:     snapshot at 5, (5,6] (6,9]    Replace swaps one for the other
type builder struct {
	at        kinds.Revision
	resources []string  // still to encode, the first of them from behind after
	after     kinds.Key // the last one encoded
	enc       encoder
	tail      []byte // the records written since
	done      bool
}

// recorded is called when the record of w has become durable.
func (j *Journal) recorded(w *write) {
	j.records++
	j.logged += w.size
	if j.building != nil {
		j.building.tail = append(j.building.tail, w.record...)
		return
	}
	if j.snapshotDue() {
		b := &builder{at: w.to.rev, resources: j.store.Resources()}
		b.enc.begin(j.layout.version(), kindSnapshot, 0, w.to.rev, w.extras)
		b.enc.average = j.enc.average
		b.enc.expect(j.store.Len())
		j.building = b
	}
}

// snapshotDue reports whether there is too much behind the last snapshot. To read a record costs as much as
// some objects of a snapshot, however small it is. A busy cluster has other things to do, up to a point.
func (j *Journal) snapshotDue() bool {
	most := max(j.cfg.SnapshotMin, j.cfg.SnapshotFactor*j.snapshot)
	if j.busy {
		most *= busyFactor
	}
	return j.logged > most || j.records > max(256, j.store.Len()/16)
}

// busyFactor is how much more is left behind the last snapshot while the cluster is busy.
const busyFactor = 4

// stepSnapshot encodes the next objects of a snapshot that is being built, and writes it once it is complete
// and nothing else is on its way.
func (j *Journal) stepSnapshot() {
	if b := j.building; b != nil && !b.done {
		j.buildSnapshot(b)
	}
	if b := j.building; b != nil && b.done && j.writing == nil && j.pending == nil {
		j.replaceWithBuilt()
	}
}

func (j *Journal) buildSnapshot(b *builder) {
	left := j.cfg.Step
	for ; len(b.resources) > 0; b.resources, b.after = b.resources[1:], (kinds.Key{}) {
		objs, err := j.store.ScanAt(b.resources[0], "", b.at, b.after)
		if err != nil {
			j.building = nil // compacted meanwhile: the records say it all, and the next one begins a new snapshot
			return
		}
		for key, obj := range objs {
			if left == 0 {
				return
			}
			left--
			if err := j.encodeObject(&b.enc, key, obj); err != nil {
				j.building = nil // it was encoded before; the next record that fails will say so
				return
			}
			b.after = key
		}
	}
	b.done = true
}

// replaceWithBuilt writes the snapshot that has been built.
func (j *Journal) replaceWithBuilt() {
	b := j.building
	j.building = nil
	j.replace(&write{to: j.durable}, append(b.enc.finish(), b.tail...))
}

// replaceAll writes a snapshot of the newest state in one go.
func (j *Journal) replaceAll() {
	w := j.take()
	e := encoder{average: j.enc.average}
	e.begin(j.layout.version(), kindSnapshot, 0, w.to.rev, w.extras)
	e.expect(j.store.Len())
	for key, obj := range j.store.All() {
		if err := j.encodeObject(&e, key, obj); err != nil {
			j.fail(w, err)
			return
		}
	}
	j.replace(w, e.finish())
}

func (j *Journal) replace(w *write, blob []byte) {
	w.size = len(blob)
	j.writing = w
	j.backend.Replace(blob, func(err error) { j.finish(w, err) })
}
