package dense_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/mattest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

func gaussian(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, d, nil)
	for k := range x.RawMatrix().Data {
		x.RawMatrix().Data[k] = rng.NormFloat64()
	}
	return x
}

// weights returns a random symmetric graph.
func weights(t *testing.T, n int) *sparse.CSR {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 1))
	var entries []sparse.Triplet
	for i := range n {
		for j := range i {
			if v := rng.Float64(); v < 0.4 {
				entries = append(entries, sparse.Triplet{Row: i, Col: j, Value: v}, sparse.Triplet{Row: j, Col: i, Value: v})
			}
		}
	}
	m, err := sparse.FromTriplets(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCenter(t *testing.T) {
	x := gaussian(7, 3, 1)
	before := mat.DenseCopyOf(x)
	mean, c := dense.Center(x)
	if !mat.Equal(x, before) {
		t.Error("the argument changed")
	}
	mattest.Near(t, "column sums", mattest.Product(mat.NewDense(1, 7, []float64{1, 1, 1, 1, 1, 1, 1}), c), mat.NewDense(1, 3, nil), 1e-14)
	dense.AddRow(c, mean)
	mattest.Near(t, "centred + mean", c, x, 1e-14)
}

// The principal components of c are an eigenbasis of cᵀc, computed from either product.
func TestPrincipal(t *testing.T) {
	for _, shape := range [][2]int{{30, 5}, {5, 30}, {6, 6}} {
		_, c := dense.Center(gaussian(shape[0], shape[1], 2))
		values, basis, err := dense.Principal(c)
		if err != nil {
			t.Fatal(err)
		}
		_, r := basis.Dims()
		if rank := min(shape[0]-1, shape[1]); r < rank || len(values) < r {
			t.Fatalf("%v: %d directions and %d values, but rank %d", shape, r, len(values), rank)
		}
		mattest.Near(t, "basisᵀ·basis", mattest.Product(basis.T(), basis), dense.Identity(r, r), 1e-12)
		turned := mattest.Product(c, basis)
		scatter := mattest.Product(turned.T(), turned)
		for k := range r {
			if k > 0 && values[k] > values[k-1] {
				t.Errorf("%v: values are not descending: %v", shape, values)
			}
			scatter.Set(k, k, scatter.At(k, k)-values[k])
		}
		mattest.Near(t, "scatter along the basis, less the values", scatter, mat.NewDense(r, r, nil), 1e-11)
		mattest.Near(t, "what the basis spans", mattest.Product(turned, basis.T()), c, 1e-12)
	}
}

func TestSolvePositive(t *testing.T) {
	g := gaussian(9, 6, 4)
	m := dense.AddRidge(dense.SymmetricProduct(g, g), 0.1)
	b := gaussian(6, 2, 5)
	x, err := dense.SolvePositive(m, 0.1, b)
	if err != nil {
		t.Fatal(err)
	}
	mattest.Near(t, "m·x", mattest.Product(m, x), b, 1e-11)
	// An eigenvalue that is negative by rounding counts as the floor.
	m = mat.NewSymDense(2, []float64{1, 0, 0, -1e-20})
	if x, err = dense.SolvePositive(m, 1e-3, mat.NewDense(2, 1, []float64{2, 2})); err != nil {
		t.Fatal(err)
	}
	mattest.Near(t, "at the floor", x, mat.NewDense(2, 1, []float64{2, 2000}), 1e-6)
}

func TestOrthonormalise(t *testing.T) {
	_, basis, err := dense.Principal(gaussian(20, 4, 6))
	if err != nil {
		t.Fatal(err)
	}
	nudged := mat.DenseCopyOf(basis)
	for k := range nudged.RawMatrix().Data {
		nudged.RawMatrix().Data[k] *= 1 + 1e-6*float64(k%3)
	}
	dense.Orthonormalise(nudged)
	mattest.Near(t, "Gram matrix", mattest.Product(nudged.T(), nudged), dense.Identity(4, 4), 1e-14)
	mattest.Near(t, "basis", nudged, basis, 1e-5)
}

// Sums over the edges of a graph agree with its explicit matrices.
func TestGraphSums(t *testing.T) {
	w, z := weights(t, 12), gaussian(12, 3, 7)
	l := graph.Laplacian(w)
	full := dense.FromSparse(l)
	mattest.Near(t, "zᵀLz", dense.Quadratic(l, z), mattest.Product(z.T(), mattest.Product(full, z)), 1e-12)
	mattest.Near(t, "zᵀLᵀLz", dense.SquaredNorms(l, z), mattest.Product(mattest.Product(full, z).T(), mattest.Product(full, z)), 1e-11)
	if got, want := dense.Roughness(w, z), mat.Trace(mattest.Product(z.T(), mattest.Product(full, z))); math.Abs(got-want) > 1e-12 {
		t.Errorf("roughness %v, want %v", got, want)
	}
	sums := 0.0
	for i := range 12 {
		row := 0.0
		for j := range 12 {
			row += math.Abs(full.At(i, j))
		}
		sums = max(sums, row)
	}
	if got := dense.RowNorm(l); math.Abs(got-sums) > 1e-12 {
		t.Errorf("row norm %v, want %v", got, sums)
	}
	a, b := gaussian(4, 3, 8), gaussian(4, 3, 9)
	if got, want := dense.Inner(a, b), mat.Trace(mattest.Product(a.T(), b)); math.Abs(got-want) > 1e-12 {
		t.Errorf("inner product %v, want %v", got, want)
	}
}

// A smoothness equals the product with the Laplacian unless linked rows nearly coincide. It is then
// exact, and 0 for copies that differ by rounding errors.
func TestSmoothness(t *testing.T) {
	w, z := weights(t, 12), gaussian(12, 3, 7)
	l := graph.Laplacian(w)
	rounding := make([]float64, 12)
	if got := dense.Smoothness(l, z, rounding); !mat.Equal(got, dense.Quadratic(l, z)) {
		t.Error("the smoothness of ordinary rows is not the product")
	}
	// Weights of both signs: the trace is 0, the term is not.
	signed, err := sparse.FromTriplets(3, 3, []sparse.Triplet{{Row: 0, Col: 1, Value: 1}, {Row: 1, Col: 0, Value: 1}, {Row: 1, Col: 2, Value: -1}, {Row: 2, Col: 1, Value: -1}})
	if err != nil {
		t.Fatal(err)
	}
	line := mat.NewDense(3, 2, []float64{0, 0.3, 0.1, 0.3, 0.1, 0.4})
	if got, want := dense.Smoothness(graph.Laplacian(signed), line, rounding[:3]), dense.Quadratic(graph.Laplacian(signed), line); !mat.Equal(got, want) || !(got.At(0, 0) > 0) {
		t.Errorf("weights of both signs: %v, want %v", got, want)
	}
	for i := range rounding {
		rounding[i] = 1e-14
	}
	for _, c := range []struct {
		apart float64
		zero  bool
	}{{0, true}, {1e-15, true}, {1e-12, false}, {1e-9, false}} {
		steps := gaussian(12, 3, 8)
		x, differences := mat.NewDense(12, 3, nil), mat.NewDense(12, 3, nil)
		for i := range 12 {
			for k := range 3 {
				x.Set(i, k, float64(5+k)+c.apart*steps.At(i, k))
				differences.Set(i, k, x.At(i, k)-float64(5+k)) // exact
			}
		}
		got, want := dense.Smoothness(l, x, rounding), dense.Quadratic(l, differences)
		switch {
		case c.zero && mat.Norm(got, 2) != 0:
			t.Errorf("%g apart: %v, want exactly 0", c.apart, got)
		case !c.zero && !(mat.Trace(got) > 0):
			t.Errorf("%g apart: the trace is %v", c.apart, mat.Trace(got))
		case !c.zero:
			mattest.Near(t, "nearly equal rows", got, want, 1e-12*mat.Trace(want))
		}
	}
}

func TestSigns(t *testing.T) {
	w := mat.NewDense(3, 3, []float64{1, -5, 2, -4, 1, -2, 2, 3, 1})
	dense.Flip(dense.Signs(w), w)
	mattest.Near(t, "signs fixed", w, mat.NewDense(3, 3, []float64{-1, 5, 2, 4, -1, -2, -2, -3, 1}), 0)
	for _, s := range dense.Signs(w) {
		if s != 1 {
			t.Errorf("once fixed, the signs are %v", dense.Signs(w))
		}
	}
}

func TestReversedAndUnitColumns(t *testing.T) {
	if got := dense.Reversed([]float64{-1e-17, 2, 5}); got[0] != 5 || got[1] != 2 || got[2] != 0 {
		t.Error(got)
	}
	mattest.Near(t, "columns", dense.ReversedColumns(mat.NewDense(1, 3, []float64{1, 2, 3})), mat.NewDense(1, 3, []float64{3, 2, 1}), 0)
	w := mat.NewDense(2, 2, []float64{3, 0, 4, -2})
	dense.UnitColumns(w)
	mattest.Near(t, "unit columns", w, mat.NewDense(2, 2, []float64{0.6, 0, 0.8, -1}), 1e-15)
	mattest.Near(t, "(m + mᵀ)/2", dense.Symmetrized(mat.NewDense(2, 2, []float64{1, 2, 4, 5})), mat.NewSymDense(2, []float64{1, 3, 3, 5}), 0)
}
