package spectral

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// conjugateGradients solves for all columns of right together, each with coefficients of
// its own, until its residual is at most tolerance times that column. A column stops
// where its curvature turns negative; if that happens in the first step, the result is
// its preconditioned gradient.
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
		addColumns(x, alpha, p, 1)
		addColumns(r, alpha, ap, -1)
		left := dots(r, r)
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
			for i := lo; i < hi; i++ {
				row, zi := p.RawRowView(i), z.RawRowView(i)
				for k := range row {
					row[k] = zi[k] + beta[k]*row[k]
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

// dots returns the inner products of the columns of x and y, summed by blocks of
// rows in order.
func dots(x, y *mat.Dense) []float64 {
	n, b := x.Dims()
	parts := make([][]float64, (n+rowBlock-1)/rowBlock)
	par.Blocks(n, rowBlock, func(lo, hi int) {
		sum := make([]float64, b)
		for i := lo; i < hi; i++ {
			u, v := x.RawRowView(i), y.RawRowView(i)
			for j, f := range u {
				sum[j] += f * v[j]
			}
		}
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

// addColumns adds sign·f[j] times column j of y to that of x.
func addColumns(x *mat.Dense, f []float64, y *mat.Dense, sign float64) {
	n, _ := x.Dims()
	par.Blocks(n, rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to, from := x.RawRowView(i), y.RawRowView(i)
			for j, v := range from {
				to[j] += sign * f[j] * v
			}
		}
	})
}
