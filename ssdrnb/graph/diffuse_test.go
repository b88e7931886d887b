package graph_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// graphOf returns the symmetric graph of n samples with edges (i, j, weight).
func graphOf(t *testing.T, n int, edges ...[3]float64) *sparse.CSR {
	t.Helper()
	var entries []sparse.Triplet
	for _, e := range edges {
		i, j := int(e[0]), int(e[1])
		entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: e[2]}, sparse.Triplet{Row: j, Col: i, Value: e[2]})
	}
	w, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Values computed by hand: for three and for five nodes in a row, with unequal weights, with a node
// without links, and with a component without labels.
func TestDiffuseByHand(t *testing.T) {
	row := graphOf(t, 3, [3]float64{0, 1, 1}, [3]float64{1, 2, 1})
	long := graphOf(t, 5, [3]float64{0, 1, 1}, [3]float64{1, 2, 1}, [3]float64{2, 3, 1}, [3]float64{3, 4, 1})
	pieces := graphOf(t, 6, [3]float64{0, 1, 3}, [3]float64{1, 2, 1}, [3]float64{4, 5, 2})
	for _, c := range []struct {
		name   string
		w      *sparse.CSR
		labels []int
		steps  int
		want   []float64
	}{
		{"before the first step", row, []int{0, -1, 1}, 0, []float64{1, 0, 0, 0, 0, 1}},
		{"between two labels", row, []int{0, -1, 1}, 1, []float64{1, 0, 0.5, 0.5, 0, 1}},
		// Steps use the old values: the last node gets the zero that the middle one had.
		{"one step of one label", row, []int{0, -1, -1}, 1, []float64{1, 0.5, 0}},
		{"two steps of one label", row, []int{0, -7, -1}, 2, []float64{1, 0.5, 0.5}},
		{"three steps of one label", row, []int{0, -1, -1}, 3, []float64{1, 0.75, 0.5}},
		{"no label at the fifth node yet", long, []int{0, -1, -1, -1, -1}, 3, []float64{1, 0.625, 0.25, 0.125, 0}},
		{"the label at the fifth node", long, []int{0, -1, -1, -1, -1}, 4, []float64{1, 0.625, 0.375, 0.125, 0.125}},
		{"weights, a dot alone, a piece without a label", pieces, []int{0, -1, 1, -1, -1, -1}, 9,
			[]float64{1, 0, 0.75, 0.25, 0, 1, 0, 0, 0, 0, 0, 0}},
		{"a labelled dot alone", pieces, []int{0, -1, -1, 1, -1, -1}, 2000,
			[]float64{1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0}},
	} {
		got, err := graph.Diffuse(ctx, c.w, c.labels, c.steps)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		n, classes := got.Dims()
		if want := mat.NewDense(n, len(c.want)/n, c.want); classes != len(c.want)/n || !mat.EqualApprox(got, want, 1e-15) {
			t.Errorf("%s: got %v, want %v", c.name, mat.Formatted(got), mat.Formatted(want))
		}
	}
}

// In the limit the values solve the Laplace equation with the labels as boundary values: L_uu·F_u =
// W_ul·Y_l.
func TestDiffuseIsHarmonic(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	_, w, _ := weighed(t, cloud(rng, 60, 3, false), 6, graph.Heat(2))
	labels := make([]int, 60)
	for i := range labels {
		labels[i] = -1
	}
	labels[3], labels[20], labels[41], labels[55] = 0, 1, 2, 1
	if pieces, _ := graph.Components(w); pieces != 1 {
		t.Fatalf("%d pieces", pieces)
	}
	got, err := graph.Diffuse(ctx, w, labels, 20000)
	if err != nil {
		t.Fatal(err)
	}
	l := graph.Laplacian(w)
	a, b := mat.NewDense(60, 60, nil), mat.NewDense(60, 3, nil)
	for i, c := range labels {
		if c >= 0 {
			a.Set(i, i, 1)
			b.Set(i, c, 1)
			continue
		}
		cols, vals := l.Row(i)
		for k, j := range cols {
			a.Set(i, int(j), vals[k])
		}
	}
	var want mat.Dense
	if err := want.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(got, &want, 1e-9) {
		t.Errorf("got\n%.4g\nwant\n%.4g", mat.Formatted(got), mat.Formatted(&want))
	}
}

// Only the ratios of weights matter, and the number of processors changes no bit.
func TestDiffuseScaleAndProcessors(t *testing.T) {
	for _, f := range []float64{5e-324, 1e-300, 1, 1e300, math.MaxFloat64 / 4} {
		w := graphOf(t, 3, [3]float64{0, 1, f}, [3]float64{1, 2, 3 * f})
		got, err := graph.Diffuse(ctx, w, []int{0, -1, 1}, 1)
		if err != nil || math.Abs(got.At(1, 0)-0.25) > 1e-15 || math.Abs(got.At(1, 1)-0.75) > 1e-15 {
			t.Errorf("at %g: %v, %v", f, got, err)
		}
	}
	_, w, _ := weighed(t, cloud(rand.New(rand.NewPCG(6, 1)), 3000, 3, false), 6, graph.Binary())
	labels := make([]int, 3000)
	for i := range labels {
		labels[i] = i%100 - 90
	}
	var all [][]float64
	for _, cores := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(cores)
		got, err := graph.Diffuse(ctx, w, labels, 50)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, got.RawMatrix().Data)
	}
	if !slices.Equal(all[0], all[1]) || !slices.Equal(all[0], all[2]) {
		t.Error("the number of processors changes the values")
	}
}

func TestDiffuseErrors(t *testing.T) {
	row := graphOf(t, 3, [3]float64{0, 1, 1}, [3]float64{1, 2, 1})
	known := []int{0, -1, 1}
	wide, err := sparse.FromTriplets(2, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		w      *sparse.CSR
		labels []int
		steps  int
		want   error
	}{
		"not square":    {wide, known, 1, graph.ErrOption},
		"few labels":    {row, known[:2], 1, graph.ErrOption},
		"no labels":     {row, []int{-1, -1, -1}, 1, graph.ErrOption},
		"steps":         {row, known, -1, graph.ErrOption},
		"a huge class":  {row, []int{math.MaxInt32, -1, 1}, 1, graph.ErrMemory},
		"an overflow":   {row, []int{math.MaxInt, -1, 1}, 1, graph.ErrMemory},
		"negative":      {graphOf(t, 3, [3]float64{0, 1, -1}), known, 1, graph.ErrOption},
		"infinite":      {graphOf(t, 3, [3]float64{0, 1, math.Inf(1)}), known, 1, graph.ErrOption},
		"not a number":  {graphOf(t, 3, [3]float64{0, 1, math.NaN()}), known, 1, graph.ErrOption},
		"empty":         {&sparse.CSR{RowPtr: []int{0}}, nil, 1, graph.ErrOption},
		"without a row": {&sparse.CSR{}, nil, 0, graph.ErrOption},
	} {
		if _, err := graph.Diffuse(ctx, c.w, c.labels, c.steps); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := graph.Diffuse(cancelled, row, known, 1<<40); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
