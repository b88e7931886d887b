package spectral

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// BottomOf returns the d smallest eigenvalues of a symmetric operator in ascending order, with
// orthonormal eigenvectors. For the gap, it also computes the next eigenvalue to a few digits. An
// operator too small for iterations is converted to a dense matrix and decomposed. If the
// complement of Options.Null has few dimensions, the restriction of the operator to this complement
// is treated in the same way.
//
// If some eigenpairs do not reach the tolerance within Options.MaxProducts products, or make no
// more progress, the error wraps [ErrNotConverged] and states the number of accurate pairs.
func BottomOf(ctx context.Context, a Operator, d int, opt Options) (*Pairs, error) {
	return newIterative(ctx, a, d, opt).solve(false)
}

// topOf is [BottomOf] for the d largest eigenvalues in descending order.
func topOf(ctx context.Context, a Operator, d int, opt Options) (*Pairs, error) {
	return newIterative(ctx, a, d, opt).solve(true)
}

// iterative is the state of an eigenproblem A·x = τ·x. It always computes the smallest eigenvalues.
// A is the given operator times `factor`, which is −1 for the largest eigenvalues and otherwise 1.
// If the norm of the operator is far from 1, `factor` is also multiplied by a power of two.
type iterative struct {
	ctx    context.Context
	a      Operator
	factor float64
	d      int
	n      int
	opt    Options
	rng    *rand.Rand
	work   Work

	norm    float64 // estimate of ‖A‖
	bounded bool    // whether norm is the Gershgorin bound of a sparse matrix
	radius  float64 // largest magnitude among the Ritz values so far
	high    float64 // upper bound of the spectrum

	perProduct float64 // floating-point operations per product of A and a column
}

func newIterative(ctx context.Context, a Operator, d int, opt Options) *iterative {
	p := &iterative{ctx: ctx, a: a, factor: 1, d: d, n: a.Dim(), opt: opt.withDefaults()}
	p.rng = rand.New(rand.NewPCG(0, 0x5eed))
	return p
}

// product sets dst = A·x and counts the products. It projects dst onto the complement of Null,
// unless A maps this complement to itself.
func (p *iterative) product(dst, x *mat.Dense) error {
	_, b := x.Dims()
	p.work.Products += b
	p.a.Apply(dst, x)
	if p.factor != 1 {
		dst.Scale(p.factor, dst)
	}
	if p.opt.Null != nil && !p.opt.invariant {
		p.opt.Null.Project(dst)
	}
	return p.ctx.Err()
}

func (p *iterative) rank() int {
	if p.opt.Null == nil {
		return 0
	}
	return p.opt.Null.Rank()
}

// basisSize returns the number of columns above which the Krylov basis is reduced by a restart.
func (p *iterative) basisSize(block int) int {
	return max(4*(p.d+1), p.d+1+10*block)
}

// mostColumns returns an upper bound on the number of columns of an iteration, including those that
// [iterative.locked] adds. In a space of fewer dimensions, the basis would contain columns of
// zeros, which have the Ritz value 0.
func (p *iterative) mostColumns() int {
	return p.basisSize(filterBlock) + filterBlock + p.d
}

// An operator is scaled if the binary exponent of its norm is outside these bounds. Without
// scaling, the shift of an excluded subspace (see the method dense) would be far above the norm, or
// squares would overflow.
const (
	leastExponent = -4
	mostExponent  = 256
)

// scale multiplies factor by a power of two that brings the norm of A to about 1, unless the norm
// is within the bounds above. It estimates the norm from a product with a random vector. Scaling by
// a power of two adds no rounding errors.
func (p *iterative) scale() error {
	k := krylov{n: p.n, rng: rand.New(rand.NewPCG(0, 0x5ca1e))}
	x, ax := k.random(1), mat.NewDense(p.n, 1, nil)
	if p.opt.Null != nil {
		p.opt.Null.Project(x)
	}
	if err := p.product(ax, x); err != nil {
		return err
	}
	largest := func(v *mat.Dense) float64 { return max(mat.Max(v), -mat.Min(v)) }
	norm := largest(ax) / largest(x)
	// The exponent is 0 if the quotient is 0, infinite or NaN.
	if _, exponent := math.Frexp(norm); exponent < leastExponent || exponent > mostExponent {
		p.factor *= samples.Unit(norm)
	}
	return nil
}

