package spectral

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// BottomOfPair returns the d smallest τ, rising, of a·w = τ·b·w for a symmetric
// operator a and a positive definite sparse matrix b, with wᵀbw = 1 and eigenvectors
// b-orthogonal to each other. A diagonal b is divided out on both sides, any other is
// factorised and gives the inner product of the iteration.
//
// Residuals are ‖a·w − τ·b·w‖, and the tolerance counts against ‖a‖·‖w‖. The error
// wraps [ErrSingular] if b is not positive definite; give an operator that vanishes
// on part of the space a ridge. Options.Null is for one matrix only.
func BottomOfPair(ctx context.Context, a Operator, b *sparse.CSR, d int, opt Options) (*Pairs, error) {
	return pencil(ctx, a, b, d, opt, false)
}

// TopOfPair is BottomOfPair for the d largest τ, falling.
func TopOfPair(ctx context.Context, a Operator, b *sparse.CSR, d int, opt Options) (*Pairs, error) {
	return pencil(ctx, a, b, d, opt, true)
}

func pencil(ctx context.Context, a Operator, b *sparse.CSR, d int, opt Options, top bool) (*Pairs, error) {
	n := a.Dim()
	switch {
	case b.Rows != n || b.Cols != n:
		return nil, fmt.Errorf("%w: an operator of order %d and a matrix of %d×%d", ErrOption, n, b.Rows, b.Cols)
	case opt.Null != nil:
		return nil, fmt.Errorf("%w: a pair of matrices leaves no subspace out", ErrOption)
	}
	inner, err := Sparse(b)
	if err != nil {
		return nil, err
	}
	if diagonal(b) {
		return scaled(ctx, a, b.Diag(), d, opt, top)
	}
	analysis, err := sparse.Analyze(b, 0)
	if err != nil {
		return nil, err
	}
	factor, err := analysis.Factorize(ctx, b, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSingular, err)
	}
	p := newIterative(ctx, a, inner, d, opt)
	p.right = b
	p.solveB = func(x *mat.Dense) { factor.SolveTo(x, x) }
	_, p.normB = gershgorin(b)
	return p.solve(top)
}

// diagonal reports whether nothing lies off the diagonal.
func diagonal(m *sparse.CSR) bool {
	for i := range m.Rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if int(j) != i && vals[k] != 0 {
				return false
			}
		}
	}
	return true
}

// scaled solves D^(−½)·a·D^(−½)·v = τ·v and returns w = D^(−½)·v.
func scaled(ctx context.Context, a Operator, d []float64, count int, opt Options, top bool) (*Pairs, error) {
	inverse := make([]float64, len(d))
	for i, v := range d {
		if !(v > 0) {
			return nil, fmt.Errorf("%w: entry %d of the diagonal is %v", ErrSingular, i, v)
		}
		inverse[i] = 1 / math.Sqrt(v)
	}
	p, err := newIterative(ctx, congruent(a, inverse), nil, count, opt).solve(top)
	if err != nil {
		return nil, err
	}
	scaleRows(p.Vectors, inverse)
	FixSigns(p.Vectors)
	aw := mat.NewDense(len(d), count, nil)
	a.Apply(aw, p.Vectors)
	clear(p.Residuals)
	for i, v := range d {
		own, row := aw.RawRowView(i), p.Vectors.RawRowView(i)
		for j, tau := range p.Values {
			p.Residuals[j] = math.Hypot(p.Residuals[j], own[j]-tau*v*row[j])
		}
	}
	return p, nil
}

// congruent returns diag(s)·a·diag(s), as a sparse matrix if a is one.
func congruent(a Operator, s []float64) Operator {
	c := &scaledOperator{a, s}
	if e, ok := a.(explicit); ok {
		return explicitCongruence{c, e}
	}
	return c
}

type scaledOperator struct {
	a Operator
	s []float64
}

func (o *scaledOperator) Dim() int { return len(o.s) }

func (o *scaledOperator) Apply(dst, x *mat.Dense) {
	sx := mat.DenseCopyOf(x)
	scaleRows(sx, o.s)
	o.a.Apply(dst, sx)
	scaleRows(dst, o.s)
}

type explicitCongruence struct {
	*scaledOperator
	e explicit
}

func (o explicitCongruence) matrix() (*sparse.CSR, error) {
	m, err := o.e.matrix()
	if err != nil {
		return nil, err
	}
	return m.ScaleRowsCols(o.s, o.s)
}

// scaleRows multiplies row i of x by s[i].
func scaleRows(x *mat.Dense, s []float64) {
	par.Blocks(len(s), rowBlock, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := x.RawRowView(i)
			for j := range row {
				row[j] *= s[i]
			}
		}
	})
}
