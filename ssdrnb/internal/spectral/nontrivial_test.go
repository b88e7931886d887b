package spectral_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// vanishing is the zero operator of order n, whose null space is everything.
func vanishing(t *testing.T, n int) spectral.Operator {
	t.Helper()
	o, err := spectral.Sparse(&sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// skew returns how far the columns of v are from orthonormal: ‖vᵀv − I‖.
func skew(v *mat.Dense) float64 {
	var gram mat.Dense
	gram.Mul(v.T(), v)
	for i := range gram.RawMatrix().Rows {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	return mat.Norm(&gram, 2)
}

// TestNontrivialAlong uses five weighted components whose means lie in a plane. Two vectors are the
// principal components of the means. A third vector, along which the means do not vary, completes
// them.
func TestNontrivialAlong(t *testing.T) {
	const n, count = 60, 5
	rng := rand.New(rand.NewPCG(3, 4))
	means := mat.NewDense(count, 2, []float64{0, 0, 10, 1, 20, -1, 30, 2, 45, -2})
	of, vector, x := make([]int, n), make([]float64, n), mat.NewDense(n, 3, nil)
	for i := range n {
		of[i], vector[i] = i%count, 1+rng.Float64()
		x.SetRow(i, []float64{means.At(of[i], 0), means.At(of[i], 1), 7})
	}
	null, err := spectral.Components(count, of, vector)
	if err != nil {
		t.Fatal(err)
	}
	nothing := vanishing(t, n)
	p, err := spectral.BottomNontrivial(context.Background(), nothing, 3, spectral.Options{Null: null, Along: x})
	if err != nil {
		t.Fatal(err)
	}
	// The same space as a span, with equal weights, since a span has no weights.
	flat, err := spectral.Components(count, of, nil)
	if err != nil {
		t.Fatal(err)
	}
	spanned, err := spectral.SpanOf(flat.Vectors(0, count))
	if err != nil {
		t.Fatal(err)
	}
	var both [2]*spectral.Pairs
	for k, space := range []spectral.Null{flat, spanned} {
		if both[k], err = spectral.BottomNontrivial(context.Background(), nothing, 2, spectral.Options{Null: space, Along: x}); err != nil {
			t.Fatal(err)
		}
		spectral.FixSigns(both[k].Vectors)
	}
	if !mat.EqualApprox(both[0].Vectors, both[1].Vectors, 1e-12) {
		t.Error("components and their span lie along different directions")
	}
	if e := skew(p.Vectors); e > 1e-12 {
		t.Errorf("orthonormal up to %g", e)
	}
	weight, mean := 0.0, [2]float64{}
	for i, v := range vector {
		weight += v * v
		for k := range mean {
			mean[k] += v * v * x.At(i, k)
		}
	}
	// The variation, as an n×2 matrix whose left singular vectors are wanted.
	deviation := mat.NewDense(n, 2, nil)
	for i, v := range vector {
		for k := range mean {
			deviation.Set(i, k, v*(x.At(i, k)-mean[k]/weight))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(deviation, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var u mat.Dense
	svd.UTo(&u)
	for k := range 2 {
		if c := math.Abs(mat.Dot(u.ColView(k), p.Vectors.ColView(k))); math.Abs(c-1) > 1e-12 {
			t.Errorf("vector %d has the cosine %g with the direction of variation", k, c)
		}
	}
	for k := range 3 {
		if c := mat.Dot(mat.NewVecDense(n, vector), p.Vectors.ColView(k)); math.Abs(c) > 1e-11 {
			t.Errorf("vector %d is not orthogonal to the trivial one: %g", k, c)
		}
		for i := range n {
			if first := of[i]; math.Abs(p.Vectors.At(i, k)/vector[i]-p.Vectors.At(first, k)/vector[first]) > 1e-12 {
				t.Fatalf("vector %d is not constant on component %d", k, first)
			}
		}
	}
	if p.Gap != 0 || p.Null != count {
		t.Errorf("gap %g, null %d", p.Gap, p.Null)
	}
}

// TestNontrivialManyFeatures uses more features than components, and equal means.
func TestNontrivialManyFeatures(t *testing.T) {
	const n, count, features = 12, 3, 40
	of, x := make([]int, n), mat.NewDense(n, features, nil)
	for i := range n {
		of[i] = i % count
		for k := range features {
			x.Set(i, k, float64(of[i]))
		}
	}
	null, err := spectral.Components(count, of, nil)
	if err != nil {
		t.Fatal(err)
	}
	nothing := vanishing(t, n)
	p, err := spectral.BottomNontrivial(context.Background(), nothing, 2, spectral.Options{Null: null, Along: x})
	if err != nil {
		t.Fatal(err)
	}
	for i := range count { // means 0, 1, 2: −a, 0, a
		if want := float64(i-1) / math.Sqrt(8); math.Abs(math.Abs(p.Vectors.At(i, 0))-math.Abs(want)) > 1e-12 {
			t.Errorf("component %d at %g, want ±%g", i, p.Vectors.At(i, 0), want)
		}
	}
	x.Zero()
	if p, err = spectral.BottomNontrivial(context.Background(), nothing, 2, spectral.Options{Null: null, Along: x}); err != nil {
		t.Fatal(err)
	}
	if e := skew(p.Vectors); e > 1e-12 {
		t.Errorf("equal means: orthonormal up to %g", e)
	}
	for _, d := range []int{0, n} {
		if _, err := spectral.BottomNontrivial(context.Background(), nothing, d, spectral.Options{Null: null}); !errors.Is(err, spectral.ErrOption) {
			t.Errorf("%d vectors of order %d: %v", d, n, err)
		}
	}
	if _, err := spectral.BottomNontrivial(context.Background(), nothing, 1, spectral.Options{Null: null, Along: mat.NewDense(n+1, 1, nil)}); !errors.Is(err, spectral.ErrOption) {
		t.Errorf("data of another size: %v", err)
	}
	if _, err := spectral.BottomNontrivial(context.Background(), nothing, 1, spectral.Options{}); !errors.Is(err, spectral.ErrOption) {
		t.Errorf("no null space: %v", err)
	}
}

func TestSpanOf(t *testing.T) {
	const n, r = 3000, 7
	rng := rand.New(rand.NewPCG(5, 5))
	v := mat.NewDense(n, r, nil)
	for i := range n {
		for k := range r {
			v.Set(i, k, math.Pow(10, float64(k))*(1+1e-3*rng.NormFloat64()))
		}
		v.Set(i, 0, 1)
	}
	before := mat.DenseCopyOf(v)
	space, err := spectral.SpanOf(v)
	if err != nil {
		t.Fatal(err)
	}
	q := space.Vectors(0, r)
	if e := skew(q); e > 1e-13 {
		t.Errorf("orthonormal up to %g", e)
	}
	for i := range n {
		if math.Abs(q.At(i, 0)-1/math.Sqrt(n)) > 1e-15 {
			t.Fatalf("the first vector has %g in row %d", q.At(i, 0), i)
		}
	}
	rest := mat.DenseCopyOf(v)
	space.Project(rest)
	for k := range r {
		if e := mat.Norm(rest.ColView(k), 2) / mat.Norm(v.ColView(k), 2); e > 1e-12 {
			t.Errorf("column %d is %g outside", k, e)
		}
	}
	if !mat.Equal(v, before) {
		t.Error("the columns were changed")
	}
	v.SetCol(3, mat.Col(nil, 2, v))
	if _, err := spectral.SpanOf(v); !errors.Is(err, spectral.ErrSingular) {
		t.Errorf("equal columns: %v", err)
	}
}
