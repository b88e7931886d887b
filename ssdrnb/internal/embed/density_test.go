package embed

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/golden"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// densityReference is a reference case of densMAP.
type densityReference struct {
	reference
	Output struct {
		Radius, Standardized []float64
		Correlation          float64
		Gradient             [][]float64
	}
}

// similar computes the similarity and slope of a curve without tables.
func (c Curve) similar(s float64) (value, slope float64) { return c.similarity(s), c.slope(s) }

// Radii, their correlation and its gradient agree with umap-learn.
func TestGoldenDensity(t *testing.T) {
	golden.Each(t, "ne_density_*", func(t *testing.T, g *densityReference) {
		x, y := golden.Dense(g.Input.X), golden.Dense(g.Input.Y)
		w := golden.Symmetric(t, g.Input.N, g.Input.Weights)
		radii, err := Radii(w, neighbors(t, x, g.Input.K))
		if err != nil {
			t.Fatal(err)
		}
		c := newDensities(Density{Lambda: 1, Graph: w, Radius: radii}, Curve{g.Input.A, g.Input.B}.similar)
		g.nearRows(t, "standardized radius", mat.NewDense(1, len(c.want), c.want), [][]float64{g.Output.Standardized})
		n, d := y.Dims()
		at := y.RawMatrix().Data
		c.measure(at, d)
		g.nearRows(t, "radius", mat.NewDense(1, n, c.radius), [][]float64{g.Output.Radius})
		g.near(t, "correlation", c.corr, g.Output.Correlation)
		grad := mat.NewDense(n, d, nil)
		for i := range n {
			c.ascent(grad.RawRowView(i), at, d, i, 1, math.Inf(1))
		}
		g.nearRows(t, "gradient", grad, g.Output.Gradient)
	})
}

// unevenBlobs returns three groups of n/3 samples with the standard deviations 0.2, 1 and 5.
func unevenBlobs(n int) *mat.Dense {
	x := mat.NewDense(n, 5, nil)
	for i := range n {
		s := newStream(3, 0, i)
		for j := range 5 {
			v := s.share() + s.share() + s.share() - 1.5
			x.Set(i, j, []float64{0.4, 2, 10}[i%3]*v+float64(30*(i%3)))
		}
	}
	return x
}

func densityOf(t testing.TB, x *mat.Dense, w *sparse.CSR, k int, lambda float64) Density {
	t.Helper()
	radii, err := Radii(w, neighbors(t, x, k))
	if err != nil {
		t.Fatal(err)
	}
	return Density{Lambda: lambda, Graph: w, Radius: radii}
}

// The gradient agrees with finite differences, for the similarities of UMAP and of t-SNE.
func TestDensityGradient(t *testing.T) {
	x := unevenBlobs(30)
	w := fuzzyOf(t, x, 6)
	den := densityOf(t, x, w, 6, 1)
	for name, similar := range map[string]func(float64) (float64, float64){
		"UMAP": curve(t).similar, "t-SNE": newTail(1).similar, "t-SNE, 0.3 degrees of freedom": newTail(0.3).similar,
	} {
		c := newDensities(den, similar)
		for _, d := range []int{1, 2, 3} {
			y := Spread(mat.DenseCopyOf(x.Slice(0, 30, 0, d)), 6, 1, false)
			at := y.RawMatrix().Data
			c.measure(at, d)
			grad := mat.NewDense(30, d, nil)
			for i := range 30 {
				c.ascent(grad.RawRowView(i), at, d, i, 1, math.Inf(1))
			}
			scale := mat.Norm(grad, 2) / math.Sqrt(30*float64(d))
			for k, got := range grad.RawMatrix().Data {
				const h = 1e-5
				v := at[k]
				at[k] = v + h
				c.measure(at, d)
				up := c.corr
				at[k] = v - h
				c.measure(at, d)
				down := c.corr
				at[k] = v
				if want := (up - down) / (2 * h); !(math.Abs(got-want) <= 1e-4*(scale+math.Abs(want))) {
					t.Errorf("%s, d = %d: coordinate %d has the derivative %g, by differences %g", name, d, k, got, want)
				}
			}
		}
	}
}

