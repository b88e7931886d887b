package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

const (
	// denseOrder is the order up to which a solver factorises the dense matrix. At this order, the
	// factorisation takes 32 MB and a third of a second. Neighbourhood graphs of data with many
	// features fill in almost completely in any elimination order, and a dense factorisation runs
	// at the speed of the matrix engine.
	denseOrder = 2048
	// Above that order, a sparse factor is computed if it has at most fillPerRow entries per row
	// and takes at most factorFlops·n² operations. The latter limit is about a tenth of the cost of
	// solving for n right-hand sides by conjugate gradients.
	fillPerRow, factorFlops = 250, 200
	// solveTolerance is the residual, relative to the right-hand side, at which conjugate gradients
	// end.
	solveTolerance = 1e-13
	// solveBlock is the number of columns that share a pass over the matrix.
	solveBlock = 16
)

// Solver solves A·X = B for a symmetric positive definite sparse matrix A and many right-hand
// sides. Above order 2048, it stores no n×n matrix. Create one with [NewSolver] or [NewDirect]. It
// is safe for concurrent use.
type Solver struct {
	a       *CSR
	factor  *mat.Cholesky // factor of a small matrix
	sparse  *Cholesky     // factor of a large matrix with little fill
	inverse []float64     // inverse diagonal of any other matrix
}

// NewSolver prepares to solve systems with the symmetric matrix a, which it retains.
//
// Up to order 2048 it computes a dense Cholesky factor of a. Above that, it computes a sparse
// factor if the fill is small, as on graphs of low intrinsic dimension. Otherwise it uses conjugate
// gradients with the inverse diagonal as preconditioner. They end at a residual of 1e-13, relative
// to the right-hand side, and take O(nnz) operations per step and column. A Laplacian plus λ·I has
// the condition number 1 + 2·(max degree)/λ, and the number of steps grows with its square root. If
// the diagonal or the factorisation shows that a is not positive definite, the error wraps
// [ErrNotPositive]. If a value is not finite, the error wraps [ErrNotFinite] or [ErrNotPositive];
// with conjugate gradients, this error may come later, from [Solver.SolveTo].
func NewSolver(ctx context.Context, a *CSR) (*Solver, error) {
	ctx = par.Context(ctx)
	if a.Rows != a.Cols {
		return nil, fmt.Errorf("%w: the matrix of the system is %d×%d, but must be square", ErrShape, a.Rows, a.Cols)
	}
	s := &Solver{a: a}
	if a.Rows > 0 && a.Rows <= denseOrder {
		dense := mat.NewSymDense(a.Rows, nil)
		for i := range a.Rows {
			cols, vals := a.Row(i)
			for k, j := range cols {
				if int(j) >= i {
					dense.SetSym(i, int(j), vals[k])
				}
			}
		}
		s.factor = new(mat.Cholesky)
		if !s.factor.Factorize(dense) {
			return nil, fmt.Errorf("%w: the dense factorisation of order %d failed", ErrNotPositive, a.Rows)
		}
		return s, nil
	}
	n := float64(a.Rows)
	symbolic, err := Analyze(a, factorFlops*n*n)
	if err == nil && symbolic.Fill <= fillPerRow*n {
		s.sparse, err = symbolic.Factorize(ctx, a, 0)
		return s, err
	}
	if err != nil && !errors.Is(err, ErrFill) {
		return nil, err
	}
	s.inverse = a.Diag()
	for i, v := range s.inverse {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("%w: diagonal entry %d is %v, but must be positive and finite", ErrNotPositive, i, v)
		}
		s.inverse[i] = 1 / v
	}
	return s, nil
}

// NewDirect is like [NewSolver], but always computes a sparse factor of the matrix a if this factor
// takes at most maxBytes of memory. It is for systems so badly conditioned that an iteration would
// not converge. If the factor is larger, the error wraps [ErrFill].
func NewDirect(ctx context.Context, a *CSR, maxBytes float64) (*Solver, error) {
	ctx = par.Context(ctx)
	symbolic, err := Analyze(a, 0)
	if err != nil {
		return nil, err
	}
	if bytes := symbolic.Bytes(); bytes > maxBytes {
		return nil, fmt.Errorf("%w: the factor needs %.3g GiB, but the limit is %.3g", ErrFill, bytes/(1<<30), maxBytes/(1<<30))
	}
	factor, err := symbolic.Factorize(ctx, a, 0)
	if err != nil {
		return nil, err
	}
	return &Solver{a: a, sparse: factor}, nil
}

