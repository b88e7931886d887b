package goblas

import (
	"gonum.org/v1/gonum/blas"
	blasgonum "gonum.org/v1/gonum/blas/gonum"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// Level2 is gonum's BLAS, except that Ddot, Daxpy, Dgemv and Dger use the loops of package kernel.
// Large problems use all processors. gonum's code rejects invalid arguments.
//
// Level2 embeds the interface instead of gonum's type, because the linker reads all promoted
// methods for each cell of a notebook, and gonum's type has methods for four precisions.
type Level2 struct{ blas.Float64 }

// NewLevel2 returns a Level2 that uses gonum's BLAS for all other routines.
func NewLevel2() Level2 { return Level2{blasgonum.Implementation{}} }

var _ blas.Float64 = Level2{}

const (
	// short is the length below which the overhead of a call exceeds its gain.
	short = 8
	// parallelMin is the number of matrix entries below which a single processor works.
	parallelMin = 1 << 16
)

// Ddot returns xᵀy.
func (e Level2) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	if !kernel.Fast || incX != 1 || incY != 1 || n < short || len(x) < n || len(y) < n {
		return e.Float64.Ddot(n, x, incX, y, incY)
	}
	return kernel.Dot(x[:n], y)
}

// Daxpy adds alpha·x to y.
func (e Level2) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	if !kernel.Fast || incX != 1 || incY != 1 || n < short || len(x) < n || len(y) < n {
		e.Float64.Daxpy(n, alpha, x, incX, y, incY)
		return
	}
	kernel.Axpy(alpha, x[:n], y)
}

// Dgemv computes y = alpha·op(A)·x + beta·y.
func (e Level2) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	lenX, lenY := n, m
	if t != blas.NoTrans {
		lenX, lenY = m, n
	}
	valid := t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
	if !kernel.Fast || !valid || n < short || m < short || alpha == 0 || lda < n || len(a) < (m-1)*lda+n ||
		incX <= 0 || incY <= 0 || len(x) < (lenX-1)*incX+1 || len(y) < (lenY-1)*incY+1 {
		e.Float64.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	xs, ys := x[:lenX], y[:lenY]
	if incX != 1 {
		xs = gather(lenX, x, incX)
	}
	if incY != 1 {
		ys = gather(lenY, y, incY)
	}
	switch beta {
	case 1:
	case 0:
		clear(ys)
	default:
		for i := range ys {
			ys[i] *= beta
		}
	}
	if t == blas.NoTrans {
		rowProducts(m, n, alpha, a, lda, xs, ys)
	} else {
		columnSums(m, n, alpha, a, lda, xs, ys)
	}
	if incY != 1 {
		for i, v := range ys {
			y[i*incY] = v
		}
	}
}

func gather(n int, x []float64, inc int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = x[i*inc]
	}
	return v
}

// blocks calls f for pieces of the indices 0 … n-1, each of the given size or less, on all
// processors. If the matrix has too few entries for this, blocks calls f once with 0 and n.
func blocks(n, size, entries int, f func(lo, hi int)) {
	if entries < parallelMin {
		f(0, n)
		return
	}
	par.Blocks(n, size, f)
}

// rowProducts adds alpha·A·x to y.
func rowProducts(m, n int, alpha float64, a []float64, lda int, x, y []float64) {
	size := max(4, (1<<15/n)&^3) // pieces of 256 KiB
	blocks(m, size, m*n, func(lo, hi int) {
		i := lo
		for ; i+4 <= hi; i += 4 {
			var t [4]float64
			kernel.Dot4(a[i*lda:], lda, x, &t)
			for r, v := range t {
				y[i+r] += alpha * v
			}
		}
		for ; i < hi; i++ {
			y[i] += alpha * kernel.Dot(x, a[i*lda:])
		}
	})
}

// columnSums adds alpha·Aᵀ·x to y. Each piece of y is computed from all rows.
func columnSums(m, n int, alpha float64, a []float64, lda int, x, y []float64) {
	blocks(n, 128, m*n, func(lo, hi int) {
		out := y[lo:hi]
		i := 0
		for ; i+4 <= m; i += 4 {
			s := [4]float64{alpha * x[i], alpha * x[i+1], alpha * x[i+2], alpha * x[i+3]}
			kernel.Axpy4(&s, a[i*lda+lo:], lda, out)
		}
		for ; i < m; i++ {
			kernel.Axpy(alpha*x[i], a[i*lda+lo:i*lda+hi], out)
		}
	})
}

// Dger adds alpha·x·yᵀ to the m×n matrix A.
func (e Level2) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if !kernel.Fast || n < short || m < 1 || incY != 1 || incX <= 0 || lda < n || len(a) < (m-1)*lda+n || len(y) < n || len(x) < (m-1)*incX+1 {
		e.Float64.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	blocks(m, max(1, 1<<15/n), m*n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			kernel.Axpy(alpha*x[i*incX], y[:n], a[i*lda:])
		}
	})
}
