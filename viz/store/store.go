// Package store keeps what readers draw and select in the pages of a notebook, by name,
// for figures and widgets alike.
//
// The page keeps a content in the browser and, where there is a Jupyter server, in the
// folder ssdrnb-constraints beside the notebook; a cell keeps it in the user's data folder.
// A content is JSON with the number of its changes, "revision", and the newest counts. The
// page's side is viz/js/store.js.
package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// What names of contents other than constraints begin with: different contents may have the
// same name.
const (
	Selection  = "selection-"
	Painting   = "painting-"
	Options    = "options-"
	Playground = "playground-"
)

// Path is the file of a cell for a name: in the folder SSDRNB_CONSTRAINTS, or
// ssdrnb-constraints in the user's data folder, below a folder for the notebook.
func Path(name string) (string, error) {
	if !valid(name) {
		return "", fmt.Errorf("%q cannot be the name of a file; use 1 to 100 characters other than / \\ and :, the first not a dot", name)
	}
	root := os.Getenv("SSDRNB_CONSTRAINTS")
	if root == "" {
		base := os.Getenv("XDG_DATA_HOME")
		if base == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("%w; set SSDRNB_CONSTRAINTS to a folder", err)
			}
			base = filepath.Join(home, ".local", "share")
		}
		root = filepath.Join(base, "ssdrnb-constraints")
	}
	return filepath.Join(root, Notebook(), name+".json"), nil
}

func valid(name string) bool {
	return name != "" && len(name) <= 100 && name[0] != '.' && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`/\:`, r) })
}

// Notebook identifies the notebook: by the path that Jupyter gives its kernels, or else by
// the working folder.
func Notebook() string {
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

// Beside is where a page stores a name, by the server's file manager: in a folder beside
// the notebook that people see and can share, which is Beside(""). It is "" where the
// notebook is not known.
func Beside(name string) string {
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

// maxContent bounds a stored content, in bytes.
const maxContent = 64 << 20

// Newest returns what a cell, at path, or a page has stored under name, whichever has seen
// more changes, or nil if there is nothing.
func Newest(path, name string) []byte {
	var found []byte
	for _, p := range []string{path, Beside(name)} {
		if raw, err := files.ReadFile(p, maxContent); p != "" && err == nil && (found == nil || Revision(raw) > Revision(found)) {
			found = raw
		}
	}
	return found
}

// maxEntries bounds the files of a folder that Names looks at.
const maxEntries = 10_000

// Names lists what cells and pages of the notebook have stored under names that begin with
// kind, without it, in order; for "", what has no kind. Only regular files with printable
// names count.
func Names(kind string) []string {
	folders := []string{Beside("")}
	if path, err := Path("any"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	var names []string
	for _, folder := range folders {
		for _, e := range entries(folder) {
			name, ok := strings.CutSuffix(e.Name(), ".json")
			if !ok || !e.Type().IsRegular() || !valid(name) || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
				continue
			}
			if kind == "" && !slices.ContainsFunc([]string{Selection, Painting, Options, Playground}, func(k string) bool { return strings.HasPrefix(name, k) }) {
				names = append(names, name)
			} else if rest := strings.TrimPrefix(name, kind); kind != "" && rest != name && rest != "" {
				names = append(names, rest)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// entries are those of a folder, none where path is something else or a link.
func entries(path string) []os.DirEntry {
	if info, err := os.Lstat(path); path == "" || err != nil || !info.IsDir() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(maxEntries) // as many as can be read
	return list
}

// Instead is what to do where nothing has a name: choose one of the stored names, where
// there are any, or else do what makes one.
func Instead(kind, otherwise string) string {
	const most = 20
	names := Names(kind)
	if len(names) == 0 {
		return otherwise
	}
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	quoted := make([]string, len(names))
	for k, name := range names {
		quoted[k] = strconv.Quote(name)
	}
	return "stored are " + strings.Join(quoted, ", ") + more + ": choose one, or " + otherwise
}

// Revision returns the number of changes that led to a stored content, -1 if it is
// damaged.
func Revision(content []byte) int {
	r := struct {
		Revision int `json:"revision"`
	}{-1}
	if json.Unmarshal(content, &r) != nil {
		return -1
	}
	return r.Revision
}
