package embed

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The order contains every sample once. In a uniform square, half of the steps along it are shorter
// than three times 1/√n, the order of the distance between neighbours.
func TestArranged(t *testing.T) {
	const n = 4000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{1, 2, 3} {
		y := mat.NewDense(n, d, nil)
		for k := range y.RawMatrix().Data {
			y.RawMatrix().Data[k] = rng.Float64()
		}
		a := arranged(y)
		for r, i := range a.sample {
			if int(a.place[i]) != r {
				t.Fatalf("%d dimensions: sample %d is at place %d, not %d", d, i, a.place[i], r)
			}
		}
		steps := make([]float64, n-1)
		for r := range steps {
			for c := range min(d, 2) {
				steps[r] = math.Hypot(steps[r], y.At(a.sample[r], c)-y.At(a.sample[r+1], c))
			}
		}
		slices.Sort(steps)
		if most := 3 * math.Pow(n, -1/float64(min(d, 2))); steps[n/2] > most {
			t.Errorf("%d dimensions: half of the steps are longer than %v", d, most)
		}
		back := mat.NewDense(n, d, nil)
		a.restore(back, samples.Pick(y, a.sample))
		if !mat.Equal(back, y) {
			t.Errorf("%d dimensions: positions are not restored", d)
		}
	}
	if a := arranged(mat.NewDense(3, 2, nil)); !slices.Equal(a.sample, []int{0, 1, 2}) {
		t.Errorf("three samples at one place are in the order %v", a.sample)
	}
}

// t-SNE of samples in another order gives the same positions, up to rounding errors of a few steps,
// also with pins and density. Progress reports positions in the order of the samples.
func TestOrderOfSamples(t *testing.T) {
	const n = exactBelow + 500
	rng := rand.New(rand.NewPCG(3, 4))
	x := mat.NewDense(n, 3, nil)
	for k := range x.RawMatrix().Data {
		x.RawMatrix().Data[k] = rng.NormFloat64()
	}
	a, err := Perplexity(neighbors(t, x, 12), 4)
	if err != nil {
		t.Fatal(err)
	}
	radii, err := Radii(a.P, neighbors(t, x, 12))
	if err != nil {
		t.Fatal(err)
	}
	y0 := mat.NewDense(n, 2, nil)
	for i := range n {
		y0.SetRow(i, []float64{10 * x.At(i, 0), 10 * x.At(i, 1)})
	}
	opt := TSNEOptions{EarlyEpochs: -1, Epochs: 6, Density: Density{Lambda: 0.5, Graph: a.P, Radius: radii},
		Pins: Pins{Rows: []int{3, 700}, Y: mat.NewDense(2, 2, []float64{1, 2, -3, 4}), Pull: 1}}
	run := func(p *sparse.CSR, y *mat.Dense, opt TSNEOptions) *mat.Dense {
		t.Helper()
		var shown *mat.Dense
		opt.Progress = func(_, _ int, y *mat.Dense, _ float64) { shown = mat.DenseCopyOf(y) }
		r, err := TSNE(context.Background(), p, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(shown, r.Y) {
			t.Error("Progress reports other positions than the result")
		}
		return r.Y
	}
	want := run(a.P, y0, opt)
	if v := want.RawRowView(700); v[0] != -3 || v[1] != 4 {
		t.Errorf("pinned sample 700 is at %v", v)
	}
	other := &arrangement{rng.Perm(n), make([]int32, n)}
	for r, i := range other.sample {
		other.place[i] = int32(r)
	}
	moved := run(other.graph(a.P), samples.Pick(y0, other.sample), other.options(opt, n, 2))
	got := mat.NewDense(n, 2, nil)
	other.restore(got, moved)
	got.Sub(got, want)
	if diff := mat.Max(got) - mat.Min(got); diff > 1e-6 {
		t.Errorf("samples in another order move by %v", diff)
	}
}
