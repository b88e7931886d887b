package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// printed returns the standard output and standard error of f.
func printed(t *testing.T, f func()) (out, err string) {
	t.Helper()
	stdout, stderr := os.Stdout, os.Stderr
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()
	var texts [2]string
	files := [2]*os.File{}
	for k := range files {
		file, err := os.Create(filepath.Join(t.TempDir(), "printed"))
		if err != nil {
			t.Fatal(err)
		}
		files[k] = file
	}
	os.Stdout, os.Stderr = files[0], files[1]
	f()
	for k, file := range files {
		raw, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		texts[k] = string(raw)
		file.Close()
	}
	return texts[0], texts[1]
}

func TestTell(t *testing.T) {
	failed := errors.New("viz: no")
	for pipe, want := range map[string][2]string{"": {}, "pipe": {"saved a.pdf, 85 mm wide\nsaved b.npz\n", "viz: no\n"}} {
		t.Setenv("GONB_PIPE", pipe)
		out, err := printed(t, func() {
			if files.Tell("viz", "a.pdf", "85 mm wide", nil) != nil || files.Tell("ssdrnb", "b.npz", "", nil) != nil || files.Tell("viz", "c.png", "", failed) != failed {
				t.Error("another error")
			}
		})
		if out != want[0] || err != want[1] {
			t.Errorf("notebook %q: %q and %q", pipe, out, err)
		}
	}
}

func TestFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no", "x.txt")
	err := files.Failure("viz: Save", path, files.Write(path, func(io.Writer) error { return nil }))
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), ".ssdrnb-") || advice.Of(err) == "" {
		t.Error(err)
	}
	other := errors.New("a NaN")
	if files.Failure("viz: Save", path, other) != other || files.Failure("viz: Save", path, nil) != nil {
		t.Error("another error")
	}
}
