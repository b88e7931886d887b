//go:build unix

package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Pipes and folders in place of files are errors at once. Links are followed only for files that
// the user names.
func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	pipe, file, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, dir} {
		if _, err := ReadFile(path, 100); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := Update(path, 0o600); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if raw, err := ReadFile(link, 100); err != nil || string(raw) != "content" {
		t.Errorf("%q, %v", raw, err)
	}
	if _, err := ReadFile(file, 3); err == nil {
		t.Error("a file beyond the limit is read")
	}
	if _, err := ReadOwn(link, 100); !errors.Is(err, ErrNotRegular) {
		t.Errorf("got %v", err)
	}
	if _, err := Update(link, 0o600); !errors.Is(err, ErrNotRegular) {
		t.Errorf("got %v", err)
	}
	for range 2 {
		f, err := Update(filepath.Join(dir, "new"), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}