func (p *iterative) solve(top bool) (*Pairs, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	free := p.n - p.rank()
	if p.d < 1 || p.d > free {
		return nil, fmt.Errorf("%w: %d eigenpairs are requested, but the number must lie between 1 and %d, the order of the matrix minus the dimension of opt.Null", ErrOption, p.d, free)
	}
	if top {
		p.factor = -1
	}
	if err := p.scale(); err != nil {
		return nil, err
	}
	var pairs *Pairs
	var err error
	switch most := p.mostColumns(); {
	case p.n <= max(256, most):
		pairs, err = p.dense()
	case free <= most:
		pairs, err = p.complement()
	default:
		pairs, err = p.choose()
	}
	if err != nil {
		return nil, err
	}
	for k := range pairs.Values {
		pairs.Values[k] /= p.factor
		pairs.Residuals[k] /= math.Abs(p.factor)
	}
	pairs.Gap /= math.Abs(p.factor)
	FixSigns(pairs.Vectors)
	pairs.Null, pairs.Work = p.rank(), p.work
	return pairs, nil
}

var errSlow = errors.New("spectral: filtering is slower than a factorisation")

// choose selects a method by its predicted cost.
func (p *iterative) choose() (*Pairs, error) {
	bottomless := p.factor < 0 // shift-invert finds only the smallest eigenvalues
	e, ok := p.a.(explicit)
	if p.opt.Method == ShiftInvert && (!ok || bottomless) {
		return nil, fmt.Errorf("%w: shift-invert computes only the smallest eigenvalues of sparse operators", ErrOption)
	}
	if !ok || bottomless || p.opt.Method == Chebyshev {
		return p.chebyshev(math.Inf(1))
	}
	m, err := e.matrix()
	if err != nil {
		return nil, err
	}
	if p.factor != 1 {
		m = m.Scale(p.factor)
	}
	p.high, p.norm = gershgorin(m)
	p.bounded = true
	p.perProduct = 2 * float64(m.NNZ())
	if p.opt.Method == ShiftInvert {
		s, err := p.analyze(m, 0)
		if err != nil {
			return nil, err
		}
		return p.shiftInvert(m, s)
	}
	// least is the cost of filtering for well-separated eigenvalues. Shift-invert is chosen at once
	// if it costs at most 2·least. Otherwise filtering is tried first, up to a cost of 10·least.
	least := p.perProduct * 60 * float64(p.d+8)
	s, err := p.analyze(m, 2*least/factorWeight)
	if err == nil && p.invertCost(s) <= 2*least {
		return p.shiftInvert(m, s)
	}
	if err != nil && !errors.Is(err, sparse.ErrFill) {
		return nil, err
	}
	pairs, err := p.chebyshev(10 * least)
	if !errors.Is(err, errSlow) {
		return pairs, err
	}
	if s == nil {
		if s, err = p.analyze(m, 3000*least); errors.Is(err, sparse.ErrFill) {
			return p.chebyshev(math.Inf(1))
		} else if err != nil {
			return nil, err
		}
	}
	return p.shiftInvert(m, s)
}

// gershgorin returns an upper bound of the spectrum of a symmetric matrix, and a bound of its
// spectral radius.
func gershgorin(m *sparse.CSR) (high, radius float64) {
	high = math.Inf(-1)
	for i := range m.Rows {
		cols, vals := m.Row(i)
		centre, around := 0.0, 0.0
		for k, j := range cols {
			if int(j) == i {
				centre += vals[k]
			} else {
				around += math.Abs(vals[k])
			}
		}
		high = max(high, centre+around)
		radius = max(radius, math.Abs(centre)+around)
	}
	return high, radius
}
