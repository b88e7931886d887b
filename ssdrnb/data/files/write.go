// Package files writes files that appear whole or not at all, and reads numbers from
// files that nobody has checked within the bound of [data.SetReadLimit].
package files

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// prefix begins the names of unfinished files, which go on with digits.
const prefix = ".ssdrnb-"

// stale is the age from which an unfinished file counts as left by a process that was
// killed.
const stale = 24 * time.Hour

// swept has the folders that this process has cleaned up.
var swept sync.Map

// Write lets fill write a file, which takes the place of path once it is complete and
// on the disk. A reader sees the old file or the new one, and after a failure the old.
// What killed writers left in the folder more than a day ago is removed.
func Write(path string, fill func(w io.Writer) error) error {
	dir := filepath.Dir(path)
	if _, done := swept.LoadOrStore(dir, true); !done {
		sweep(dir)
	}
	f, err := os.CreateTemp(dir, prefix+"*")
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

// Unfinished reports whether a file of this name is one that [Write] has not finished.
func Unfinished(name string) bool {
	digits, ok := strings.CutPrefix(name, prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// sweep removes unfinished files that nobody will finish.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir) // a folder that can't be read fails the writing
	for _, e := range entries {
		if !Unfinished(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > stale {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
