//go:build unix

package store

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe or a folder beside the notebook is passed over and does not hang.
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
