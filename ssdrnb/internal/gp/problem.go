package gp

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// problem is the objective −J as a function of a single vector w; [Progress] defines J. The first
// part of w holds the positions row by row, or their coefficients under back constraints. The
// second part is ln θ, and the third holds the inducing positions.
type problem struct {
	evidence
	prior         *Prior // nil if the prior is not used
	lambda        float64
	back          *mat.Dense // K_b, the kernel matrix of back constraints, or nil
	jitter        float64
	n, d, m       int
	w             []float64
	x             *mat.Dense // positions in the last evaluation
	gx, gu, gBack *mat.Dense
	gE            *mat.Dense // gradient of the energy; the method `gradient` multiplies it by lambda
	gGamma        float64
	lastW         []float64 // w of the last evaluation; nil before the first
	value         float64   // −J
	logLikelihood float64
	energy        float64
	g             []float64 // gradient of −J at the last evaluation; empty until gradient is called
}

func newProblem(y, x0 *mat.Dense, s Settings) (*problem, error) {
	n, d := x0.Dims()
	if rows, _ := y.Dims(); rows != n {
		return nil, fmt.Errorf("%w: there are %d start positions, but %d samples", ErrShape, n, rows)
	}
	if s.Prior != nil && s.Prior.n != n {
		return nil, fmt.Errorf("%w: the prior has %d samples, but the data have %d", ErrShape, s.Prior.n, n)
	}
	if s.Lambda < 0 || math.IsNaN(s.Lambda) || s.Rounds < 0 || s.Steps < 0 {
		return nil, fmt.Errorf("%w: λ = %v, Rounds = %d and Steps = %d must not be negative or NaN", ErrOption, s.Lambda, s.Rounds, s.Steps)
	}
	p := &problem{n: n, d: d, back: s.Back, lambda: s.Lambda, jitter: s.Jitter, x: mat.NewDense(n, d, nil), gx: mat.NewDense(n, d, nil)}
	if s.Lambda > 0 && s.Prior.Active() > 0 {
		own := *s.Prior // freezing must not change the caller's prior
		own.frozen = nil
		p.prior, p.gE = &own, mat.NewDense(n, d, nil)
	}
	start := x0
	if s.Back != nil {
		var err error
		if start, err = backStart(s.Back, x0); err != nil {
			return nil, err
		}
		p.gBack = mat.NewDense(n, d, nil)
	}
	p.w = flat(start)
	// With back constraints, the positions can coincide up to rounding although the rows of x0 differ.
	switch x := p.positions(); {
	case tooFar(x):
		return nil, ErrFar
	case spread(x) <= 1e-20*spread(x0):
		return nil, ErrCoincide
	}
	p.w = append(p.w, s.Theta[:]...)
	if s.Approximation != "" {
		if s.Inducing == nil {
			return nil, fmt.Errorf("%w: Inducing is nil, but the approximation %q needs inducing points", ErrOption, s.Approximation)
		}
		p.m, _ = s.Inducing.Dims()
		p.gu = mat.NewDense(p.m, d, nil)
		p.w = append(p.w, flat(s.Inducing)...)
	}
	var err error
	if p.evidence, err = s.evidence(y); err != nil {
		return nil, err
	}
	if s.Schedule != Joint { // under Joint, the weights of the prior follow X
		p.freeze()
	}
	p.eval(p.w, nil)
	// The jitter is part of the model, so it may be increased only here, before the optimisation.
	exact, _ := p.evidence.(raiser)
	for range 6 {
		if exact == nil || !math.IsInf(p.logLikelihood, -1) || p.overflows() {
			break
		}
		p.jitter = max(p.jitter, 1e-12) * 10
		exact.raise(p.jitter)
		p.lastW = nil
		p.eval(p.w, nil)
	}
	switch {
	case math.IsInf(p.value, 0) && p.overflows():
		return nil, ErrOverflow
	case math.IsInf(p.value, 0):
		return nil, ErrSingular
	}
	return p, nil
}

// overflows reports whether an infinite J comes from a weighted term rather than from the
// likelihood itself.
func (p *problem) overflows() bool {
	j, ok := p.evidence.(*joined)
	return ok && j.overflows || !math.IsInf(p.logLikelihood, 0)
}

// raiser is a likelihood whose jitter can be increased.
type raiser interface{ raise(jitter float64) }

