package spectral

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
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

// gradients inverts by conjugate gradients with the diagonal as preconditioner, to a
// digit or two: more would not speed up the outer steps.
type gradients struct{ diagA, diagB []float64 }

// The end of the inner iteration, relative to the right-hand side.
const (
	innerTolerance = 2e-2
	innerSteps     = 60
)

func (g *gradients) improve(t *davidson, s *state, x *mat.Dense) error {
	_, b := x.Dims()
	shift := t.margin(s)
	inverse := make([]float64, t.n)
	for i := range inverse {
		inverse[i] = 1
		if g.diagA != nil {
			if v := s.lambda*g.diagB[i] - g.diagA[i] + shift; v > 0 {
				inverse[i] = 1 / v
			}
		}
	}
	r := mat.DenseCopyOf(x)
	x.Zero()
	z, av, bv := mat.NewDense(t.n, b, nil), mat.NewDense(t.n, b, nil), mat.NewDense(t.n, b, nil)
	precondition := func() {
		z.Copy(r)
		scaleRows(z, inverse)
		if t.opt.Null != nil {
			t.opt.Null.Project(z)
		}
	}
	precondition()
	p := mat.DenseCopyOf(z)
	rz := dots(r, z)
	start := dots(r, r)
	alive := make([]bool, b)
	for j := range alive {
		alive[j] = start[j] > 0
	}
	for range innerSteps {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		// av = (λB − A + s)·p
		t.a.Apply(av, p)
		t.b.Apply(bv, p)
		bv.Scale(s.lambda, bv)
		addScaled(bv, -1, av)
		addScaled(bv, shift, p)
		if t.opt.Null != nil {
			t.opt.Null.Project(bv)
		}
		pap := dots(p, bv)
		alpha := make([]float64, b)
		for j := range alpha {
			if alive[j] && pap[j] > 0 {
				alpha[j] = rz[j] / pap[j]
			} else {
				alive[j] = false // the shift was too small: stay with what there is
			}
		}
		addColumns(x, alpha, p, 1)
		addColumns(r, alpha, bv, -1)
		left := dots(r, r)
		running := false
		for j := range alive {
			alive[j] = alive[j] && left[j] > innerTolerance*innerTolerance*start[j]
			running = running || alive[j]
		}
		if !running {
			break
		}
		precondition()
		next := dots(r, z)
		par.Blocks(t.n, rowBlock, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				to, from := p.RawRowView(i), z.RawRowView(i)
				for j := range to {
					if alive[j] {
						to[j] = from[j] + next[j]/rz[j]*to[j]
					}
				}
			}
		})
		rz = next
	}
	done := dots(x, x)
	for j := range alive { // nothing done: the residual itself
		if start[j] > 0 && done[j] == 0 {
			for i := range t.n {
				x.Set(i, j, inverse[i]*r.At(i, j))
			}
		}
	}
	return nil
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
