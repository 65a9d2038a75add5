//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"path/filepath"
	"testing"
)

func TestFileIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	f := openFile(t, path)
	if _, err := OpenFile(path, FileConfig{}); err == nil {
		t.Error("a second program could open the file")
	}
	f.Replace([]byte("x"), func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
	if _, err := OpenFile(path, FileConfig{}); err == nil {
		t.Error("a second program could open the file after a Replace")
	}
	f.Close()
	openFile(t, path).Close()
}
