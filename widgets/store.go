package widgets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
)

// ErrStore is the error for stored constraints that are missing, damaged, in use, or
// drawn on other data.
var ErrStore = interact.ErrStore

// ConstraintSet is what a reader has drawn: pairs and labels of the samples of one data
// set, with Apply to add them to these data. The editor stores it at each change.
type ConstraintSet = interact.ConstraintSet

// Constraints returns the constraints that [ConstraintEditor] stored under name for
// this notebook, in this or an earlier kernel. If that fails, Err of the result returns
// the error, and so does Fit with data from its Apply.
func Constraints(name string) ConstraintSet {
	path, err := storePath(name)
	if err != nil {
		return interact.FailedConstraints(name, err)
	}
	raw := newest(path, name)
	if raw == nil {
		err = fmt.Errorf("%w: there are none called %q for this notebook; draw some with widgets.ConstraintEditor(…).Name(%q).Show()", ErrStore, name, name)
	}
	if err != nil {
		return interact.FailedConstraints(name, err)
	}
	c, err := interact.ParseConstraints(raw, name)
	if err != nil {
		return interact.FailedConstraints(name, fmt.Errorf("%w: %q: %w; choose another name, or move %s and the files in %s away", ErrStore, name, err, path, beside("")))
	}
	return c
}

// storePath is the file for a name: in the folder SSDRNB_CONSTRAINTS, or
// ssdrnb-constraints in the user's data folder, below a folder for the notebook.
func storePath(name string) (string, error) {
	if name == "" || len(name) > 100 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`/\:`, r) }) || strings.HasPrefix(name, ".") {
		return "", fmt.Errorf("%w: %q cannot be the name of a file; use 1 to 100 characters other than / \\ and :, the first not a dot", ErrStore, name)
	}
	root := os.Getenv("SSDRNB_CONSTRAINTS")
	if root == "" {
		base := os.Getenv("XDG_DATA_HOME")
		if base == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("%w: %w; set SSDRNB_CONSTRAINTS to a folder", ErrStore, err)
			}
			base = filepath.Join(home, ".local", "share")
		}
		root = filepath.Join(base, "ssdrnb-constraints")
	}
	return filepath.Join(root, notebookKey(), name+".json"), nil
}

// notebookKey identifies the notebook: by the path that Jupyter gives its kernels, or
// else by the working folder.
func notebookKey() string {
	path := os.Getenv("JPY_SESSION_NAME")
	if path == "" {
		path, _ = os.Getwd()
	}
	sum := sha256.Sum256([]byte(path))
	base := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, strings.TrimSuffix(filepath.Base(path), ".ipynb"))
	return base[:min(len(base), 40)] + "-" + hex.EncodeToString(sum[:4])
}

// beside is where a page stores a name, by the server's file manager: in a folder beside
// the notebook that people see and can share. It is "" where the notebook is not known.
func beside(name string) string {
	path := os.Getenv("JPY_SESSION_NAME")
	if !filepath.IsAbs(path) {
		return ""
	}
	folder := filepath.Join(filepath.Dir(path), "ssdrnb-constraints", strings.TrimSuffix(filepath.Base(path), ".ipynb"))
	if name == "" {
		return folder
	}
	return filepath.Join(folder, name+".json")
}

// newest returns what a cell or a page has stored, whichever has seen more changes, or
// nil if there is nothing.
func newest(path, name string) []byte {
	var found []byte
	for _, p := range []string{path, beside(name)} {
		if raw, err := os.ReadFile(p); p != "" && err == nil && (found == nil || interact.Revision(raw) > interact.Revision(found)) {
			found = raw
		}
	}
	return found
}

// fileStore is an open file. Only one widget can hold it.
type fileStore struct {
	path string
	lock *os.File
}

// openFile opens a store and returns its content, nil if there is none yet.
func openFile(path, name string) (*fileStore, []byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, fmt.Errorf("%w: %w; set SSDRNB_CONSTRAINTS to a folder that can be written", ErrStore, err)
	}
	f, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	if err := lock(f); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%w: another editor has %q open; stop it or choose another name", ErrStore, name)
	}
	if _, err := os.ReadFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Close()
		return nil, nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return &fileStore{path: path, lock: f}, newest(path, name), nil
}

func (s *fileStore) Close() { s.lock.Close() }

// Write replaces the file as a whole: whatever happens, it has either the old or the new
// content.
func (s *fileStore) Write(content []byte) error {
	return files.Write(s.path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
