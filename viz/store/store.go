// Package store keeps what readers draw and select in the pages of a notebook, by name,
// for figures and widgets alike.
//
// The page keeps a content in the browser and, where there is a Jupyter server, in the
// folder ssdrnb-constraints beside the notebook; a cell keeps it in the user's data folder.
// A content is JSON with the number of its changes, "revision", and the newest counts.
package store

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// Script is the page's side, a JavaScript function: see its first comment.
//
//go:embed store.js
var Script string

// Into puts [Script] into the script of a page, in place of the line "// store.js".
func Into(script string) string {
	return strings.Replace(script, "// store.js\n", strings.TrimSpace(Script)+"\n", 1)
}

// Path is the file of a cell for a name: in the folder SSDRNB_CONSTRAINTS, or
// ssdrnb-constraints in the user's data folder, below a folder for the notebook.
func Path(name string) (string, error) {
	if name == "" || len(name) > 100 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`/\:`, r) }) || strings.HasPrefix(name, ".") {
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
