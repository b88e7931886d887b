package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	blasgonum "gonum.org/v1/gonum/blas/gonum"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// TestLevel2 compares vector operations and matrix-vector products with gonum's.
func TestLevel2(t *testing.T) {
	ref := blasgonum.Implementation{}
	sizes := append([]int{500}, testSizes...)
	eachEngine(t, func(t *testing.T, e *engine) {
		rng := rand.New(rand.NewPCG(7, 8))
		for range 500 {
			m, n := pick(rng, sizes), pick(rng, sizes)
			alpha, beta, tr := pick(rng, scalars), pick(rng, scalars), pick(rng, transes)
			incX, incY := 1+rng.IntN(2), 1+rng.IntN(2)
			lda := max(1, n+rng.IntN(4))
			a := randomMatrix(rng, m, n, lda)
			vector := func(n, inc int) []float64 { return randomMatrix(rng, n, 1, inc) }
			what := func(routine string) string {
				return fmt.Sprintf("%s m=%d n=%d lda=%d incX=%d incY=%d alpha=%g beta=%g trans=%c", routine, m, n, lda, incX, incY, alpha, beta, tr)
			}
			lenX, lenY := n, m
			if tr != blas.NoTrans {
				lenX, lenY = m, n
			}
			x, y := vector(lenX, incX), vector(lenY, incY)
			got, want := slices.Clone(y), slices.Clone(y)
			e.blas.Dgemv(tr, m, n, alpha, a, lda, x, incX, beta, got, incY)
			ref.Dgemv(tr, m, n, alpha, a, lda, x, incX, beta, want, incY)
			compare(t, what("dgemv"), got, want, lenX)

			x, y = vector(m, incX), vector(n, incY)
			got, want = slices.Clone(a), slices.Clone(a)
			e.blas.Dger(m, n, alpha, x, incX, y, incY, got, lda)
			ref.Dger(m, n, alpha, x, incX, y, incY, want, lda)
			compare(t, what("dger"), got, want, 1)

			x, y = vector(n, incX), vector(n, incY)
			got, want = slices.Clone(y), slices.Clone(y)
			e.blas.Daxpy(n, alpha, x, incX, got, incY)
			ref.Daxpy(n, alpha, x, incX, want, incY)
			compare(t, what("daxpy"), got, want, 1)
			compare(t, what("ddot"), []float64{e.blas.Ddot(n, x, incX, y, incY)}, []float64{ref.Ddot(n, x, incX, y, incY)}, n)
			if t.Failed() {
				return
			}
		}
	})
}

// TestCholesky compares factors and condition estimates with gonum's, and tries matrices without a
// factor.
func TestCholesky(t *testing.T) {
	ref := lapackgonum.Implementation{}
	eachEngine(t, func(t *testing.T, _ *engine) {
		rng := rand.New(rand.NewPCG(9, 1))
		for _, n := range []int{1, 2, 5, 47, 48, 49, 96, 97, 150, 201} {
			for _, ul := range uplos {
				lda := n + rng.IntN(3)
				g := filled(rng, n*(n+3))
				a := randomMatrix(rng, n, n, lda)
				blasgonum.Implementation{}.Dsyrk(ul, blas.NoTrans, n, n+3, 1, g, n+3, 0, a, lda)
				poison(ul, n, a, lda)
				norm := 0.0 // row-sum norm of the full matrix
				for i := range n {
					sum := 0.0
					for j := range n {
						p, q := i, j
						if (ul == blas.Upper) == (p > q) {
							p, q = q, p
						}
						if i == j {
							p, q = i, i
						}
						sum += math.Abs(a[p*lda+q])
					}
					norm = max(norm, sum)
				}
				got, want := slices.Clone(a), slices.Clone(a)
				if !newLapack().Dpotrf(ul, n, got, lda) || !ref.Dpotrf(ul, n, want, lda) {
					t.Fatalf("n = %d, %c: not positive definite", n, ul)
				}
				compare(t, fmt.Sprintf("n = %d, %c", n, ul), got, want, 100*n)
				work, iwork := make([]float64, 3*n), make([]int, n)
				rcond := newLapack().Dpocon(ul, n, want, lda, norm, work, iwork)
				if w := ref.Dpocon(ul, n, want, lda, norm, work, iwork); !(math.Abs(rcond-w) <= 1e-6*w) {
					t.Errorf("n = %d, %c: reciprocal condition %g, gonum has %g", n, ul, rcond, w)
				}
				for _, spoil := range []float64{-1, 0, math.NaN()} {
					bad := slices.Clone(a)
					at := rng.IntN(n)
					bad[at*lda+at] = spoil
					if newLapack().Dpotrf(ul, n, bad, lda) {
						t.Errorf("n = %d, %c: positive definite with %v on the diagonal", n, ul, spoil)
					}
				}
			}
		}
		// A factor graded so strongly that solutions overflow.
		a := mat.NewSymDense(60, nil)
		for i := range 60 {
			a.SetSym(i, i, math.Pow(10, -10*float64(i%60)))
		}
		var c mat.Cholesky
		if c.Factorize(a) && !(c.Cond() > 1e100) {
			t.Errorf("condition number %g", c.Cond())
		}
	})
}

// TestProcessors runs the same work on one and on several processors and compares all bits.
func TestProcessors(t *testing.T) {
	eachEngine(t, func(t *testing.T, _ *engine) {
		rng := rand.New(rand.NewPCG(11, 2))
		const n = 310
		a, s := mat.NewDense(n, n, filled(rng, n*n)), mat.NewSymDense(n, filled(rng, n*n))
		run := func() [][]float64 {
			var p, solved mat.Dense
			p.Mul(a, a)
			k := mat.NewSymDense(n, nil)
			k.SymOuterK(1, a)
			for i := range n {
				k.SetSym(i, i, k.At(i, i)+1)
			}
			var c mat.Cholesky
			if !c.Factorize(k) {
				t.Fatal("not positive definite")
			}
			if err := c.SolveTo(&solved, a); err != nil {
				t.Fatal(err)
			}
			values, vectors, err := EigenSym(s)
			if err != nil {
				t.Fatal(err)
			}
			u, sv, v, err := SVDThin(a)
			if err != nil {
				t.Fatal(err)
			}
			return [][]float64{p.RawMatrix().Data, k.RawSymmetric().Data, solved.RawMatrix().Data, values, vectors.RawMatrix().Data,
				u.RawMatrix().Data, sv, v.RawMatrix().Data}
		}
		was := runtime.GOMAXPROCS(1)
		defer runtime.GOMAXPROCS(was)
		want := run()
		for _, processors := range []int{2, 3, 7} {
			runtime.GOMAXPROCS(processors)
			for i, got := range run() {
				if !slices.Equal(got, want[i]) {
					t.Errorf("result %d differs with %d processors", i, processors)
				}
			}
		}
	})
}
