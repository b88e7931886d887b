package ssdrnb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// remembering turns the memo on in a temporary folder.
func remembering(t *testing.T) (files func() []string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("SSDRNB_CACHE", dir)
	if err := ssdrnb.Remember(true); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ssdrnb.Remember(false); err != nil {
			t.Error(err)
		}
	})
	return func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "fits", "*.npz"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
}

func TestRememberedFit(t *testing.T) {
	files := remembering(t)
	d := blobs(6, 1)
	first := ssdrnb.TRSDA().MustFit(d)
	again := ssdrnb.TRSDA().MustFit(blobs(6, 1))
	if first.Report().Remembered || !again.Report().Remembered {
		t.Errorf("remembered: first %v, again %v", first.Report().Remembered, again.Report().Remembered)
	}
	if !mat.Equal(first.Embedding(), again.Embedding()) {
		t.Error("the remembered embedding differs")
	}
	if !reflect.DeepEqual(first.Report().Params, again.Report().Params) {
		t.Errorf("the remembered options are %#v, but were %#v", again.Report().Params, first.Report().Params)
	}
	if again.Data().X == nil || again.Data().Truth == nil {
		t.Error("the remembered model lost its data")
	}
	if ssdrnb.TRSDA().Fresh().MustFit(d).Report().Remembered {
		t.Error("Fresh was remembered")
	}
	// Anything that affects the result changes the key.
	x := mat.DenseCopyOf(d.X)
	x.Set(0, 0, x.At(0, 0)*(1+1e-15))
	moved := *d
	moved.X = x
	for what, m := range map[string]*ssdrnb.Model{
		"another option": ssdrnb.TRSDA().Neighbors(9).MustFit(d),
		"another method": ssdrnb.SDA().MustFit(d),
		"other labels":   ssdrnb.TRSDA().MustFit(d.Seed(99)),
		"another sample": ssdrnb.TRSDA().MustFit(&moved),
	} {
		if m.Report().Remembered {
			t.Errorf("%s: served the old fit", what)
		}
	}
	// The report is about the data of the fit.
	named := func(name string, features, classes []string) *ssdrnb.Data {
		c := *d
		c.Name, c.FeatureNames, c.ClassNames, c.Notes = name, features, classes, append(slices.Clone(d.Notes), "from "+name)
		c.X = mat.DenseCopyOf(d.X)
		for i := range c.Len() {
			c.X.Set(i, 0, 1e3*c.X.At(i, 0))
		}
		return &c
	}
	for _, c := range []*ssdrnb.Data{
		named("first", []string{"income", "b", "c", "d", "e", "f"}, nil), named("second", []string{"height", "b", "c", "d", "e", "f"}, nil),
		named("third", nil, []string{"a", "b", "c"}), named("fourth", []string{"height", "b", "c", "d", "e", "f"}, nil),
	} {
		e := ssdrnb.S2NE().Iterations(2).Unfold(2)
		kept, computed := e.MustFit(c).Report(), e.Spec().Fresh().MustFit(c).Report()
		if kept.Remembered != (c.Name == "fourth") {
			t.Errorf("%s: remembered is %v", c.Name, kept.Remembered)
		}
		if kept.Data != computed.Data || !slices.Equal(kept.DataNotes, computed.DataNotes) || !slices.Equal(kept.Warnings, computed.Warnings) {
			t.Errorf("%s: the report is\n%v\nwant\n%v", c.Name, kept, computed)
		}
	}
	// An option set to its default gives the same key.
	if !ssdrnb.TRSDA().Neighbors(8).MustFit(d).Report().Remembered {
		t.Error("the default spelled out was computed again")
	}
	if err := ssdrnb.Forget(); err != nil {
		t.Fatal(err)
	}
	if len(files()) != 0 || ssdrnb.TRSDA().MustFit(d).Report().Remembered {
		t.Error("Forget did not forget")
	}
}

func TestTornMemoIsComputedAgain(t *testing.T) {
	files := remembering(t)
	d := blobs(6, 2)
	want := ssdrnb.PCA().MustFit(d).Embedding()
	for _, damage := range []func(raw []byte) []byte{
		func(raw []byte) []byte { return nil },
		func(raw []byte) []byte { return raw[:len(raw)/2] },
		func(raw []byte) []byte { return flip(t, raw) },
	} {
		path := files()[0]
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damage(raw), 0o600); err != nil {
			t.Fatal(err)
		}
		m := ssdrnb.PCA().MustFit(d)
		if m.Report().Remembered || !mat.Equal(m.Embedding(), want) {
			t.Error("a damaged file was used")
		}
		if !ssdrnb.PCA().MustFit(d).Report().Remembered {
			t.Error("the damaged file was not replaced")
		}
	}
}

func TestConcurrentKernelsShareTheMemo(t *testing.T) {
	files := remembering(t)
	d := blobs(6, 3)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				if _, err := ssdrnb.PCA().Fit(d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(files()); n != 1 {
		t.Errorf("%d files for one fit", n)
	}
}

func TestUnwritableMemoDoesNotFailTheFit(t *testing.T) {
	files := remembering(t)
	ssdrnb.PCA().MustFit(blobs(6, 4))
	dir := filepath.Dir(files()[0])
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	m, err := ssdrnb.PCA().Fit(blobs(6, 5))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Report().Warnings) != 1 {
		t.Errorf("warnings: %q", m.Report().Warnings)
	}
}

func BenchmarkRememberedFit(b *testing.B) {
	b.Setenv("SSDRNB_CACHE", b.TempDir())
	if err := ssdrnb.Remember(true); err != nil {
		b.Fatal(err)
	}
	defer ssdrnb.Remember(false)
	d := blobs(64, 1)
	ssdrnb.TRSDA().MustFit(d)
	for b.Loop() {
		ssdrnb.TRSDA().MustFit(d)
	}
}

// A line of the report states how well the embedding preserves neighbourhoods: for a model that was
// fitted, remembered, saved, or reduced to fewer dimensions.
func TestReportSaysWhatIsKept(t *testing.T) {
	remembering(t)
	d := datasets.Digits()
	line := func(m *ssdrnb.Model) string {
		t.Helper()
		for _, l := range strings.Split(m.Report().String(), "\n") {
			if strings.HasPrefix(l, "kept ") {
				return l
			}
		}
		return ""
	}
	want := func(m *ssdrnb.Model) string {
		t.Helper()
		kept, err := metrics.Kept(context.Background(), d.X, m.Embedding())
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("kept      %.0f %% of the 15 nearest neighbours of a sample in the data (average of 500 samples)", 100*kept.Share)
	}
	fitted, remembered := ssdrnb.PCA().Dims(9).MustFit(d), ssdrnb.PCA().Dims(9).MustFit(d)
	reduced, err := remembered.Reduce(2)
	if err != nil || !remembered.Report().Remembered {
		t.Fatal(err, remembered.Report().Remembered)
	}
	loaded := reloaded(t, reduced)
	for name, m := range map[string]*ssdrnb.Model{"fitted": fitted, "remembered": remembered, "reduced": reduced, "loaded": loaded} {
		if got := line(m); got != want(m) {
			t.Errorf("%s: %q, want %q", name, got, want(m))
		}
	}
	if line(fitted) == line(reduced) {
		t.Errorf("nine and two dimensions keep as much: %s", line(reduced))
	}
	two := ssdrnb.PCA().Dims(1).MustFit(d.Subset([]int{0, 1}))
	if got := line(two); got != "" {
		t.Errorf("of two samples %q", got)
	}
}
