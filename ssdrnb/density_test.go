package ssdrnb_test

import (
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// With the option every neighbour embedding preserves local densities, reports how well, and gives
// the same bits on any number of processors; saved models place new points as before.
func TestDensity(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Iris().KeepLabels(5).Seed(1)
	for name, e := range map[string]func(lambda float64) ssdrnb.Estimator{
		"UMAP":             func(l float64) ssdrnb.Estimator { return ssdrnb.UMAP().Iterations(200).Density(l) },
		"t-SNE":            func(l float64) ssdrnb.Estimator { return ssdrnb.TSNE().Iterations(200).Density(l) },
		"S2NE":             func(l float64) ssdrnb.Estimator { return ssdrnb.S2NE().Density(l) },
		"S2NE, Unfold(0)":  func(l float64) ssdrnb.Estimator { return ssdrnb.S2NE().Unfold(0).Density(l) },
		"S2NE, no labels":  func(l float64) ssdrnb.Estimator { return ssdrnb.S2NE().Guidance(0).Density(l) },
		"UMAP with labels": func(l float64) ssdrnb.Estimator { return ssdrnb.UMAP().TargetWeight(0.5).Density(l) },
	} {
		reached := func(lambda float64) float64 {
			m, err := e(lambda).Spec().Fit(d)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, f := range m.Report().Facts {
				if f.Name == "density correlation" {
					return f.Value
				}
			}
			return -2
		}
		if v := reached(0); v != -2 {
			t.Errorf("%s reports the correlation %.3f unasked", name, v)
		}
		if with, without := reached(2), reached(1e-9); !(with > 0.7 && with > without+0.05) {
			t.Errorf("%s: correlation %.3f with the density, %.3f without", name, with, without)
		}
		if !samePictures(t, e(2), d) {
			t.Errorf("%s: another number of processors gives another embedding", name)
		}
	}
	m := ssdrnb.UMAP().Density(2).MustFit(d)
	path := filepath.Join(t.TempDir(), "dense.npz")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := ssdrnb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Transform(d.X)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := loaded.Transform(d.X); err != nil || !mat.Equal(got, want) {
		t.Errorf("a loaded model places samples elsewhere: %v", err)
	}
	if loaded.Spec().Value("density") != 2.0 {
		t.Errorf("a loaded model has the density %v", loaded.Spec().Value("density"))
	}
}

// samePictures reports whether fits on one and on three processors agree to the last bit.
func samePictures(t *testing.T, e ssdrnb.Estimator, d *ssdrnb.Data) bool {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := e.Spec().MustFit(d)
	runtime.GOMAXPROCS(3)
	return mat.Equal(one.Embedding(), e.Spec().MustFit(d).Embedding())
}

// Samples on a circle are all equally far from their neighbours. The density option then has no
// effect, and a warning reports this.
func TestDensityOfEqualRadii(t *testing.T) {
	x := mat.NewDense(40, 2, nil)
	for i := range 40 {
		x.SetRow(i, []float64{math.Cos(float64(i) * math.Pi / 20), math.Sin(float64(i) * math.Pi / 20)})
	}
	m := ssdrnb.UMAP().Neighbors(2).Density(1).MustFit(ssdrnb.NewData(x, nil))
	if !slices.ContainsFunc(m.Report().Warnings, func(w string) bool { return strings.Contains(w, "density has no effect") }) {
		t.Errorf("no warning: %q", m.Report().Warnings)
	}
}
