package journal

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// FileConfig says how a File behaves; its zero value works.
type FileConfig struct {
	// SkipSync leaves it to the system when bytes reach the disk: a crash of the machine may lose
	// what was acknowledged, a crash of the program not. For throw-away clusters.
	SkipSync bool
}

// A File is a Backend that keeps everything in one file: a snapshot, if there was one, and the records
// since. Replace writes a new file and renames it over the old one. Calls are answered before they return.
type File struct {
	path string
	cfg  FileConfig
	f    *os.File
	size int64
	// broken is why Append cannot follow what is in the file; a Replace mends it.
	broken error
}

var _ Backend = (*File)(nil)

// OpenFile opens or makes the file at path. No second program may use it meanwhile: where the system has
// locks that is enforced.
func OpenFile(path string, cfg FileConfig) (*File, error) {
	b := &File{path: path, cfg: cfg}
	if err := b.open(os.O_CREATE); err != nil {
		return nil, err
	}
	if err := b.syncDir(); err != nil {
		b.f.Close()
		return nil, err
	}
	return b, nil
}

// open makes the file at path the one written to.
func (b *File) open(flag int) error {
	f, err := os.OpenFile(b.path, os.O_RDWR|flag, 0o600)
	if err != nil {
		return err
	}
	if err := lock(f); err != nil {
		f.Close()
		return &os.PathError{Op: "lock", Path: b.path, Err: err}
	}
	if b.size, err = f.Seek(0, io.SeekEnd); err != nil {
		f.Close()
		return err
	}
	b.f = f
	return nil
}

// Load implements Backend.
func (b *File) Load(done func(snapshot []byte, records [][]byte, err error)) {
	data := make([]byte, b.size)
	if _, err := b.f.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		done(nil, nil, err)
		return
	}
	done(nil, [][]byte{data}, nil)
}

// Append implements Backend.
func (b *File) Append(record []byte, done func(error)) { done(b.append(record)) }

func (b *File) append(record []byte) error {
	if b.broken != nil {
		return b.broken
	}
	if _, err := b.f.WriteAt(record, b.size); err != nil {
		// Whatever part of the record got there must not stay in front of the next one.
		if b.f.Truncate(b.size) != nil || b.sync(b.f) != nil {
			b.broken = err
		}
		return err
	}
	if err := b.sync(b.f); err != nil {
		b.broken = err // what the disk holds is in doubt, and a second sync would not tell
		return err
	}
	b.size += int64(len(record))
	return nil
}

// Replace implements Backend.
func (b *File) Replace(snapshot []byte, done func(error)) { done(b.replace(snapshot)) }

func (b *File) replace(snapshot []byte) error {
	next := b.path + ".new"
	f, err := os.OpenFile(next, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err = lock(f); err == nil {
		_, err = f.Write(snapshot)
	}
	if err == nil {
		err = b.sync(f)
	}
	if err == nil {
		err = os.Rename(next, b.path)
	}
	if err != nil {
		f.Close()
		os.Remove(next)
		return err
	}
	b.f.Close()
	b.f, b.size, b.broken = f, int64(len(snapshot)), nil
	if err := b.syncDir(); err != nil {
		b.broken = err // a crash may bring the old file back, without what follows
		return err
	}
	return nil
}

// Close implements Backend.
func (b *File) Close() { b.f.Close() }

func (b *File) sync(f *os.File) error {
	if b.cfg.SkipSync {
		return nil
	}
	return f.Sync()
}

// syncDir makes the file's name durable.
func (b *File) syncDir() error {
	if b.cfg.SkipSync {
		return nil
	}
	dir, err := os.Open(filepath.Dir(b.path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
