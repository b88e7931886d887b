package widgets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// ErrStore is the error for stored constraints, labels and paintings that are missing, damaged, in
// use, or drawn on other data.
var ErrStore = interact.ErrStore

// ConstraintSet contains the pairs and labels that a reader has drawn on one data set. Apply adds
// them to the data. A [ConstraintEditor] or [Scribble] stores the set at each change.
type ConstraintSet = interact.ConstraintSet

// Constraints returns the constraints that [ConstraintEditor] or [Scribble] stored under name for
// this notebook, in this or an earlier kernel. If they cannot be read, the Err method of the result
// returns an error that wraps [ErrStore], and Fit returns this error for data from Apply. A
// notebook prints the error once, when Apply, Literal or CSV is called.
func Constraints(name string) ConstraintSet {
	return storedSet(name, fmt.Sprintf("draw some with widgets.ConstraintEditor(…).Name(%q).Show()", name), interact.ParseConstraints, interact.FailedConstraints)
}

// storePath returns the file for a name, see [store.Path].
func storePath(name string) (string, error) {
	path, err := store.Path(name)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrStore, err)
	}
	return path, err
}

// fileStore stores content in the file at path. While the lock file is open, no other widget can
// open the store.
type fileStore struct {
	path string
	lock *os.File
}

// openFile opens and locks a store. It also returns the content, or nil if nothing is stored.
func openFile(path, name string) (*fileStore, []byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, fmt.Errorf("%w: %w; set SSDRNB_CONSTRAINTS to a writable folder", ErrStore, err)
	}
	f, err := files.Update(path+".lock", 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w; remove this file or folder", ErrStore, err)
	}
	if err := lock(f); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%w: another editor has %q open; stop it or choose another name", ErrStore, name)
	}
	if content, _, err := files.Open(path); err == nil {
		content.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		f.Close()
		return nil, nil, fmt.Errorf("%w: %w; move %q to another folder", ErrStore, err, path)
	}
	return &fileStore{path: path, lock: f}, store.Newest(path, name), nil
}

func (s *fileStore) Close() { s.lock.Close() }

// Write replaces the file atomically: the file contains either the old or the new content.
func (s *fileStore) Write(content []byte) error { return files.WriteBytes(s.path, content) }
