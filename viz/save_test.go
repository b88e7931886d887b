package viz_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
)

// said returns the output of f on a stream.
func said(t *testing.T, stream **os.File, f func()) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := *stream
	*stream = write
	f()
	*stream = old
	write.Close()
	text, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// In a notebook the last call of a cell reports the saved file; a program gets only the error.
func TestSaveTells(t *testing.T) {
	dir := t.TempDir()
	model := ssdrnb.PCA().MustFit(datasets.Iris())
	figure := viz.Embedding(model)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		path, wrong string // or the message about the size
		save        func(path string) error
	}{
		{at("a.pdf"), ", 85 mm wide", figure.Width(85).Save},
		{at("a.svg"), ", 170 mm wide", figure.Save},
		{at("a.PNG"), ", 600 × 400 pixels", figure.Size(600, 400).Save},
		{at("a.html"), "", figure.Save},
		{at("m.npz"), "", model.Save},
		{at("x.csv"), ", 150 samples of 4 features", func(path string) error { return datasets.WriteCSV(path, datasets.Iris()) }},
		{at("no/x.pdf"), "viz: Save(", figure.Save},
		{at("x.jpg"), "viz: Save: \"x.jpg\" does not end in the extension of a supported format; end the name in", figure.Save},
		{at("x.png"), "viz: ", viz.Embedding(ssdrnb.PCA().MustFit(datasets.Iris())).Color("no such").Save},
		{at("no/m.npz"), "ssdrnb: PCA: Save = ", model.Save},
		{at("no/x.csv"), "datasets: WriteCSV(", func(path string) error { return datasets.WriteCSV(path, datasets.Iris()) }},
		{at("no/x.npz"), "datasets: WriteNPZ(", func(path string) error { return datasets.WriteNPZ(path, datasets.Iris()) }},
	} {
		for _, pipe := range []string{"", "pipe"} {
			t.Setenv("GONB_PIPE", pipe)
			var err error
			var stdout string
			stderr := said(t, &os.Stderr, func() { stdout = said(t, &os.Stdout, func() { err = c.save(c.path) }) })
			_, there := os.Stat(c.path)
			if (err == nil) != (there == nil) {
				t.Errorf("%s: %v, and the file: %v", c.path, err, there)
			}
			want, wrong := "", ""
			switch {
			case pipe == "":
			case err == nil:
				want = "saved " + c.path + c.wrong + "\n"
			default:
				wrong = c.wrong
			}
			if stdout != want || !strings.HasPrefix(stderr, wrong) || wrong == "" && stderr != "" || wrong != "" && strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s, notebook %q: %q and %q, want %q and %q", c.path, pipe, stdout, stderr, want, wrong)
			}
		}
	}
	for name, save := range map[string]func(string){"figure": figure.MustSave, "model": model.MustSave} {
		t.Setenv("GONB_PIPE", "")
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("MustSave of a %s does not panic in a program", name)
				}
			}()
			save(at("no/x.png"))
		}()
	}
}