// SolveTo sets dst = A⁻¹·b. dst and b are n×p, and must not share memory. The result does not
// depend on the number of processors. It returns the error of ctx soon after ctx ends. The error
// wraps [ErrNotPositive] if an iteration finds negative curvature or does not meet the tolerance
// after 10n + 1000 steps.
func (s *Solver) SolveTo(ctx context.Context, dst, b *mat.Dense) error {
	ctx = par.Context(ctx)
	n, p := b.Dims()
	if rows, cols := dst.Dims(); n != s.a.Rows || rows != n || cols != p {
		return fmt.Errorf("%w: the system has order %d, but the right-hand sides are %d×%d and the result %d×%d", ErrShape, s.a.Rows, n, p, rows, cols)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.factor != nil {
		var conditioned mat.Condition
		if err := s.factor.SolveTo(dst, b); err != nil && !errors.As(err, &conditioned) {
			return fmt.Errorf("%w: %w", ErrNotPositive, err)
		}
		return nil
	}
	if s.sparse != nil {
		s.sparse.SolveTo(dst, b)
		return nil
	}
	blocks := (p + solveBlock - 1) / solveBlock
	failed := make([]error, blocks)
	par.Blocks(p, solveBlock, func(lo, hi int) {
		failed[lo/solveBlock] = s.iterate(ctx,
			dst.Slice(0, n, lo, hi).(*mat.Dense), b.Slice(0, n, lo, hi).(*mat.Dense))
	})
	return errors.Join(failed...)
}

// iterate runs conjugate gradients on a few columns at once. Each column has its own step lengths,
// so that its result does not depend on the other columns.
func (s *Solver) iterate(ctx context.Context, dst, b *mat.Dense) error {
	n, p := b.Dims()
	x, r, d, q := make([]float64, n*p), make([]float64, n*p), make([]float64, n*p), make([]float64, n*p)
	rho, target := make([]float64, p), make([]float64, p)
	for i := range n {
		for k, v := range b.RawRowView(i) {
			at := i*p + k
			r[at], d[at] = v, s.inverse[i]*v
			rho[k] += v * d[at]
			target[k] += v * v
		}
	}
	for k, v := range target {
		target[k] = solveTolerance * solveTolerance * v
	}
	curvature, residual, next := make([]float64, p), make([]float64, p), make([]float64, p)
	step := make([]float64, p)
	for t := 0; ; t++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		clear(curvature)
		for i := range n {
			qi, di := q[i*p:(i+1)*p], d[i*p:(i+1)*p]
			cols, vals := s.a.Row(i)
			combine(qi, cols, vals, d, p)
			for k, v := range qi {
				curvature[k] += v * di[k]
			}
		}
		for k := range step {
			step[k] = 0
			switch {
			case rho[k] == 0: // this column is solved exactly
			case !(curvature[k] > 0):
				return fmt.Errorf("%w: conjugate gradients found the curvature %g, which is not positive, after %d steps", ErrNotPositive, curvature[k], t)
			default:
				step[k] = rho[k] / curvature[k]
			}
		}
		clear(residual)
		clear(next)
		for i := range n {
			inverse := s.inverse[i]
			xi, ri, di, qi := x[i*p:(i+1)*p], r[i*p:(i+1)*p], d[i*p:(i+1)*p], q[i*p:(i+1)*p]
			for k, a := range step {
				xi[k] += a * di[k]
				v := ri[k] - a*qi[k]
				ri[k] = v
				residual[k] += v * v
				next[k] += inverse * v * v
			}
		}
		open := false
		for k, v := range residual {
			open = open || v > target[k]
			if v <= target[k] { // this column is solved; the others continue
				next[k] = 0
			}
		}
		if !open {
			break
		}
		if t > 10*n+1000 {
			return fmt.Errorf("%w: conjugate gradients did not reach the relative residual %g in %d steps", ErrNotPositive, solveTolerance, t)
		}
		for k := range step {
			step[k] = 0
			if rho[k] > 0 {
				step[k] = next[k] / rho[k]
			}
			rho[k] = next[k]
		}
		for i := range n {
			inverse := s.inverse[i]
			di, ri := d[i*p:(i+1)*p], r[i*p:(i+1)*p]
			for k, beta := range step {
				di[k] = inverse*ri[k] + beta*di[k]
			}
		}
	}
	for i := range n {
		copy(dst.RawRowView(i), x[i*p:(i+1)*p])
	}
	return nil
}
