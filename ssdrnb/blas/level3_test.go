package blas

import (
	"fmt"
	"math"
	"math/rand/v2"

	"testing"

	"gonum.org/v1/gonum/blas"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
)

// randomMatrix returns rows×cols normal numbers with NaN in the gap between the
// rows, so that a routine that reads or writes there is caught.
func randomMatrix(rng *rand.Rand, rows, cols, ld int) []float64 {
	v := make([]float64, max(0, (rows-1)*ld+cols))
	for i := range v {
		v[i] = math.NaN()
		if i%ld < cols {
			v[i] = rng.NormFloat64()
		}
	}
	return v
}

// poison sets the triangle that a routine must not read to NaN.
func poison(ul blas.Uplo, n int, a []float64, ld int) {
	for i := range n {
		for j := range n {
			if j < i && ul == blas.Upper || j > i && ul == blas.Lower {
				a[i*ld+j] = math.NaN()
			}
		}
	}
}

// compare reports the first entry that differs by more than the rounding of sums of k terms; NaN
// equals NaN.
func compare(t *testing.T, what string, got, want []float64, k int) {
	t.Helper()
	for i, w := range want {
		g := got[i]
		if math.IsNaN(w) && math.IsNaN(g) || math.Abs(g-w) <= 1e-13*float64(k+8)*(1+math.Abs(w)) {
			continue
		}
		t.Errorf("%s: entry %d is %g, want %g", what, i, g, w)
		return
	}
}

var (
	scalars = []float64{0, 1, -0.7}
	transes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	uplos   = []blas.Uplo{blas.Upper, blas.Lower}
	sides   = []blas.Side{blas.Left, blas.Right}
	diags   = []blas.Diag{blas.NonUnit, blas.Unit}
)

// testSizes are sizes around the tile and block sizes of the engines.
var testSizes = []int{0, 1, 2, 3, 4, 5, 11, 12, 13, 24, 31, 47, 48, 49, 95, 121, 130, 257, 300}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

func TestLevel3(t *testing.T) {
	ref := blasgonum.Implementation{}
	rounds := 500
	if testing.Short() {
		rounds = 60
	}
	eachEngine(t, func(t *testing.T, e *engine) {
		rng := rand.New(rand.NewPCG(5, 6))
		for range rounds {
			m, n, k := pick(rng, testSizes), pick(rng, testSizes), pick(rng, testSizes)
			alpha, beta := pick(rng, scalars), pick(rng, scalars)
			ta, tb, ul, side, diag := pick(rng, transes), pick(rng, transes), pick(rng, uplos), pick(rng, sides), pick(rng, diags)
			gap := func(cols int) int { return max(1, cols+rng.IntN(4)) }
			shape := func(trans blas.Transpose, rows, cols int) ([]float64, int) {
				if trans != blas.NoTrans {
					rows, cols = cols, rows
				}
				ld := gap(cols)
				return randomMatrix(rng, rows, cols, ld), ld
			}
			triangle := func(n int) ([]float64, int) {
				ld := gap(n)
				a := randomMatrix(rng, n, n, ld)
				poison(ul, n, a, ld)
				for i := range n {
					a[i*ld+i] = float64(n) + 2 // well-conditioned solutions
					if diag == blas.Unit {
						a[i*ld+i] = math.NaN()
					}
					for j := range n {
						if i != j && diag == blas.Unit {
							a[i*ld+j] /= float64(n)
						}
					}
				}
				return a, ld
			}
			what := func(routine string) string {
				return fmt.Sprintf("%s m=%d n=%d k=%d alpha=%g beta=%g transA=%c transB=%c uplo=%c side=%c diag=%c", routine, m, n, k, alpha, beta, ta, tb, ul, side, diag)
			}
			ldc := gap(n)
			c := randomMatrix(rng, m, n, ldc)
			run := func(routine string, c []float64, terms int, f func(b blas.Float64, c []float64)) {
				t.Helper()
				got, want := append([]float64(nil), c...), append([]float64(nil), c...)
				f(e.blas, got)
				f(ref, want)
				compare(t, what(routine), got, want, terms)
			}
			{
				a, lda := shape(ta, m, k)
				b, ldb := shape(tb, k, n)
				run("dgemm", c, k, func(e blas.Float64, c []float64) {
					e.Dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
				})
			}
			{
				a, lda := shape(ta, n, k)
				b, ldb := shape(ta, n, k)
				ldc := gap(n)
				c := randomMatrix(rng, n, n, ldc)
				poison(ul, n, c, ldc)
				run("dsyrk", c, k, func(e blas.Float64, c []float64) {
					e.Dsyrk(ul, ta, n, k, alpha, a, lda, beta, c, ldc)
				})
				run("dsyr2k", c, 2*k, func(e blas.Float64, c []float64) {
					e.Dsyr2k(ul, ta, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
				})
			}
			order := n
			if side == blas.Left {
				order = m
			}
			{
				lda, ldb := gap(order), gap(n)
				a, b := randomMatrix(rng, order, order, lda), randomMatrix(rng, m, n, ldb)
				poison(ul, order, a, lda)
				run("dsymm", c, order, func(e blas.Float64, c []float64) {
					e.Dsymm(side, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
				})
			}
			a, lda := triangle(order)
			run("dtrsm", c, order, func(e blas.Float64, c []float64) {
				e.Dtrsm(side, ul, ta, diag, m, n, alpha, a, lda, c, ldc)
			})
			run("dtrmm", c, order, func(e blas.Float64, c []float64) {
				e.Dtrmm(side, ul, ta, diag, m, n, alpha, a, lda, c, ldc)
			})
			if t.Failed() {
				return
			}
		}
	})
}

// With few columns, products of [Local] read the left factor in place.
func TestLocalFewColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for _, size := range [][3]int{{1, 8, 700}, {7, 1, 900}, {51, 4, 1024}, {1024, 4, 51}, {1023, 3, 7}, {53, 6, 701}, {601, 7, 54}, {90, 8, 90}, {70, 9, 90}} {
		m, n, k := size[0], size[1], size[2]
		for _, trans := range transes {
			for _, alpha := range scalars {
				for _, beta := range scalars {
					rows, cols := m, k
					if trans != blas.NoTrans {
						rows, cols = k, m
					}
					a, b := randomMatrix(rng, rows, cols, cols+3), randomMatrix(rng, k, n, n+2)
					got := randomMatrix(rng, m, n, n+1)
					want := append([]float64(nil), got...)
					Local().Dgemm(trans, blas.NoTrans, m, n, k, alpha, a, cols+3, b, n+2, beta, got, n+1)
					blasgonum.Implementation{}.Dgemm(trans, blas.NoTrans, m, n, k, alpha, a, cols+3, b, n+2, beta, want, n+1)
					compare(t, fmt.Sprintf("%d×%d of %d, %c, alpha %g, beta %g", m, n, k, trans, alpha, beta), got, want, k)
				}
			}
		}
	}
}