// backStart returns the coefficients A = (K_b + 10⁻³I)⁻¹X for the kernel matrix K_b of back
// constraints.
func backStart(back, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	if r, c := back.Dims(); r != n || c != n {
		return nil, fmt.Errorf("%w: the back kernel is %d×%d, but there are %d samples", ErrShape, r, c, n)
	}
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, back.At(i, j))
		}
		k.SetSym(i, i, back.At(i, i)+1e-3)
	}
	var chol mat.Cholesky
	if !chol.Factorize(k) {
		return nil, ErrSingular
	}
	a := new(mat.Dense)
	// A condition number near the limit of float64 only makes the start less accurate.
	_ = chol.SolveTo(a, x)
	return a, nil
}

// flat copies a matrix row by row.
func flat(m *mat.Dense) []float64 {
	r, c := m.Dims()
	out := make([]float64, 0, r*c)
	for i := range r {
		out = append(out, m.RawRowView(i)...)
	}
	return out
}

// theta returns the kernel parameters in w.
func (p *problem) theta() Theta { return Theta(p.w[p.n*p.d : p.n*p.d+3]) }

// positions computes X at w. It returns p.x, which the next call overwrites.
func (p *problem) positions() *mat.Dense {
	z := mat.NewDense(p.n, p.d, p.w[:p.n*p.d])
	if p.back == nil {
		p.x.Copy(z)
	} else {
		p.x.Mul(p.back, z)
	}
	return p.x
}

// inducing returns a view of the inducing positions in w.
func (p *problem) inducing() *mat.Dense {
	if p.m == 0 {
		return nil
	}
	return mat.NewDense(p.m, p.d, p.w[p.n*p.d+3:])
}

// part returns −J as a function of w[lo:hi], with the rest of w fixed.
func (p *problem) part(lo, hi int) Objective {
	return func(w, g []float64) float64 {
		copy(p.w[lo:hi], w)
		if g == nil {
			return p.eval(p.w, nil)
		}
		v := p.eval(p.w, p.gradient)
		copy(g, p.g[lo:hi])
		return v
	}
}

// eval returns −J at w. It evaluates J only if w is not the point of the last evaluation. In either
// case it then calls `also`, unless nil, to compute the gradient.
func (p *problem) eval(w []float64, also func()) float64 {
	if p.lastW == nil || !slices.Equal(p.lastW, w) {
		p.lastW = append(p.lastW[:0], w...)
		p.g = p.g[:0]
		x, t := p.positions(), p.theta()
		p.logLikelihood = p.evidence.logLikelihood(x, p.inducing(), t)
		p.energy = 0
		if p.prior != nil && !math.IsInf(p.logLikelihood, 0) {
			_, gamma, _ := t.Values()
			p.energy, p.gGamma = p.prior.Energy(x, gamma, p.gE)
		}
		p.value = p.lambda*p.energy - p.logLikelihood
		if math.IsNaN(p.value) || math.IsInf(p.value, -1) {
			p.value = math.Inf(1)
		}
	}
	if also != nil {
		also()
	}
	return p.value
}

// gradient computes g at the point of the last evaluation.
func (p *problem) gradient() {
	if len(p.g) > 0 {
		return
	}
	p.g = append(p.g, p.w...)
	clear(p.g)
	if math.IsInf(p.value, 0) {
		return
	}
	var gt Theta
	p.evidence.gradient(p.gx, p.gu, &gt)
	if p.prior != nil {
		p.gE.Scale(p.lambda, p.gE)
		p.gx.Sub(p.gx, p.gE)
		gt[Gamma] -= p.lambda * p.gGamma
		p.theta().free(&gt)
	}
	gz := p.gx
	if p.back != nil {
		p.gBack.Mul(p.back, p.gx) // K_b is symmetric
		gz = p.gBack
	}
	g := append(flat(gz), gt[:]...)
	if p.m > 0 {
		g = append(g, flat(p.gu)...)
	}
	for k, v := range g {
		p.g[k] = -v
	}
}

// freeze fixes the weights of the prior at the current positions, unless its form is Mixed or
// Margin.
func (p *problem) freeze() {
	if p.prior != nil && !p.prior.Form.bounded() {
		p.prior.Freeze(p.positions())
		p.lastW = nil
	}
}

// finish stores the result of the optimisation in f.
func (p *problem) finish(f *Fitted) {
	if p.prior != nil && p.prior.frozen != nil {
		p.prior.Thaw()
		p.lastW = nil
	}
	p.eval(p.w, nil)
	f.X = mat.DenseCopyOf(p.positions())
	f.Theta = p.theta()
	if p.back != nil {
		f.A = mat.NewDense(p.n, p.d, slices.Clone(p.w[:p.n*p.d]))
	}
	if u := p.inducing(); u != nil {
		f.U = mat.DenseCopyOf(u)
	}
	f.Objective, f.LogLikelihood, f.Energy = -p.value, p.logLikelihood, p.energy
}
