// Package files writes files atomically: a file appears complete or not at all. It also reads
// numbers from untrusted files within the limit of [data.SetReadLimit].
//
// It is exported only because packages in several top-level folders share it.
package files

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// prefix is the start of the names of unfinished files. The rest of the name consists of digits.
const prefix = ".ssdrnb-"

// stale is the age above which an unfinished file is attributed to a killed process.
const stale = 24 * time.Hour

// swept holds the folders that this process has cleaned up.
var swept sync.Map

// errNoFile means that the path cannot be the path of a file.
var errNoFile = errors.New("the path names no file")

// Write creates a temporary file and calls fill to write its content. When the file is complete and
// on disk, it replaces path. Readers see either the old file or the new one. After a failure, they
// see the old file. The file has the process's default permissions for new files, whatever
// permissions the old file has. If path is a symbolic link, the new file replaces the link. Write
// also removes unfinished files that killed processes left in the folder more than a day ago.
// Errors from the file system are of type *fs.PathError and contain path.
func Write(path string, fill func(w io.Writer) error) error {
	if path == "" {
		return errNoFile
	}
	if info, err := os.Stat(path); os.IsPathSeparator(path[len(path)-1]) || err == nil && info.IsDir() {
		return &fs.PathError{Op: "write", Path: path, Err: errNoFile}
	}
	dir := filepath.Dir(path)
	if _, done := swept.LoadOrStore(dir, true); !done {
		sweep(dir)
	}
	err := replace(path, fill)
	// The error must not name the temporary file, which the user does not know.
	var place *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: path, Err: link.Err}
	case errors.As(err, &place) && Unfinished(filepath.Base(place.Path)):
		return &fs.PathError{Op: "write", Path: path, Err: place.Err}
	}
	return err
}

// replace implements [Write]. Its errors may name the temporary file.
func replace(path string, fill func(w io.Writer) error) error {
	f, err := create(filepath.Dir(path))
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

// WriteBytes replaces the content of a file, see [Write].
func WriteBytes(path string, content []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// create creates a temporary file with the default permissions of new files. os.CreateTemp would
// create a file that other users cannot read.
func create(dir string) (*os.File, error) {
	for {
		f, err := os.OpenFile(filepath.Join(dir, prefix+strconv.FormatUint(uint64(rand.Uint32()), 10)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Unfinished reports whether name is the name of an unfinished file of [Write].
func Unfinished(name string) bool {
	digits, ok := strings.CutPrefix(name, prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// sweep removes stale unfinished files.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read is not cleaned up
	for _, e := range entries {
		if !Unfinished(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > stale {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
