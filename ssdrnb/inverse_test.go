package ssdrnb_test

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// The inverse returns the sample at its own position, is continuous, lies between its samples, and
// reports positions in empty space. A saved model inverts as before.
func TestInverse(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	d := datasets.Iris().KeepLabels(5).Seed(1)
	for _, e := range []ssdrnb.Estimator{ssdrnb.UMAP().Iterations(100), ssdrnb.TSNE().Iterations(100), ssdrnb.S2NE(), ssdrnb.LDA(), ssdrnb.LAE()} {
		m := e.Spec().MustFit(d)
		name := m.Method()
		y := m.Embedding()
		back, err := m.Inverse(y)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(back.Outside) > 5 {
			t.Errorf("%s: %d samples lie in white space", name, len(back.Outside))
		}
		for i := range d.Len() {
			alone := true // no other sample at its position
			for j := range d.Len() {
				alone = alone && (i == j || !mat.Equal(y.RowView(i), y.RowView(j)))
			}
			if alone && !mat.EqualApprox(back.X.RowView(i), d.X.RowView(i), 1e-12) {
				t.Errorf("%s: sample %d is %v, inverted %v", name, i, d.X.RawRowView(i), back.X.RawRowView(i))
			}
		}
		// Along a line from sample to sample steps are small, and all values are within the range
		// of the data.
		const steps = 20_000
		line := mat.NewDense(steps+1, 2, nil)
		for k := range steps + 1 {
			s := float64(k) / steps
			for c := range 2 {
				line.Set(k, c, (1-s)*y.At(0, c)+s*y.At(75, c))
			}
		}
		along, err := m.Inverse(line)
		if err != nil {
			t.Fatal(err)
		}
		for k := range steps + 1 {
			for c := range 4 {
				v, col := along.X.At(k, c), mat.Col(nil, c, d.X)
				least, most := math.Inf(1), math.Inf(-1)
				for _, x := range col {
					least, most = min(least, x), max(most, x)
				}
				if v < least-1e-9 || v > most+1e-9 {
					t.Fatalf("%s: %g is outside of the data", name, v)
				}
				// LAE places samples closer together than the steps of the line.
				if k > 0 && name != "LAE" && math.Abs(v-along.X.At(k-1, c)) > 0.3*(most-least) {
					t.Errorf("%s: a step of %g of feature %d within 1/%d of the line", name, v-along.X.At(k-1, c), c, steps)
				}
			}
		}
		far := mat.NewDense(2, 2, []float64{1e6, 1e6, y.At(3, 0), y.At(3, 1)})
		if out, err := m.Inverse(far); err != nil || len(out.Outside) == 0 || out.Outside[0] != 0 {
			t.Errorf("%s: a position far away: %v, %v", name, out, err)
		}
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		loaded, err := ssdrnb.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		again, err := loaded.Inverse(line)
		switch {
		case name == "LDA": // its file has no samples
			if !errors.Is(err, ssdrnb.ErrData) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil || !mat.Equal(again.X, along.X):
			t.Errorf("%s: a loaded model inverts otherwise: %v", name, err)
		}
	}
}

// A loaded layout that uses a target inverts as before.
func TestInverseOfLoadedChain(t *testing.T) {
	iris := datasets.Iris()
	m := ssdrnb.S2NE().Iterations(5).Unfold(5).MustFit(iris.HideLabels().WithTarget("petal", mat.Col(nil, 3, iris.X)))
	if _, ok := m.Report().Fact("target strength"); !ok {
		t.Fatal("the target is unused")
	}
	z := m.Embedding().Slice(0, 4, 0, 2).(*mat.Dense)
	want, err := m.Inverse(z)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := reloaded(t, m).Inverse(z); err != nil || !mat.Equal(got.X, want.X) {
		t.Errorf("a loaded model inverts otherwise: %v", err)
	}
	// The file of a chain has the output of PCA, but not the samples.
	chain, err := ssdrnb.Then(ssdrnb.PCA(), ssdrnb.UMAP().Iterations(5)).Fit(iris)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reloaded(t, chain).Inverse(z); !errors.Is(err, ssdrnb.ErrData) {
		t.Errorf("a loaded chain: %v", err)
	}
}

// Latent variable models invert with their own decoder.
func TestInverseOfLatent(t *testing.T) {
	m := ssdrnb.GPLVM().MustFit(datasets.Iris().Take(10))
	want, err := m.Decode(m.Embedding())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Inverse(m.Embedding()); err != nil || !mat.Equal(got.X, want.Mean) {
		t.Error(got, err)
	}
}

func TestInverseErrors(t *testing.T) {
	m := ssdrnb.PCA().MustFit(datasets.Iris())
	for name, z := range map[string]*mat.Dense{
		"nil": nil, "no rows": {}, "three columns": mat.NewDense(1, 3, nil), "NaN": mat.NewDense(1, 2, []float64{math.NaN(), 0}),
	} {
		var e *ssdrnb.Error
		if _, err := m.Inverse(z); !errors.As(err, &e) || !errors.Is(err, ssdrnb.ErrData) || e.Param != "Inverse" || e.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	two := ssdrnb.PCA().Dims(1).MustFit(datasets.Iris().Subset([]int{0, 60}))
	if back, err := two.Inverse(mat.NewDense(1, 1, []float64{0})); err != nil || back.X.At(0, 0) <= 0 {
		t.Errorf("two samples: %v, %v", back, err)
	}
}
