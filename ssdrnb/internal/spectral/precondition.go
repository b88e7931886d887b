package spectral

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// preconditioner applies an approximate inverse of λB − A + s·I to a block.
type preconditioner interface {
	improve(t *davidson, s *state, x *mat.Dense) error
}

// precondition chooses the factor where both operators are sparse and it costs no
// more than some conjugate gradients would.
func (t *davidson) precondition(s *state) (preconditioner, error) {
	f, err := t.newFactored()
	if err == nil {
		return f, nil
	}
	if !errors.Is(err, errNoFactor) && !errors.Is(err, sparse.ErrFill) {
		return nil, err
	}
	g := &gradients{}
	if a, ok := t.a.(explicit); ok {
		if b, ok := t.b.(explicit); ok {
			ma, err := a.matrix()
			if err != nil {
				return nil, err
			}
			mb, err := b.matrix()
			if err != nil {
				return nil, err
			}
			g.diagA, g.diagB = ma.Diag(), mb.Diag()
		}
	}
	return g, nil
}

// margin returns s for λB − A + s·I: above the largest eigenvalue of A − λB, as far
// as it is known, by a share of the Ritz values that are followed.
func (t *davidson) margin(s *state) float64 {
	spread := s.theta[0] - s.theta[min(t.block, len(s.theta))-1]
	return s.theta[0] + max(0.1*spread, s.norms[0], 1e-8*(t.normA+math.Abs(s.lambda)*t.normB))
}

// factored inverts by a sparse Cholesky factor, made anew when λ has moved.
type factored struct {
	a, b   *sparse.CSR
	plan   *sparse.Symbolic
	factor *sparse.Cholesky
	lambda float64
	margin float64
}

func (t *davidson) newFactored() (*factored, error) {
	a, ok := t.a.(explicit)
	if !ok {
		return nil, errNoFactor
	}
	b, ok := t.b.(explicit)
	if !ok {
		return nil, errNoFactor
	}
	ma, err := a.matrix()
	if err != nil {
		return nil, err
	}
	mb, err := b.matrix()
	if err != nil {
		return nil, err
	}
	both, err := sparse.Add(0, ma, 1, mb)
	if err != nil {
		return nil, err
	}
	// The diagonal must be stored, for the shift.
	if both, err = sparse.Add(1, both, 0, sparse.Identity(t.n)); err != nil {
		return nil, err
	}
	plan, err := sparse.Analyze(both, 3e4*float64(both.NNZ())+1e8)
	if err != nil {
		return nil, err
	}
	if plan.Bytes() > t.opt.MaxBytes {
		return nil, errNoFactor
	}
	return &factored{a: ma, b: mb, plan: plan}, nil
}

func (f *factored) improve(t *davidson, s *state, x *mat.Dense) error {
	stale := f.factor == nil || math.Abs(s.lambda-f.lambda) > 0.01*math.Abs(s.lambda) || t.margin(s) > f.margin || t.margin(s)-s.theta[0] < 0.2*(f.margin-s.theta[0])
	if stale {
		margin := t.margin(s)
		for {
			m, err := sparse.Add(s.lambda, f.b, -1, f.a)
			if err != nil {
				return err
			}
			factor, err := f.plan.Factorize(t.ctx, m, margin)
			if err == nil {
				f.factor, f.lambda, f.margin = factor, s.lambda, margin
				break
			}
			if !errors.Is(err, sparse.ErrNotPositive) {
				return err
			}
			// Eigenvalues above those that the subspace knows of.
			margin = s.theta[0] + 4*(margin-s.theta[0])
			if math.IsInf(margin, 1) {
				return err
			}
		}
	}
	f.factor.SolveTo(x, x)
	return nil
}
