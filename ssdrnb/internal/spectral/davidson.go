package spectral

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// davidson is a trace-ratio problem being solved.
type davidson struct {
	ctx   context.Context
	a, b  Operator
	d, n  int
	block int // Ritz vectors that are followed: d and a few more
	limit int // columns of the basis at a restart
	opt   OperatorTraceRatioOptions
	rng   *rand.Rand

	q, aq, bq    *mat.Dense    // n×(limit + block): the basis and its products
	ha, hb       *mat.SymDense // QᵀAQ and QᵀBQ
	size         int
	normA, normB float64
	result       TraceRatioResult
	inverse      preconditioner
}

// whole reports whether the basis spans everything.
func (t *davidson) whole() bool { return t.block == t.limit }

// extend makes x orthonormal to the basis and appends it with its products.
func (t *davidson) extend(x *mat.Dense) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	k := krylov{n: t.n, null: t.opt.Null, rng: t.rng, basis: t.q}
	k.orthonormalize(x, t.size, 0)
	_, b := x.Dims()
	ax, bx := mat.NewDense(t.n, b, nil), mat.NewDense(t.n, b, nil)
	t.a.Apply(ax, x)
	t.b.Apply(bx, x)
	if t.opt.Null != nil {
		t.opt.Null.Project(ax)
		t.opt.Null.Project(bx)
	}
	for _, m := range []struct{ to, from *mat.Dense }{{t.q, x}, {t.aq, ax}, {t.bq, bx}} {
		m.to.Slice(0, t.n, t.size, t.size+b).(*mat.Dense).Copy(m.from)
	}
	t.size += b
	for _, m := range []struct {
		h  *mat.SymDense
		mx *mat.Dense
	}{{t.ha, ax}, {t.hb, bx}} {
		var part mat.Dense
		part.Mul(t.part(t.q).T(), m.mx)
		for j := range b {
			at := t.size - b + j
			for i := range at + 1 {
				m.h.SetSym(i, at, part.At(i, j))
			}
		}
	}
	return nil
}

// part returns the columns in use of a basis, without a copy.
func (t *davidson) part(m *mat.Dense) *mat.Dense {
	return m.Slice(0, t.n, 0, t.size).(*mat.Dense)
}

// difference returns A − λ·B.
func difference(a, b *mat.SymDense, lambda float64) *mat.SymDense {
	n := a.SymmetricDim()
	h := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			h.SetSym(i, j, a.At(i, j)-lambda*b.At(i, j))
		}
	}
	return h
}

// state is the solution in the current subspace.
type state struct {
	lambda     float64
	theta      []float64  // Ritz values of A − λB, falling
	y          *mat.Dense // their vectors in the basis
	w, residue *mat.Dense // the followed Ritz vectors and their residuals
	norms      []float64
}

// solve solves the projected problem and measures the residuals.
func (t *davidson) solve() (*state, error) {
	ha, hb := t.ha.SliceSym(0, t.size).(*mat.SymDense), t.hb.SliceSym(0, t.size).(*mat.SymDense)
	small := TraceRatioOptions{Solver: t.opt.Solver}
	history := t.result.History
	if len(history) > 0 {
		small.Start, small.StartSet = history[len(history)-1].Lambda, true
	}
	r, err := TraceRatio(t.ctx, ha, hb, t.d, small)
	if err != nil {
		return nil, fmt.Errorf("%w (in a subspace of %d dimensions)", err, t.size)
	}
	t.normA, t.normB = max(t.normA, mat.Norm(ha, 2)), max(t.normB, mat.Norm(hb, 2))
	s := &state{lambda: r.Lambda}
	all, err := extreme(difference(ha, hb, s.lambda), t.size, true)
	if err != nil {
		return nil, err
	}
	s.theta, s.y = all.Values, all.Vectors
	if len(history) > 0 {
		last := &history[len(history)-1]
		before, err := extreme(difference(ha, hb, last.Lambda), t.d, true)
		if err != nil {
			return nil, err
		}
		last.G = 0
		for _, v := range before.Values {
			last.G += v
		}
	}
	if t.whole() {
		t.result.History = r.History
	} else {
		t.result.History = append(t.result.History, Step{Lambda: s.lambda, Pick: "subspace"})
	}
	m := min(t.block, t.size)
	y := s.y.Slice(0, t.size, 0, m)
	s.w, s.residue = new(mat.Dense), new(mat.Dense)
	var bw mat.Dense
	s.w.Mul(t.part(t.q), y)
	s.residue.Mul(t.part(t.aq), y)
	bw.Mul(t.part(t.bq), y)
	addScaled(s.residue, -s.lambda, &bw)
	s.norms = make([]float64, m)
	for i := range t.n {
		row, own := s.residue.RawRowView(i), s.w.RawRowView(i)
		for j := range row {
			row[j] -= s.theta[j] * own[j]
			s.norms[j] += row[j] * row[j]
		}
	}
	for j, v := range s.norms {
		s.norms[j] = math.Sqrt(v)
	}
	return s, nil
}

