package kernels_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/mattest"
)

var all = []kernels.Kernel{{Name: kernels.RBF, Scale: 1.7, Degree: 2}, {Name: kernels.Linear, Degree: 2}, {Name: kernels.Polynomial, Scale: 2, Degree: 3}}

func TestPair(t *testing.T) {
	x, y := []float64{1, 2}, []float64{3, 1}
	for k, want := range []float64{math.Exp(-5 / (1.7 * 1.7)), 5, math.Pow(1+5.0/4, 3)} {
		if got := all[k].Pair(x, y); math.Abs(got-want) > 1e-14 {
			t.Errorf("%v: %v, want %v", all[k], got, want)
		}
	}
}

// The matrix has the kernel of each pair, and no negative eigenvalue.
func TestMatrix(t *testing.T) {
	x, y := mattest.Gaussian(20, 4), mattest.Gaussian(9, 4)
	for _, k := range all {
		m := k.Matrix(x, y)
		for i := range 20 {
			for j := range 9 {
				if want := k.Pair(x.RawRowView(i), y.RawRowView(j)); math.Abs(m.At(i, j)-want) > 1e-12*max(1, math.Abs(want)) {
					t.Fatalf("%v: entry %d, %d is %v, want %v", k, i, j, m.At(i, j), want)
				}
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(dense.Symmetrized(k.Matrix(x, x)), false) {
			t.Fatal("no eigenvalues")
		}
		if v := eigen.Values(nil); v[0] < -1e-12*v[19] {
			t.Errorf("%v: eigenvalue %v", k, v[0])
		}
	}
}

// The factor of full rank reproduces the kernel matrix. Truncated, it leaves out the reported share
// of the trace, and is exact at its pivots.
func TestFactorise(t *testing.T) {
	_, x := dense.Center(mattest.Gaussian(30, 4))
	for _, k := range all {
		want := k.Matrix(x, x)
		for _, most := range []int{30, 3} {
			f, err := kernels.Factorise(context.Background(), k, x, most)
			if err != nil {
				t.Fatal(err)
			}
			var got, rest mat.Dense
			got.Mul(f.F, f.F.T())
			rest.Sub(want, &got)
			if most == 30 && mat.Max(&rest) > 1e-7*mat.Max(want) {
				t.Errorf("%v: the factor is off by %v", k, mat.Max(&rest))
			}
			if share := mat.Trace(&rest) / mat.Trace(want); math.Abs(share-f.Rest) > 1e-9 || math.Abs(f.Total-mat.Trace(want)) > 1e-9*f.Total {
				t.Errorf("%v: rest %v of %v, want %v of %v", k, f.Rest, f.Total, share, mat.Trace(want))
			}
			for a, p := range f.Pivots {
				if math.Abs(rest.At(p, p)) > 1e-9*mat.Max(want) {
					t.Errorf("%v: pivot %d leaves %v", k, p, rest.At(p, p))
				}
				for c := a + 1; c < len(f.Pivots); c++ {
					if f.F.At(p, c) != 0 {
						t.Errorf("%v: the rows of the pivots are no triangle", k)
					}
				}
			}
		}
	}
	// The linear kernel of four features has rank 4 for any number of samples.
	if f, err := kernels.Factorise(context.Background(), all[1], x, 30); err != nil || len(f.Pivots) != 4 {
		t.Errorf("rank %d, %v", len(f.Pivots), err)
	}
}

// Overflowing and vanishing kernels are errors.
func TestFactoriseFails(t *testing.T) {
	huge := mat.NewDense(2, 1, []float64{1e200, -1e200})
	for want, c := range map[error]struct {
		k kernels.Kernel
		x *mat.Dense
	}{
		kernels.ErrOverflow: {kernels.Kernel{Name: kernels.Polynomial, Scale: 1, Degree: 20}, huge},
		kernels.ErrVanishes: {kernels.Kernel{Name: kernels.Linear}, mat.NewDense(2, 2, nil)},
	} {
		if _, err := kernels.Factorise(context.Background(), c.k, c.x, 2); err == nil {
			t.Errorf("no error, want %v", want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := kernels.Factorise(ctx, all[0], mattest.Gaussian(5, 2), 5); err == nil {
		t.Error("a cancelled factorisation has no error")
	}
}

func TestDecode(t *testing.T) {
	for _, k := range all {
		got, err := kernels.Decode(k.Array())
		if err != nil || got != k {
			t.Errorf("%v is read as %v, %v", k, got, err)
		}
	}
	for _, bad := range [][]float64{{3, 1, 2}, {-1, 1, 2}, {0.5, 1, 2}, {math.NaN(), 1, 2}, {0, -1, 2}, {0, math.NaN(), 2}, {2, 1, 0}, {2, 1, 1e9}, {2, 1, 2.5}, {0, 1}} {
		if k, err := kernels.Decode(mat.NewDense(1, len(bad), bad)); err == nil {
			t.Errorf("%v is read as %v", bad, k)
		}
	}
}
