package widgets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/viz/store"
)

// Following the advice of each error of a store gives the store.
func TestRemedies(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	t.Setenv("JPY_SESSION_NAME", filepath.Join(t.TempDir(), "test.ipynb"))
	write := func(path, content string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	place := func(name string) string {
		path, err := storePath(name)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	read := func(name string) error { return Constraints(name).Err() }
	// draw stores constraints as the editor in the advice does.
	draw := func(name string) error {
		s, _, err := openFile(place(name), name)
		if err != nil {
			return err
		}
		defer s.Close()
		return s.Write([]byte(`{"format":1,"samples":150,"must":[[0,1]],"cannot":[],"labels":{}}`))
	}
	if err := draw("good"); err != nil {
		t.Fatal(err)
	}
	write(place("bad"), "{")
	write(store.Beside("bad"), "{")
	damaged := read("bad")
	open := func(name string) error {
		s, _, err := openFile(place(name), name)
		if err == nil {
			s.Close()
		}
		return err
	}
	held, _, err := openFile(place("held"), "held")
	if err != nil {
		t.Fatal(err)
	}
	second := open("held")
	for _, folder := range []string{place("folder"), place("lock") + ".lock"} {
		if err := os.MkdirAll(filepath.Join(folder, "x"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	write(file, "")
	good := os.Getenv("SSDRNB_CONSTRAINTS")
	os.Setenv("SSDRNB_CONSTRAINTS", file)
	nowhere := open("x")
	os.Setenv("SSDRNB_CONSTRAINTS", good)
	first, other := datasets.Iris().PCA(3), datasets.Wine().PCA(3)
	cloud := func(of ...Source) error {
		spec, d := Projector(of...).stage()
		_, err := spec.Open(d)
		return err
	}
	staged := func(s Stage) error {
		spec, d := s.stage()
		_, err := spec.Open(d)
		return err
	}
	bench := Bench(Recipe("moons", 1)).Method("LDA", ssdrnb.LDA()).Labels(5)
	planes, angle := Landscape(Recipe("pancakes", 1)).Planes(), Landscape(Recipe("gaussians", 1)).Angle(30)
	moons := func() error {
		write(place(paintingOf("canvas")), `{"format":1,"spots":[[0,0,0,0],[9,0,1,1]],"classes":["a","b"],"next":2,"lift":{"dims":2,"noise":0,"seed":1}}`)
		return Painted("canvas").Err()
	}
	advicetest.Everywhere(t, []string{"."}, map[string]string{
		"; value %.6g":                      "a line of progress",
		"take fewer samples with Data.Take": "showLesson prints this error",
	}, []advicetest.Case{
		{"a bench with other samples", staged(bench.Or("moons", "irises", Samples(datasets.Iris()))), "pass widgets.Recipe", func() error {
			return staged(bench.Or("moons", "rivers", Recipe("rivers", 1)))
		}},
		{"the start of no dial", staged(bench.Start(2)), "call Dial first", func() error { return staged(bench.Dial("labels", 1, 2).Start(2)) }},
		{"a start off the dial", staged(bench.Dial("labels", 1, 2).Start(3)), "give one of the values passed to Dial", func() error { return staged(bench.Dial("labels", 1, 2).Start(1)) }},
		{"both curves without an angle", staged(Landscape(Recipe("gaussians", 1)).Both()), "call Angle first", func() error { return staged(angle.Both()) }},
		{"a dial without planes", staged(angle.Dial("noise", 1, 2)), "call Planes first", func() error { return staged(planes) }},
		{"two dials of a landscape", staged(planes.Dial("height", 1, 2).Dial("height", 2, 3)), "call Dial once", func() error { return staged(planes.Dial("height", 1, 2)) }},
		{"nothing is drawn", read("none"), `draw some with widgets.ConstraintEditor(…).Name("none").Show()`, func() error {
			ConstraintEditor(ssdrnb.PCA(), datasets.Iris()).Name("none").Show() // prints the constraints
			if err := draw("none"); err != nil {
				return err
			}
			return read("none")
		}},
		{"nothing is labelled", Labels("unlabelled").Err(), `label some with widgets.Labeler(…).Name("unlabelled").Show()`, func() error {
			Labeler(datasets.Iris()).Name("unlabelled").Show() // prints the labels
			if err := draw("unlabelled"); err != nil {
				return err
			}
			return Labels("unlabelled").Err()
		}},
		{"labels of a file that is none", LabelsOf("Ada", []byte("{")).Err(), "give the content of a file saved by the Export button of a Labeler", func() error {
			return LabelsOf("Ada", []byte(`{"format":1,"samples":150,"must":[],"cannot":[],"labels":{"3":0},"classes":["a"]}`)).Err()
		}},
		{"a misspelt name", read("godo"), `"good"`, func() error { return read("good") }},
		{"nothing is painted", Painted("canvas").Err(), `paint one with widgets.Paint("canvas").Show()`, moons},
		{"damaged constraints", damaged, "choose another name", func() error { return read("good") }},
		{"damaged constraints, otherwise", damaged, "away", func() error {
			for _, part := range []string{place("bad"), store.Beside("")} {
				if !strings.Contains(damaged.Error(), part) {
					return fmt.Errorf("no %s in %w", part, damaged)
				}
			}
			for _, path := range []string{place("bad"), store.Beside("bad")} {
				if err := os.Rename(path, path+".old"); err != nil {
					return err
				}
			}
			if err := draw("bad"); err != nil {
				return err
			}
			return read("bad")
		}},
		{"a folder that is a file", nowhere, "set SSDRNB_CONSTRAINTS to a writable folder", func() error { return open("x") }},
		{"a lock that is a folder", open("lock"), "remove this file or folder", func() error {
			if err := os.RemoveAll(place("lock") + ".lock"); err != nil {
				return err
			}
			return open("lock")
		}},
		{"clouds of two data sets", cloud(Samples(first), Samples(other)), "show each in its own Projector", func() error {
			return errors.Join(cloud(Samples(first)), cloud(Samples(other)), cloud(Samples(first), Recipe("ring", 1), Samples(first)))
		}},
		{"a second editor", second, "stop it", func() error { held.Close(); return open("held") }},
		{"a second editor, otherwise", second, "or choose another name", func() error { return open("other") }},
		{"a store that is a folder", open("folder"), "to another folder", func() error {
			if err := os.Rename(place("folder"), place("folder")+".old"); err != nil {
				return err
			}
			return open("folder")
		}},
	})
}
