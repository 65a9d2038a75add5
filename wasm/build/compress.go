package build

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

// A Level is how hard to compress.
type Level int

const (
	Quick Level = iota // for the edit loop, tests and a server on this machine
	Best               // for release and for measuring against the budget
)

func (l Level) quality() (br, gz int) {
	if l == Best {
		return brotli.BestCompression, gzip.BestCompression
	}
	return 2, gzip.BestSpeed
}

// compressible says whether a file of that name gets .br and .gz files beside it.
func compressible(name string) bool {
	switch filepath.Ext(name) {
	case ".wasm", ".js", ".css", ".html", ".json", ".svg", ".map":
		return true
	}
	return false
}

// compress writes path.br and path.gz and returns their sizes.
func compress(path string, data []byte, level Level) (br, gz int64, err error) {
	brLevel, gzLevel := level.quality()
	var buf bytes.Buffer
	// The window is as large as the biggest file: a program repeats itself over megabytes.
	w := brotli.NewWriterOptions(&buf, brotli.WriterOptions{Quality: brLevel, LGWin: 24})
	if _, err := w.Write(data); err != nil {
		return 0, 0, err
	}
	if err := w.Close(); err != nil {
		return 0, 0, err
	}
	if err := os.WriteFile(path+".br", buf.Bytes(), 0o644); err != nil {
		return 0, 0, err
	}
	br = int64(buf.Len())

	buf.Reset()
	z, err := gzip.NewWriterLevel(&buf, gzLevel)
	if err != nil {
		return 0, 0, err
	}
	if _, err := z.Write(data); err != nil {
		return 0, 0, err
	}
	if err := z.Close(); err != nil {
		return 0, 0, err
	}
	return br, int64(buf.Len()), os.WriteFile(path+".gz", buf.Bytes(), 0o644)
}
