package datasets

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// What is written is read back to the last bit.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	x := mat.NewDense(4, 4, []float64{0, 1.0 / 3, -1e-300, 4, 5, math.MaxFloat64, 7, 8, 9, 10, 11, 12, 13, 14, 15, math.Pi})
	d := data.New(x, []int{1, data.Unlabelled, 0, 1})
	d.ClassNames, d.Image = []string{"plain", `with "quotes", commas`}, data.Image{Height: 2, Width: 2}
	path := filepath.Join(dir, "d.csv")
	if err := WriteCSV(path, d); err != nil {
		t.Fatal(err)
	}
	got, err := ReadCSV(path, CSV{Label: "class"})
	if err != nil || !mat.Equal(got.X, x) || !slices.Equal(got.FeatureNames, []string{"x1", "x2", "x3", "x4"}) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, l := range d.Labels { // numbered anew, in the order in which they appear
		if (l == data.Unlabelled) != (got.Labels[i] == data.Unlabelled) || d.ClassName(l) != got.ClassName(got.Labels[i]) {
			t.Errorf("class %d is %q, was %q", i, got.ClassName(got.Labels[i]), d.ClassName(l))
		}
	}
	path = filepath.Join(dir, "d.npz")
	if err := WriteNPZ(path, d); err != nil {
		t.Fatal(err)
	}
	got, err = ReadNPZ(path, NPZ{})
	if err != nil || !mat.Equal(got.X, x) || !slices.Equal(got.Labels, d.Labels) || got.Image != d.Image {
		t.Fatalf("%v, %v", got, err)
	}
	bare := data.New(x, nil)
	for _, f := range []func(string, *data.Data) error{WriteCSV, WriteNPZ} {
		if err := f(filepath.Join(dir, "bare"), bare); err != nil {
			t.Error(err)
		}
		if err := f(filepath.Join(dir, "none", "d"), d); err == nil {
			t.Error("a folder that does not exist is written to")
		}
		for _, bad := range []*data.Data{nil, data.Failed("x", data.ErrEmpty), data.New(mat.NewDense(1, 1, []float64{math.NaN()}), nil)} {
			if err := f(filepath.Join(dir, "bad"), bad); !errors.Is(err, data.ErrEmpty) && !errors.Is(err, data.ErrNotFinite) {
				t.Errorf("%v is written: %v", bad, err)
			}
		}
	}
	if got, err := ReadCSV(filepath.Join(dir, "bare"), CSV{}); err == nil {
		t.Errorf("an archive is read as a table: %v", got)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".ssdrnb-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := os.Stat(filepath.Join(dir, "bad")); err == nil {
		t.Error("bad data leave a file")
	}
}
