package files_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
	folder := t.TempDir()
	path := filepath.Join(folder, "no", "x.txt")
	nothing := func(io.Writer) error { return nil }
	noSpace := errors.New("no space left on device")
	full := func(w io.Writer) error {
		return fmt.Errorf("row 3: %w", &os.PathError{Op: "write", Path: w.(*os.File).Name(), Err: noSpace})
	}
	for _, c := range []struct {
		path string
		fill func(io.Writer) error
		want error
	}{
		{path, nothing, os.ErrNotExist}, {filepath.Join(folder, "full"), full, noSpace},
		{filepath.Join(folder, strings.Repeat("x", 300)), nothing, syscall.ENAMETOOLONG}, {filepath.Join(folder, "a\x00b"), nothing, syscall.EINVAL},
	} {
		written := files.Write(c.path, c.fill)
		err := files.Failure("viz: Save", c.path, written)
		if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), fmt.Sprintf("viz: Save(%q): ", c.path)) || advice.Of(err) == "" {
			t.Error(err)
		}
		if text := written.Error() + err.Error(); !strings.Contains(written.Error(), c.path) || strings.Contains(text, ".ssdrnb-") {
			t.Errorf("the error does not name the path, or names the temporary file: %s", text)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files were left, %v", len(left), err)
	}
	other := errors.New("a NaN")
	if files.Failure("viz: Save", path, other) != other || files.Failure("viz: Save", path, nil) != nil {
		t.Error("another error")
	}
}
