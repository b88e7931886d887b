package walks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/regions"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// solveBlock is the number of rows in a block. One worker processes a block and sums it separately.
const solveBlock = 512

// solveColumns is the number of columns solved at a time. With more columns, the solver takes more
// memory; with fewer, it reads the graph more often.
const solveColumns = 16

// Solver solves (diag(degrees) − α·W)·x = b by conjugate gradients. The preconditioner is the
// inverse of the diagonal matrix of degrees. For many samples, a coarse level (see package regions)
// is computed once and added to the preconditioner.
//
// A sparse factorisation could also be reused for all right-hand sides, but it has too much fill on
// graphs of data with many features.
type Solver struct {
	graph   *sparse.CSR
	degrees []float64
	alpha   float64
	order   []int // original index of each row of graph and degrees; nil without a coarse level
	level   *regions.Level
}

// NewSolver returns the solver for a symmetric graph w without self-loops, degrees > 0 and 0 <
// alpha ≤ 1.
func NewSolver(ctx context.Context, w *sparse.CSR, degrees []float64, alpha float64) (*Solver, error) {
	order, level, err := coarseLevel(ctx, w, degrees, alpha)
	if err != nil || level == nil {
		return &Solver{graph: w, degrees: degrees, alpha: alpha}, err
	}
	if w, err = w.Select(order, order); err != nil {
		return nil, err
	}
	ordered := make([]float64, len(order))
	for k, i := range order {
		ordered[k] = degrees[i]
	}
	return &Solver{w, ordered, alpha, order, level}, nil
}

// Solve returns the solution x for b, both n×p. It solves solveColumns columns at a time. For alpha
// = 1 the matrix is a Laplacian, and the columns of b must sum to 0 on every component. The
// iteration of a column ends when its residual, in the norm of the preconditioner, is at most tol
// times the norm of the right-hand side. If an iteration has not ended after 10,000 steps, or a
// residual is not finite, x holds the last iterate and the error wraps [ErrNotConverged].
func (s *Solver) Solve(ctx context.Context, b *mat.Dense, tol float64) (*mat.Dense, error) {
	n, p := b.Dims()
	if s.level == nil && p <= solveColumns {
		x, _, err := s.conjugateGradients(ctx, b, byResidual, tol)
		return x, err
	}
	x := mat.NewDense(n, p, nil)
	var open error
	for lo := 0; lo < p; lo += solveColumns {
		hi := min(p, lo+solveColumns)
		part := mat.NewDense(n, hi-lo, nil)
		for k := range n {
			copy(part.RawRowView(k), b.RawRowView(s.row(k))[lo:hi])
		}
		y, _, err := s.conjugateGradients(ctx, part, byResidual, tol)
		if y == nil {
			return nil, err
		}
		if err != nil {
			open = err
		}
		for k := range n {
			copy(x.RawRowView(s.row(k))[lo:hi], y.RawRowView(k))
		}
	}
	return x, open
}

// row returns the row of the caller's matrices that corresponds to row k of the solver.
func (s *Solver) row(k int) int {
	if s.order == nil {
		return k
	}
	return s.order[k]
}

// Diagonal returns the diagonal entries of (diag(degrees) − α·W)⁻¹ for the given samples. They
// converge in far fewer steps than the columns of the inverse: entry l is the energy eₗᵀx of the
// system with the right-hand side eₗ and the solution x, and its error is the square of the error
// of x. The iteration ends when the relative increase of the energy over lookBack steps is below
// tol. alpha must be below 1.
func (s *Solver) Diagonal(ctx context.Context, samples []int, tol float64) ([]float64, error) {
	n := len(s.degrees)
	at := make([]int, n)
	for k := range at {
		at[s.row(k)] = k
	}
	out := make([]float64, 0, len(samples))
	var open error
	for block := range slices.Chunk(samples, solveColumns) {
		b := mat.NewDense(n, len(block), nil)
		for c, l := range block {
			b.Set(at[l], c, 1)
		}
		x, energy, err := s.conjugateGradients(ctx, b, byEnergy, tol)
		if x == nil {
			return nil, err
		}
		if err != nil {
			open = err
		}
		out = append(out, energy...)
	}
	return out, open
}

// lookBack is the number of latest steps whose total increase in energy serves as an estimate of
// the remaining error.
const lookBack = 4

// stopping is the criterion that ends the iteration of a column.
type stopping int

const (
	byResidual stopping = iota // residual in the norm of the preconditioner, see [Solver.Solve]
	byEnergy                   // relative increase of the energy, see [Solver.Diagonal]
)

// conjugateGradients solves for the p columns of b, with rows in the order of s.graph. It also
// returns their p energies bᵀx.
func (s *Solver) conjugateGradients(ctx context.Context, b *mat.Dense, stop stopping, tol float64) (x *mat.Dense, energy []float64, err error) {
	const most = 10_000
	w, degrees, alpha, g := s.graph, s.degrees, s.alpha, s.level
	n, p := b.Dims()
	blocks := (n + solveBlock - 1) / solveBlock
	sums := make([]float64, blocks*p)
	// rows calls f for each row i, in parallel. f adds its p results to sum; rows returns the
	// totals over all rows.
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
	x, energy = mat.NewDense(n, p, nil), make([]float64, p)
	gains := make([]float64, lookBack*p) // increases in energy in the latest steps
	xs := x.RawMatrix().Data
	r, d, q := make([]float64, n*p), mat.NewDense(n, p, nil), mat.NewDense(n, p, nil)
	ds, qs := d.RawMatrix().Data, q.RawMatrix().Data
	rho, target, step := make([]float64, p), make([]float64, p), make([]float64, p)
	var above *mat.Dense // the coarse level's part of the preconditioned residual
	// turn sets the search direction d to the preconditioned residual plus step·d.
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
	// correct computes `above` from the residuals r, and adds the part of the coarse level to rho.
	// rho holds the squared norms of the residuals with respect to the preconditioner.
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
			return x, energy, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if t == most {
			return x, energy, fmt.Errorf("%w: conjugate gradients did not reach the tolerance in %d steps", ErrNotConverged, t)
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
			gains[t%lookBack*p+c] = step[c] * rho[c]
			energy[c] += step[c] * rho[c]
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
				return x, energy, fmt.Errorf("%w: the residual is %v", ErrNotConverged, v)
			case rho[c] > target[c]:
				step[c] = v / rho[c]
				rho[c] = v
			}
			if stop == byEnergy && t+1 >= lookBack {
				latest := 0.0
				for k := c; k < len(gains); k += p {
					latest += gains[k]
				}
				if latest <= tol*energy[c] {
					target[c] = math.Inf(1)
				}
			}
		}
		turn()
	}
}

// coarseLevel returns the coarse level of diag(degrees) − alpha·w and the order in which it expects
// the samples, as their original indices. Both are nil if the graph has no regions, see
// [regions.Grow].
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

// Degrees returns the sum of each row of w, or 1 for rows that sum to 0.
func Degrees(w *sparse.CSR) []float64 {
	d := w.RowSums()
	for i, v := range d {
		if v == 0 {
			d[i] = 1
		}
	}
	return d
}
