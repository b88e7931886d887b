// Package store finds the drawings, selections and other content that readers of a notebook have
// stored under names. Figures and widgets use it.
//
// The script of a page stores content in the browser and, if there is a Jupyter server, in the
// folder ssdrnb-constraints beside the notebook. A cell with a live widget stores content in the
// user's data folder. Each drawing, selection or other item is a JSON document with a revision,
// which counts its changes. If content of the same name is stored in several places, the copy with
// the highest revision is used. viz/js/store.js is the counterpart of this package in the page.
//
// The package is exported only because packages of several top-level folders share it.
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
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/folders"
)

// Prefixes of the file names of content other than constraints. They allow content of different
// kinds to have the same name.
const (
	Selection  = "selection-"
	Painting   = "painting-"
	Options    = "options-"
	Playground = "playground-"
	Renamed    = "names-"
)

var kinds = []string{Selection, Painting, Options, Playground, Renamed}

// split divides a file name into the prefix of the kind of content, or "", and the name of the
// content.
func split(file string) (kind, name string) {
	for _, kind := range kinds {
		if name, ok := strings.CutPrefix(file, kind); ok {
			return kind, name
		}
	}
	return "", file
}

// Path returns the path at which a cell stores content. The argument file is the name of the
// content, after the prefix of its kind. The stored file is in a folder for the notebook. This
// folder is below SSDRNB_CONSTRAINTS or, without this variable, below ssdrnb-constraints in the
// user's data folder. Path returns an error if the name is not valid, or if there is no home
// folder.
func Path(file string) (string, error) {
	if _, name := split(file); !valid(name) {
		return "", fmt.Errorf("%q cannot be the name of a file; use 1 to 100 bytes (a letter outside of ASCII has two or more) without control characters, / \\ and :, and do not begin with a dot", name)
	}
	root := os.Getenv("SSDRNB_CONSTRAINTS")
	if root == "" {
		data, err := folders.Data()
		if err != nil {
			return "", fmt.Errorf("%w; set SSDRNB_CONSTRAINTS to a folder", err)
		}
		root = filepath.Join(data, "ssdrnb-constraints")
	}
	return filepath.Join(root, Notebook(), file+".json"), nil
}

func valid(name string) bool {
	return name != "" && len(name) <= 100 && name[0] != '.' && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`/\:`, r) })
}

// Notebook returns an identifier of the notebook. It is derived from the path of the notebook,
// which Jupyter passes to its kernels, or from the working folder if there is no such path.
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

// Beside returns the file in which a page stores the content with the given name. The file is in a
// folder beside the notebook, which users see and can share. Beside("") returns the folder. Beside
// returns "" if the notebook is unknown.
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

// maxContent is the maximum size of stored content in bytes.
const maxContent = 64 << 20

// Newest returns the content stored under name. A cell stores it at path, and a page stores it
// beside the notebook. If both files exist, Newest returns the content with the higher revision. It
// returns nil if nothing is stored.
func Newest(path, name string) []byte {
	var found []byte
	for _, p := range []string{path, Beside(name)} {
		if raw, err := files.ReadFile(p, maxContent); p != "" && err == nil && (found == nil || Revision(raw) > Revision(found)) {
			found = raw
		}
	}
	return found
}

// maxEntries bounds the number of files in a folder that Names reads.
const maxEntries = 10_000

// Names returns the sorted names of the content of one kind that cells and pages of the notebook
// have stored. kind is the prefix of the file names, which the results do not include; "" means
// constraints. Names skips files that are not regular and names that are not printable.
func Names(kind string) []string {
	folders := []string{Beside("")}
	if path, err := Path("any"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	var names []string
	for _, folder := range folders {
		for _, e := range entries(folder) {
			file, ok := strings.CutSuffix(e.Name(), ".json")
			of, name := split(file)
			if ok && of == kind && e.Type().IsRegular() && valid(name) && utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// entries returns the entries of a folder. It returns no entries if path is a link or not a folder.
func entries(path string) []os.DirEntry {
	if info, err := os.Lstat(path); path == "" || err != nil || !info.IsDir() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(maxEntries) // after an error, the entries read so far are used
	return list
}

// Instead returns the remedy for an error about a name under which nothing is stored. It lists up
// to 20 stored names of the given kind, and then gives the alternative in the argument otherwise.
// If there are no such names, it gives only the alternative.
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
	return "choose a stored name (" + strings.Join(quoted, ", ") + more + "), or " + otherwise
}

// Revision returns the revision of stored content, or −1 if the content is damaged.
func Revision(content []byte) int {
	r := struct {
		Revision int `json:"revision"`
	}{-1}
	if json.Unmarshal(content, &r) != nil {
		return -1
	}
	return r.Revision
}
