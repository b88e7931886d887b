package blas

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/kernel"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

const (
	// narrowStrip is the number of columns of the matrix that are multiplied at a time. Four rows
	// of a strip stay in the first-level cache while all vectors are processed.
	narrowStrip = 512
	// narrowLanes is the largest number of lanes, the groups of rows whose products are computed in
	// parallel.
	narrowLanes = 16
)

// SymMul sets dst = a·x for an n×p matrix x with few columns. dst and x must not share memory.
// Iterative methods spend most of their time on such products, whose speed is limited by memory
// traffic. SymMul therefore reads only the upper triangle of a, once for all columns. The result
// does not depend on GOMAXPROCS. SymMul panics if shapes do not match, as gonum/mat does.
func SymMul(dst *mat.Dense, a *mat.SymDense, x *mat.Dense) {
	from, to, raw := x.RawMatrix(), dst.RawMatrix(), a.RawSymmetric()
	n, p := raw.N, from.Cols
	if from.Rows != n || to.Rows != n || to.Cols != p {
		panic(mat.ErrShape)
	}
	v := from.Data
	if p > 1 || from.Stride > 1 {
		v = make([]float64, n*p)
		goblas.Transpose(n, p, from.Data, from.Stride, v, n)
	}
	// The number of lanes depends only on n, not on the number of processors, because it determines
	// the order of the additions and so the rounding.
	lanes := min(narrowLanes, max(1, n/128))
	parts := make([]float64, lanes*p*n)
	par.Blocks(lanes, 1, func(lane, _ int) {
		multiplyRows(raw.Data, raw.Stride, n, p, narrowRow(lane, lanes, n), narrowRow(lane+1, lanes, n), v, parts[lane*p*n:][:p*n])
	})
	// A lane contributes nothing to entries before its first row.
	par.Blocks(n, 512, func(lo, hi int) {
		for k := range p {
			sum := parts[k*n : (k+1)*n]
			for lane := 1; lane < lanes; lane++ {
				if first := max(lo, narrowRow(lane, lanes, n)); first < hi {
					kernel.Axpy(1, parts[(lane*p+k)*n:][first:hi], sum[first:hi])
				}
			}
			for i, s := range sum[lo:hi] {
				to.Data[(lo+i)*to.Stride+k] = s
			}
		}
	})
}

// narrowRow returns the first row of a lane. Lanes cover equal areas of the upper triangle and
// whole groups of four rows.
func narrowRow(lane, lanes, n int) int {
	if lane == lanes {
		return n
	}
	return int(float64(n)*(1-math.Sqrt(1-float64(lane)/float64(lanes)))) &^ 3
}

// multiplyRows adds to y what rows `first` … end-1 of the upper triangle contribute to the products
// of the matrix with the p vectors in the rows of v. Each entry is used twice, as itself and as its
// mirror image.
func multiplyRows(a []float64, lda, n, p, first, end int, v, y []float64) {
	var sums [4]float64
	i := first
	for ; i+4 <= end; i += 4 {
		for q := range 4 { // the 4×4 block on the diagonal
			row := a[(i+q)*lda+i:]
			for k := range p {
				x, t := v[k*n+i:], y[k*n+i:]
				t[q] += row[q] * x[q]
				for c := q + 1; c < 4; c++ {
					t[q] += row[c] * x[c]
					t[c] += row[c] * x[q]
				}
			}
		}
		for lo := i + 4; lo < n; lo += narrowStrip {
			hi := min(n, lo+narrowStrip)
			for k := range p {
				clear(sums[:])
				t := y[k*n : (k+1)*n]
				kernel.SymV(a[i*lda+lo:], lda, v[k*n+lo:k*n+hi], t[lo:hi], (*[4]float64)(v[k*n+i:]), &sums)
				for q, s := range sums {
					t[i+q] += s
				}
			}
		}
	}
	for ; i < end; i++ {
		row := a[i*lda+i : i*lda+n]
		for k := range p {
			x, t := v[k*n+i:(k+1)*n], y[k*n+i:(k+1)*n]
			t[0] += kernel.Dot(x, row)
			kernel.Axpy(x[0], row[1:], t[1:])
		}
	}
}
