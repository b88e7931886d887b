package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	write := func(text string, after error) error {
		return Write(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, after)
		})
	}
	broken := errors.New("broken")
	if err := write("old", nil); err != nil {
		t.Fatal(err)
	}
	if err := write("half of the n", broken); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("after a failure the file holds %q, %v", got, err)
	}
	if err := write("new", nil); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("the file holds %q", got)
	}
	// The file has the permissions of a file made without Write.
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := mode(t, path), mode(t, plain); got != want {
		t.Errorf("the file's mode is %v, want %v", got, want)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files were left", len(left))
	}
	if err := Write(filepath.Join(dir, "no", "folder"), func(io.Writer) error { return nil }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// Leftovers of killed writers are removed after a day. Other files stay, including those that
// another process may be writing.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-25 * time.Hour)
	for name, age := range map[string]time.Time{".ssdrnb-123": old, ".ssdrnb-124": time.Now(), ".ssdrnb-quickstart": old, ".ssdrnb-": old, "ssdrnb-1": old} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, age, age); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(filepath.Join(dir, "file"), func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{".ssdrnb-", ".ssdrnb-124", ".ssdrnb-quickstart", "file", "ssdrnb-1"}; !slices.Equal(names, want) {
		t.Errorf("left are %q, want %q", names, want)
	}
}

// An error names the given path, not the path of the temporary file.
func TestWriteNamesThePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nowhere", "x.csv")
	err := Write(path, func(io.Writer) error { return nil })
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), prefix) {
		t.Errorf("%v", err)
	}
}