// iterate runs the Davidson steps.
func (t *davidson) iterate() (*TraceRatioResult, error) {
	for step := 0; ; step++ {
		s, err := t.solve()
		if err != nil {
			return nil, err
		}
		scale := t.normA + math.Abs(s.lambda)*t.normB
		worst := 0.0
		for _, v := range s.norms[:t.d] {
			worst = max(worst, v)
		}
		if worst <= t.opt.Tolerance*scale || t.whole() {
			t.result.Residual = worst
			return t.finish(s, scale), nil
		}
		if step+1 >= t.opt.MaxSteps || math.IsNaN(worst) {
			return nil, fmt.Errorf("%w: trace ratio after %d steps: λ = %g, the largest residual is %.3g where ‖A‖ + λ‖B‖ = %.3g", ErrNotConverged, step+1, s.lambda, worst, scale)
		}
		x, err := t.correction(s)
		if err != nil {
			return nil, err
		}
		if _, b := x.Dims(); t.size+b > t.limit+t.block || t.size >= t.limit {
			t.restart(s)
		}
		if err := t.extend(x); err != nil {
			return nil, err
		}
	}
}

// correction returns the residuals that are not yet small, taken through the
// approximate inverse.
func (t *davidson) correction(s *state) (*mat.Dense, error) {
	if t.inverse == nil {
		inverse, err := t.precondition(s)
		if err != nil {
			return nil, err
		}
		t.inverse = inverse
	}
	x := mat.DenseCopyOf(s.residue)
	if err := t.inverse.improve(t, s, x); err != nil {
		return nil, err
	}
	return x, nil
}

// restart keeps the followed Ritz vectors and as many of the next.
func (t *davidson) restart(s *state) {
	keep := min(2*t.block, t.size)
	y := s.y.Slice(0, t.size, 0, keep)
	for _, m := range []*mat.Dense{t.q, t.aq, t.bq} {
		var v mat.Dense
		v.Mul(t.part(m), y)
		m.Slice(0, t.n, 0, keep).(*mat.Dense).Copy(&v)
	}
	for _, h := range []*mat.SymDense{t.ha, t.hb} {
		inner := congruence(h.SliceSym(0, t.size).(*mat.SymDense), mat.DenseCopyOf(y))
		for i := range keep {
			for j := i; j < keep; j++ {
				h.SetSym(i, j, inner.At(i, j))
			}
		}
	}
	t.size = keep
}

// finish fills the result.
func (t *davidson) finish(s *state, scale float64) *TraceRatioResult {
	r := &t.result
	r.Lambda, r.Gap, r.Upper = s.lambda, math.Inf(1), math.Inf(1)
	r.Lower = r.History[0].Lambda
	r.Values = s.theta[:min(t.block, len(s.theta))]
	last := &r.History[len(r.History)-1]
	last.G = 0
	for _, v := range r.Values[:t.d] {
		last.G += v
	}
	r.W = columns(s.w, 0, t.d)
	if t.d < len(s.theta) {
		r.Gap = s.theta[t.d-1] - s.theta[t.d]
	}
	r.Unique = r.Gap > 1e-10*scale
	FixSigns(r.W)
	return r
}