// A layout with the density option reproduces the radii of the data better than one without, and
// its bits do not depend on the number of processors.
func TestDensityLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	x := unevenBlobs(600)
	w := fuzzyOf(t, x, 10)
	a, err := Perplexity(neighbors(t, x, 30), 10)
	if err != nil {
		t.Fatal(err)
	}
	umap := func(den Density) (*mat.Dense, float64) {
		y0, err := Spectral(context.Background(), w, mat.DenseCopyOf(x.Slice(0, 600, 0, 2)), 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Layout(context.Background(), w, Spread(y0, 10, 1, false), Options{Curve: curve(t), Epochs: 200, Seed: 1, Density: den})
		if err != nil {
			t.Fatal(err)
		}
		return r.Y, r.Density
	}
	tsne := func(den Density) (*mat.Dense, float64) {
		r, err := TSNE(context.Background(), a.P, Shrunk(mat.DenseCopyOf(x.Slice(0, 600, 0, 2)), 1e-4, 1, false), TSNEOptions{Epochs: 150, EarlyEpochs: 100, Density: den})
		if err != nil {
			t.Fatal(err)
		}
		return r.Y, r.Density
	}
	for name, m := range map[string]struct {
		layout func(Density) (*mat.Dense, float64)
		of     Density
	}{"UMAP": {umap, densityOf(t, x, w, 10, 2)}, "t-SNE": {tsne, densityOf(t, x, a.P, 30, 0.5)}} {
		plainLayout, none := m.layout(Density{})
		if none != 0 {
			t.Errorf("%s: a correlation of %g without a request", name, none)
		}
		c := newDensities(m.of, curve(t).similar)
		c.measure(plainLayout.RawMatrix().Data, 2)
		plain := c.pearson()
		var first *mat.Dense
		eachProcs(t, func() {
			y, with := m.layout(m.of)
			if first == nil {
				first = y
				t.Logf("%s: correlation %.3f, without density %.3f", name, with, plain)
				if !(with > 0.8 && with > plain+0.1) {
					t.Errorf("%s: correlation %.3f, without density %.3f", name, with, plain)
				}
			}
			if !mat.Equal(y, first) {
				t.Errorf("%s: the layout depends on the number of processors", name)
			}
		})
	}
}

// The logarithm agrees with package math up to the last digits.
func TestLogarithm(t *testing.T) {
	for _, x := range []float64{1e-300, 1e-8, 0.3, math.Sqrt2 / 2, 0.999, 1, 1.0001, 1.4, 2, 7, 1e10, math.MaxFloat64} {
		if got, want := logarithm(x), math.Log(x); !(math.Abs(got-want) <= 4e-16*max(1, math.Abs(want))) {
			t.Errorf("log %g is %.17g, want %.17g", x, got, want)
		}
	}
}

// Samples without edges, duplicates and equal radii give finite positions.
func TestDensityDegenerate(t *testing.T) {
	n := 12
	same := mat.NewDense(n, 2, nil) // all at one position
	w := fuzzyOf(t, same, 3)
	den := densityOf(t, same, w, 3, 2)
	y0 := mat.NewDense(n, 2, nil)
	for i := range n {
		y0.Set(i, 0, float64(i))
		y0.Set(i, 1, float64(i*i%7))
	}
	r, err := Layout(context.Background(), w, y0, Options{Curve: curve(t), Epochs: 50, Density: den})
	if err != nil || r.Density != 0 {
		t.Errorf("duplicates: %v, correlation %v", err, r.Density)
	}
	x := unevenBlobs(n)
	full := fuzzyOf(t, x, 3)
	var entries []sparse.Triplet // samples 0 to 2 have no edges
	for i := 3; i < n; i++ {
		cols, vals := full.Row(i)
		for k, j := range cols {
			if j > 2 {
				entries = append(entries, sparse.Triplet{Row: i, Col: int(j), Value: vals[k]})
			}
		}
	}
	lone, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	r, err = Layout(context.Background(), lone, y0, Options{Curve: curve(t), Epochs: 50, Density: densityOf(t, x, lone, 3, 2)})
	if err != nil || math.IsNaN(r.Density) {
		t.Errorf("samples without edges: %v, correlation %v", err, r.Density)
	}
	for name, bad := range map[string]Density{
		"negative λ":  {Lambda: -1},
		"NaN":         {Lambda: math.NaN()},
		"no graph":    {Lambda: 1, Radius: make([]float64, n)},
		"few radii":   {Lambda: 1, Graph: full, Radius: make([]float64, 3)},
		"radii NaN":   {Lambda: 1, Graph: full, Radius: append(make([]float64, n-1), math.NaN())},
		"infinite λ ": {Lambda: math.Inf(1), Graph: full, Radius: make([]float64, n)},
	} {
		_, err := Layout(context.Background(), full, y0, Options{Curve: curve(t), Epochs: 5, Density: bad})
		if !errors.Is(err, ErrOption) && !errors.Is(err, ErrShape) && !errors.Is(err, ErrNotFinite) {
			t.Errorf("%s: Layout gives %v", name, err)
		}
		if _, err := TSNE(context.Background(), full, y0, TSNEOptions{Density: bad}); err == nil {
			t.Errorf("%s: no error of TSNE", name)
		}
	}
}
