//go:build unix

package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A pipe or a folder beside the notebook is skipped without blocking.
func TestNewestPassesOver(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("JPY_SESSION_NAME", filepath.Join(dir, "book.ipynb"))
	mine := filepath.Join(dir, "mine.json")
	if err := os.WriteFile(mine, []byte(`{"revision": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	beside := Beside("drawn")
	if err := os.MkdirAll(filepath.Dir(beside), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(beside, 0o600); err != nil {
		t.Skip(err)
	}
	if got := Newest(mine, "drawn"); Revision(got) != 1 {
		t.Errorf("got %q", got)
	}
	if got := Newest(dir, "drawn"); got != nil {
		t.Errorf("got %q", got)
	}
}

// Stored names are listed by kind; links, folders, pipes and names that a store never creates are
// not.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("JPY_SESSION_NAME", filepath.Join(dir, "book.ipynb"))
	t.Setenv("SSDRNB_CONSTRAINTS", filepath.Join(dir, "cells"))
	if got := Names(Selection); got != nil {
		t.Errorf("before there is a folder: %q", got)
	}
	mine, err := Path("any")
	if err != nil {
		t.Fatal(err)
	}
	write := func(folder string, names ...string) {
		t.Helper()
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(folder, name), []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	cells, pages := filepath.Dir(mine), Beside("")
	write(cells, "selection-young.json", "painting-moons.json", "constraints.json", "constraints.json.lock", "options-0a1b.json", "playground-0a1b.json")
	write(pages, "selection-young.json", "selection-old.json", "selection-.json", ".selection-dot.json", "selection-line\nbreak.json", "selection-\u202eturned.json",
		"selection-\xff.json", "selection-"+strings.Repeat("x", 150)+".json", "selection-"+strings.Repeat("y", 100)+".json", "selection-a:b.json", "selection-text.txt")
	if err := os.Mkdir(filepath.Join(pages, "selection-folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(pages, "selection-old.json"), filepath.Join(pages, "selection-link.json")); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][]string{Selection: {"old", "young", strings.Repeat("y", 100)}, Painting: {"moons"}, "": {"constraints"}} {
		if got := Names(kind); !slices.Equal(got, want) {
			t.Errorf("of kind %q: %q", kind, got)
		}
	}
	if got := Instead(Selection, "draw one"); got != `choose a stored name ("old", "young", "`+strings.Repeat("y", 100)+`"), or draw one` {
		t.Error(got)
	}
	for k := range 30 {
		write(cells, Painting+string(rune('A'+k))+".json")
	}
	if got := Instead(Painting, "paint one"); strings.Count(got, `", "`) != 19 || !strings.HasSuffix(got, " more), or paint one") {
		t.Error(got)
	}
	// A folder that is a link elsewhere is not read.
	if err := os.Rename(pages, pages+"-moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pages+"-moved", pages); err != nil {
		t.Fatal(err)
	}
	if got := Names(Selection); !slices.Equal(got, []string{"young"}) {
		t.Errorf("through a link: %q", got)
	}
}
