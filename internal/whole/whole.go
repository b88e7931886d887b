// Package whole writes files that appear whole or not at all.
package whole

import (
	"io"
	"os"
	"path/filepath"
)

// Write lets fill write a file, which takes the place of path once it is complete and
// on the disk. A reader sees the old file or the new one, and after a failure the old.
func Write(path string, fill func(w io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".ssdrnb-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
