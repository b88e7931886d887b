package spectral

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// maxBytes is the largest size of a factor, in bytes.
const maxBytes = 1 << 30

// analyze prepares a factorisation of m. The error wraps [sparse.ErrFill] if the factorisation
// would take more than `limit` operations (0 for no limit) or the factor more than maxBytes.
func (p *iterative) analyze(m *sparse.CSR, limit float64) (*sparse.Symbolic, error) {
	s, err := sparse.Analyze(m, limit)
	if err != nil {
		return nil, err
	}
	if s.Bytes() > maxBytes {
		return nil, fmt.Errorf("%w: the factor takes %.3g bytes, but only %.3g are allowed", sparse.ErrFill, s.Bytes(), float64(maxBytes))
	}
	return s, nil
}

// These are the costs of an operation in a factorisation, which works on dense blocks, and of an
// operation in a solve. Both are relative to an operation in a sparse product, whose speed is
// limited by memory bandwidth.
const (
	factorWeight = 0.12
	solveWeight  = 0.3
)

// invertCost returns the predicted cost of shift-invert in operations of sparse products.
func (p *iterative) invertCost(s *sparse.Symbolic) float64 {
	solves := float64(5*(p.d+1) + 24)
	return factorWeight*s.Flops + solveWeight*solves*s.SolveFlops()
}

// shiftInvert runs the block Lanczos iteration on (A + σI)⁻¹. σ makes the matrix nearly singular:
// the closer −σ is to the smallest eigenvalue, the better the largest eigenvalues of the inverse
// are separated.
func (p *iterative) shiftInvert(m *sparse.CSR, s *sparse.Symbolic) (*Pairs, error) {
	p.work.Method = "shift-invert"
	var factor *sparse.Cholesky
	// sigma is σ/‖A‖. Rounding limits how small it may be; a larger one only costs iterations.
	sigma := 1e-13
	if p.opt.Null == nil {
		sigma = 1e-10 // if A has a null vector, this limits its eigenvalue in the inverse
	}
	for ; ; sigma *= 100 {
		f, err := s.Factorize(p.ctx, m, sigma*cmp.Or(p.norm, 1))
		if err == nil {
			factor = f
			break
		}
		if !errors.Is(err, sparse.ErrNotPositive) {
			return nil, err
		}
		if sigma > 10 {
			return nil, fmt.Errorf("%w: no shift makes the matrix positive definite: %w", ErrNotConverged, err)
		}
	}
	// factor.SolveTo solves columns in groups of four. A restart discards directions that later
	// blocks must find again, so the basis has enough columns that most graphs need no restart.
	const block = 4
	k := &krylov{ctx: p.ctx, n: p.n, want: p.d + 1, block: block, limit: max(4*(p.d+1), p.d+1+14*block), null: p.opt.Null, rng: p.rng}
	k.want = min(k.want, p.n-p.rank())
	k.apply = func(dst, x *mat.Dense) error {
		_, b := x.Dims()
		p.work.Solves += b
		factor.SolveTo(dst, x)
		return nil
	}
	return p.invertLoop(k)
}

// relative is the share of its Ritz value to which the residual of a Ritz pair of the inverse must
// fall before the residual on A itself is computed.
const relative = 1e-8

func (p *iterative) invertLoop(k *krylov) (*Pairs, error) {
	if err := k.start(p.opt.start); err != nil {
		return nil, err
	}
	tolerance := relative
	for {
		done, err := k.run(tolerance)
		if err != nil {
			return nil, err
		}
		if done {
			pairs, err := p.finish(k.vectors(min((k.want+3)&^3, len(k.theta))))
			if err != nil {
				return nil, err
			}
			worst, _ := p.worst(pairs)
			if worst <= p.accepted() {
				return pairs, nil
			}
			if good := p.leading(pairs); good > 0 && noise*k.theta[0] > tolerance*k.theta[good] {
				return p.locked(k, pairs, good)
			}
			tolerance = max(tolerance*min(0.1, p.accepted()/worst), 1e-15)
			if p.work.Solves+p.work.Products > p.opt.MaxProducts || math.IsNaN(worst) || tolerance <= 1e-15 {
				return nil, p.failure("shift-invert", pairs)
			}
			continue
		}
		if p.work.Solves+p.work.Products > p.opt.MaxProducts {
			pairs, err := p.finish(k.vectors(k.want))
			if err != nil {
				return nil, err
			}
			return nil, p.failure("shift-invert", pairs)
		}
	}
}

// leading returns the number of eigenpairs before the first one whose residual exceeds the
// tolerance, or 0 if there is no such pair.
func (p *iterative) leading(pairs *Pairs) int {
	good := slices.IndexFunc(pairs.Residuals, func(r float64) bool { return !(r <= p.accepted()) })
	return max(good, 0)
}

// locked finishes an iteration in which the first `good` pairs are accurate and prevent the others
// from converging. On a nearly disconnected graph, some eigenvalues are so close to 0, and their
// inverses so large, that rounding errors exceed the contributions of the others. locked keeps the
// accurate pairs and computes the others on the complement of their span.
func (p *iterative) locked(k *krylov, pairs *Pairs, good int) (*Pairs, error) {
	found := columns(pairs.Vectors, 0, good)
	d, null := p.d, p.opt.Null
	defer func() { p.d, p.opt.Null = d, null }()
	p.d, p.opt.Null = d-good, Null(span{found})
	if null != nil {
		p.opt.Null = joined{null, span{found}}
	}
	next := &krylov{ctx: k.ctx, n: k.n, want: min(p.d+1, p.n-p.rank()), block: k.block, limit: k.limit, null: p.opt.Null, rng: k.rng, apply: k.apply}
	rest, err := p.invertLoop(next)
	if err != nil {
		return nil, err
	}
	rest.Values = append(slices.Clone(pairs.Values[:good]), rest.Values...)
	rest.Residuals = append(slices.Clone(pairs.Residuals[:good]), rest.Residuals...)
	rest.Vectors, rest.block = augmented(found, rest.Vectors), nil
	return rest, nil
}
