package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Following the advice of each error reads or writes the file.
func TestRemedies(t *testing.T) {
	limited := func(bytes int64) error {
		data.SetReadLimit(bytes)
		defer data.SetReadLimit(0)
		_, err := NewBudget().TakeArray([]int{101})
		return err
	}
	write := func(path string) error {
		return Failure("Save", path, Write(path, func(w io.Writer) error { _, err := w.Write([]byte("x")); return err }))
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	truncated := func() error {
		_, err := ReadNumbers(bytes.NewReader(make([]byte, 10)), 2, binary.LittleEndian, Numbers["f8"])
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		return nil
	}
	open := func(path string) error {
		f, _, err := Open(path)
		if err == nil {
			f.Close()
		}
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"101 numbers within 800 bytes", limited(800), "raise the limit with data.SetReadLimit", func() error { return limited(808) }},
		{"a folder that does not exist", write(filepath.Join(folder, "none", "x")), "choose an existing folder that you can write to", func() error { return write(filepath.Join(folder, "x")) }},
		{"a file that does not exist", open(filepath.Join(folder, "fil")), "check the path", func() error { return open(file) }},
		{"a file that is elsewhere", open("file"), "check the path; a relative path starts in the folder " + here, func() error { return open("read.go") }},
		{"a folder read as a file", open(folder), "check that the path is a readable file", func() error { return open(file) }},
		{"no path", write(""), "give the path of a file", func() error { return write(filepath.Join(folder, "x")) }},
		{"the path of a folder", write(folder), "give the path of a file", func() error { return write(filepath.Join(folder, "x")) }},
		{"a path that ends as that of a folder", write(filepath.Join(folder, "x") + "/"), "give the path of a file", func() error { return write(filepath.Join(folder, "x")) }},
		{"a folder that is a file", write(filepath.Join(file, "x")), "choose another folder", func() error { return write(filepath.Join(folder, "x")) }},
		{"a name of 300 letters", write(filepath.Join(folder, strings.Repeat("x", 300))), "choose a shorter path", func() error { return write(filepath.Join(folder, "x")) }},
		{"a name with a zero", write(filepath.Join(folder, "a\x00b")), "choose a path of letters and digits", func() error { return write(filepath.Join(folder, "ab")) }},
		{"a truncated file", truncated(), "the file is truncated", func() error {
			_, err := ReadNumbers(bytes.NewReader(make([]byte, 16)), 2, binary.LittleEndian, Numbers["f8"])
			return err
		}},
	})
}
