package guide

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// solveBlock rows are a worker's at a time, and summed by themselves.
const solveBlock = 512

// solveColumns columns are solved for at once: more take memory, fewer read the graph
// more often.
const solveColumns = 16

// solve returns x with (diag(degrees) − alpha·w)·x = b for the n×p matrix b, 0 < alpha
// ≤ 1, and degrees above 0: conjugate gradients with the degrees as preconditioner, and
// for many samples a coarse level beside them, solveColumns columns at a time. For alpha
// = 1 the matrix is a Laplacian and the columns of b must sum to 0 on every component. It
// ends when the residual of each column, in the norm of the preconditioner, is tol of the
// right-hand side's. After 10,000 steps without that, x is what they gave, and the error
// wraps [ErrNotConverged].
//
// A sparse factor would serve all columns too, but fills in on the graphs of data with
// many features; sparse.Solver iterates on one processor and to thirteen digits.
func solve(ctx context.Context, w *sparse.CSR, degrees []float64, alpha float64, b *mat.Dense, tol float64) (*mat.Dense, error) {
	n, p := b.Dims()
	order, g, err := coarseLevel(ctx, w, degrees, alpha)
	if err != nil {
		return nil, err
	}
	if g != nil {
		if w, err = w.Select(order, order); err != nil {
			return nil, err
		}
		ordered := make([]float64, n)
		for k, i := range order {
			ordered[k] = degrees[i]
		}
		degrees = ordered
	} else if p <= solveColumns {
		return conjugateGradients(ctx, w, degrees, alpha, nil, b, tol)
	}
	from := func(k int) int {
		if order == nil {
			return k
		}
		return order[k]
	}
	x := mat.NewDense(n, p, nil)
	var open error
	for lo := 0; lo < p; lo += solveColumns {
		hi := min(p, lo+solveColumns)
		part := mat.NewDense(n, hi-lo, nil)
		for k := range n {
			copy(part.RawRowView(k), b.RawRowView(from(k))[lo:hi])
		}
		y, err := conjugateGradients(ctx, w, degrees, alpha, g, part, tol)
		if y == nil {
			return nil, err
		}
		if err != nil {
			open = err
		}
		for k := range n {
			copy(x.RawRowView(from(k))[lo:hi], y.RawRowView(k))
		}
	}
	return x, open
}

// conjugateGradients is solve for few columns, with the coarse level g where it is not
// nil.
func conjugateGradients(ctx context.Context, w *sparse.CSR, degrees []float64, alpha float64, g *regions.Level, b *mat.Dense, tol float64) (*mat.Dense, error) {
	const most = 10_000
	n, p := b.Dims()
	blocks := (n + solveBlock - 1) / solveBlock
	sums := make([]float64, blocks*p)
	// rows runs f over blocks of rows and returns the sums it makes, column by column.
	total := make([]float64, p)
	rows := func(f func(i int, sum []float64)) []float64 {
		clear(sums)
		par.Blocks(n, solveBlock, func(lo, hi int) {
			k := lo / solveBlock
			for i := lo; i < hi; i++ {
				f(i, sums[k*p:(k+1)*p])
			}
		})
		clear(total)
		for k, v := range sums {
			total[k%p] += v
		}
		return total
	}
	x := mat.NewDense(n, p, nil)
	xs := x.RawMatrix().Data
	r, d, q := make([]float64, n*p), mat.NewDense(n, p, nil), mat.NewDense(n, p, nil)
	ds, qs := d.RawMatrix().Data, q.RawMatrix().Data
	rho, target, step := make([]float64, p), make([]float64, p), make([]float64, p)
	var above *mat.Dense // the coarse level's part of the preconditioned residual
	// turn sets d to the preconditioned residual plus step·d.
	turn := func() {
		rows(func(i int, _ []float64) {
			for c, a := range step {
				k := i*p + c
				ds[k] = r[k]/degrees[i] + a*ds[k]
			}
			if g != nil {
				for c, v := range above.RawRowView(g.Of(i)) {
					ds[i*p+c] += v
				}
			}
		})
	}
	copy(rho, rows(func(i int, sum []float64) {
		for c, v := range b.RawRowView(i) {
			r[i*p+c] = v
			sum[c] += v * v / degrees[i]
		}
	}))
	correct := func(rho []float64) {
		if g == nil {
			return
		}
		var sum *mat.Dense
		sum, above = g.Solve(r, p)
		for k := range g.Count() {
			value := above.RawRowView(k)
			for c, v := range sum.RawRowView(k) {
				rho[c] += v * value[c]
			}
		}
	}
	correct(rho)
	turn()
	for c, v := range rho {
		target[c] = tol * tol * v
	}
	for t := 0; ; t++ {
		open := false
		for c, v := range rho {
			open = open || v > target[c]
		}
		if !open {
			return x, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t == most {
			return x, fmt.Errorf("%w: conjugate gradients after %d steps", ErrNotConverged, t)
		}
		w.MulTo(q, d)
		curvature := rows(func(i int, sum []float64) {
			for c := range p {
				k := i*p + c
				qs[k] = degrees[i]*ds[k] - alpha*qs[k]
				sum[c] += ds[k] * qs[k]
			}
		})
		for c := range step {
			step[c] = 0
			if rho[c] > target[c] && curvature[c] > 0 {
				step[c] = rho[c] / curvature[c]
			}
		}
		next := rows(func(i int, sum []float64) {
			for c, a := range step {
				k := i*p + c
				xs[k] += a * ds[k]
				r[k] -= a * qs[k]
				sum[c] += r[k] * r[k] / degrees[i]
			}
		})
		correct(next)
		for c, v := range next {
			step[c] = 0
			switch {
			case math.IsNaN(v) || math.IsInf(v, 0):
				return x, fmt.Errorf("%w: the residual is %v", ErrNotConverged, v)
			case rho[c] > target[c]:
				step[c] = v / rho[c]
				rho[c] = v
			}
		}
		turn()
	}
}

// coarseLevel returns the coarse level of diag(degrees) − alpha·w and the order of
// samples in which it is; nil for few samples.
func coarseLevel(ctx context.Context, w *sparse.CSR, degrees []float64, alpha float64) ([]int, *regions.Level, error) {
	r, err := regions.Grow(w)
	if err != nil || r == nil {
		return nil, nil, err
	}
	m, err := r.Condense(w)
	if err != nil {
		return nil, nil, err
	}
	order := r.Order(m)
	if m, err = sparse.Add(1, r.Diagonal(degrees), -alpha, m); err != nil {
		return nil, nil, err
	}
	level, err := r.Level(ctx, m, degrees)
	if err != nil {
		return nil, nil, err
	}
	level.Regions = r.Ordered(order)
	return order, level, nil
}

// degreesOf returns the sum of each row, 1 for those of no weight.
func degreesOf(w *sparse.CSR) []float64 {
	d := w.RowSums()
	for i, v := range d {
		if v == 0 {
			d[i] = 1
		}
	}
	return d
}
