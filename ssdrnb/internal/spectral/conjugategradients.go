package spectral

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// conjugateGradients approximately solves A·x = right for all columns at once. apply multiplies by
// A, and precondition by an approximate inverse of A. The iteration of a column ends when its
// residual is at most `tolerance` times the norm of its right-hand side, when pᵀAp ≤ 0 for the
// search direction p, or after the given number of steps. If a column takes no step, its result is
// the preconditioned right-hand side.
func conjugateGradients(ctx context.Context, apply, precondition func(dst, x *mat.Dense), right *mat.Dense, tolerance float64, steps int) (*mat.Dense, error) {
	n, cols := right.Dims()
	x, r := mat.NewDense(n, cols, nil), mat.DenseCopyOf(right)
	z, ap := mat.NewDense(n, cols, nil), mat.NewDense(n, cols, nil)
	precondition(z, r)
	p := mat.DenseCopyOf(z)
	rz, goal := dots(r, z), dots(r, r)
	active := make([]bool, cols)
	for k := range goal {
		goal[k] *= tolerance * tolerance
		active[k] = goal[k] > 0 && rz[k] > 0
	}
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		apply(ap, p)
		curvature := dots(p, ap)
		alpha, running := make([]float64, cols), false
		for k := range alpha {
			if active[k] = active[k] && curvature[k] > 0; active[k] {
				alpha[k] = rz[k] / curvature[k]
				running = true
			}
		}
		if !running {
			break
		}
		// x += α·p and r −= α·ap
		left := columnSums(n, cols, func(lo, hi int, sum []float64) {
			xs, rs, ps, as := rowsOf(x, lo, hi), rowsOf(r, lo, hi), rowsOf(p, lo, hi), rowsOf(ap, lo, hi)
			for ; len(xs) > 0; xs, rs, ps, as = xs[cols:], rs[cols:], ps[cols:], as[cols:] {
				for k, a := range alpha {
					xs[k] += a * ps[k]
					left := rs[k] - a*as[k]
					rs[k] = left
					sum[k] += left * left
				}
			}
		})
		precondition(z, r)
		next := dots(r, z)
		beta := make([]float64, cols)
		for k := range beta {
			active[k] = active[k] && left[k] > goal[k] && next[k] > 0
			if active[k] {
				beta[k] = next[k] / rz[k]
			}
		}
		rz = next
		par.Blocks(n, rowBlock, func(lo, hi int) { // p = z + β·p
			for ps, zs := rowsOf(p, lo, hi), rowsOf(z, lo, hi); len(ps) > 0; ps, zs = ps[cols:], zs[cols:] {
				for k, b := range beta {
					ps[k] = zs[k] + b*ps[k]
				}
			}
		})
	}
	precondition(z, right)
	for k, done := range dots(x, x) {
		if done == 0 {
			x.Slice(0, n, k, k+1).(*mat.Dense).Copy(z.Slice(0, n, k, k+1))
		}
	}
	return x, nil
}

// rowsOf returns the entries of rows lo to hi − 1 of a matrix with contiguous rows.
func rowsOf(x *mat.Dense, lo, hi int) []float64 {
	raw := x.RawMatrix()
	return raw.Data[lo*raw.Stride : hi*raw.Stride]
}

// dots returns the inner product of each column of x with the same column of y.
func dots(x, y *mat.Dense) []float64 {
	n, b := x.Dims()
	xr, yr := x.RawMatrix(), y.RawMatrix()
	return columnSums(n, b, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			u, v := xr.Data[i*xr.Stride:][:b], yr.Data[i*yr.Stride:][:b]
			for j := range sum {
				sum[j] += u[j] * v[j]
			}
		}
	})
}

// columnSums returns b sums over n rows. A call of `add` adds rows lo to hi − 1 to `sum`. The sums
// of blocks are added in order, so that the result is the same for any number of processors.
func columnSums(n, b int, add func(lo, hi int, sum []float64)) []float64 {
	parts := make([][]float64, (n+rowBlock-1)/rowBlock)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		sum := make([]float64, b) // separate memory avoids false sharing
		add(lo, hi, sum)
		parts[lo/rowBlock] = sum
	})
	sum := make([]float64, b)
	for _, part := range parts {
		for j, v := range part {
			sum[j] += v
		}
	}
	return sum
}
