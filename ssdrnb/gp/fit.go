package gp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Schedule says in which order positions and parameters are optimised.
type Schedule string

// The schedules.
const (
	// Alternate is the paper's Table 1: the parameters with the positions fixed, then
	// the positions with the parameters fixed, round after round.
	Alternate Schedule = "alternate"
	// Joint moves everything at once along the exact gradient. It goes further than
	// Alternate, which is slow along the scale of the latent space.
	Joint Schedule = "joint"
)

// Settings say how latent positions are found. The zero values of the choices stand
// for RBF, Alternate and LBFGS, of the approximation for the exact likelihood.
type Settings struct {
	Kernel   Kernel
	Jitter   float64
	Schedule Schedule
	Minimise Minimise
	// Rounds is the largest number of rounds, Steps that of optimiser steps in each
	// half of a round; Joint takes up to Rounds·Steps steps.
	Rounds, Steps int
	// Move ends the rounds where the positions moved by Σ‖Δx‖² ≤ Move·n·d·s², s² being
	// their mean variance.
	Move float64
	// Gradient and Change end an optimisation, see [Options].
	Gradient, Change float64
	// Theta is the start of the kernel's parameters.
	Theta Theta
	// Prior and its weight Lambda are left out where the weight is 0 or no pair is
	// active.
	Prior  *Prior
	Lambda float64
	// Back is an n×n kernel matrix of the data: the positions are then Back·A, and A
	// is what is optimised.
	Back *mat.Dense
	// Approximation and Inducing, m×d start positions, replace the exact likelihood.
	Approximation Approximation
	Inducing      *mat.Dense
	// Progress, unless nil, hears of every accepted step.
	Progress func(Progress)
}

// Progress tells how far a fit is.
type Progress struct {
	Round int
	// Phase is "parameters", "positions" or "all".
	Phase string
	// Objective is J = ln p(Y|X, θ) − λE, the sum of its two parts.
	Objective, LogLikelihood, Energy float64
	// Gradient is the largest entry of the gradient of what is optimised, in
	// magnitude.
	Gradient float64
	Theta    Theta
}

// Fitted is where a fit ended.
type Fitted struct {
	X     *mat.Dense // n×d
	A     *mat.Dense // n×d where there are back constraints, else nil
	U     *mat.Dense // m×d inducing positions, nil where the likelihood is exact
	Theta Theta
	// Jitter is the jitter of the model; it is larger than the one that was asked for
	// where the covariance at the start needed that.
	Jitter float64
	// Objective, LogLikelihood and Energy are J and its parts at the end.
	Objective, LogLikelihood, Energy float64
	// Gradient is the largest entry of J's gradient at the end of the last
	// optimisation, in magnitude.
	Gradient float64
	// History is J at the start and after every accepted step.
	History []float64
	// Rounds and Evaluations, of the gradient, were spent.
	Rounds, Evaluations int
	Converged           bool
}

// Fit finds latent positions of y, n×D with mean zero, from x0, n×d. Neither is
// changed. When ctx ends the best positions so far are returned together with its
// error.
func Fit(ctx context.Context, y, x0 *mat.Dense, s Settings) (*Fitted, error) {
	p, err := newProblem(y, x0, s)
	if err != nil {
		return nil, err
	}
	f := &Fitted{Jitter: p.jitter, History: []float64{-p.value}}
	minimise := s.Minimise
	if minimise == nil {
		minimise = LBFGS
	}
	positions := p.n * p.d
	// step optimises w[lo:hi].
	step := func(round int, phase string, lo, hi, steps int) (*Result, error) {
		opt := Options{Steps: steps, Gradient: s.Gradient, Change: s.Change, Progress: func(value, gradient float64) {
			f.History = append(f.History, -value)
			if s.Progress != nil {
				s.Progress(Progress{round, phase, -value, p.logLikelihood, p.energy, gradient, p.theta()})
			}
		}}
		r, err := minimise(ctx, p.part(lo, hi), p.w[lo:hi], opt)
		copy(p.w[lo:hi], r.W)
		f.Gradient = r.Gradient
		f.Evaluations += r.Evaluations
		return r, err
	}
	if s.Schedule == Joint {
		var r *Result
		r, err = step(1, "all", 0, len(p.w), s.Rounds*s.Steps)
		f.Rounds, f.Converged = 1, r.Converged
	} else {
		before := mat.NewDense(p.n, p.d, nil)
		for f.Rounds < s.Rounds && !f.Converged && err == nil {
			f.Rounds++
			before.Copy(p.positions())
			if _, err = step(f.Rounds, "parameters", positions, len(p.w), s.Steps); err != nil {
				break
			}
			p.freeze()
			_, err = step(f.Rounds, "positions", 0, positions, s.Steps)
			x := p.positions()
			moved := 0.0
			for i := range p.n {
				moved += squared(x.RawRowView(i), before.RawRowView(i))
			}
			f.Converged = moved <= s.Move*spread(x)
		}
	}
	p.finish(f)
	return f, err
}

// Condition returns the predictive distribution given y (n×D, mean zero) at the
// positions x, the inducing positions u and the parameters t, under the likelihood
// of the settings with the given jitter.
func Condition(y, x, u *mat.Dense, t Theta, s Settings, jitter float64) (*Posterior, error) {
	s.Jitter = jitter
	e, err := s.evidence(y)
	if err != nil {
		return nil, err
	}
	return e.posterior(y, x, u, t)
}

// evidence makes the likelihood of y.
func (s Settings) evidence(y *mat.Dense) (evidence, error) {
	if s.Approximation == "" {
		return NewExact(y, s.Kernel, s.Jitter)
	}
	return NewSparse(y, s.Kernel, s.Approximation)
}

// Reach returns the largest distance of a position from the centre, divided by the
// median distance: a prior without a maximum sends some positions far away.
func (f *Fitted) Reach() float64 {
	n, _ := f.X.Dims()
	center, far := means(f.X), make([]float64, n)
	for i := range far {
		far[i] = math.Sqrt(squared(f.X.RawRowView(i), center))
	}
	slices.Sort(far)
	return far[n-1] / far[n/2]
}

// problem is the function −J of one vector w: the positions or, under back
// constraints, their coefficients, row by row; then ln θ; then the inducing
// positions.
type problem struct {
	evidence
	prior         *Prior // nil where it is left out
	lambda        float64
	back          *mat.Dense
	jitter        float64
	n, d, m       int
	w             []float64
	x             *mat.Dense // positions at the last evaluation
	gx, gu, gBack *mat.Dense
	at            []float64 // of the last evaluation, nil before it
	value         float64   // −J
	logLikelihood float64
	energy        float64
	g             []float64 // of −J at the last evaluation, nil until it is asked for
}

func newProblem(y, x0 *mat.Dense, s Settings) (*problem, error) {
	n, d := x0.Dims()
	if rows, _ := y.Dims(); rows != n {
		return nil, fmt.Errorf("%w: %d start positions for %d samples", ErrShape, n, rows)
	}
	if s.Prior != nil && s.Prior.n != n {
		return nil, fmt.Errorf("%w: a prior of %d samples for %d", ErrShape, s.Prior.n, n)
	}
	if s.Lambda < 0 || math.IsNaN(s.Lambda) || s.Rounds < 0 || s.Steps < 0 {
		return nil, fmt.Errorf("%w: λ = %v, %d rounds of %d steps", ErrOption, s.Lambda, s.Rounds, s.Steps)
	}
	if spread(x0) == 0 {
		return nil, ErrCoincide
	}
	p := &problem{n: n, d: d, back: s.Back, lambda: s.Lambda, jitter: s.Jitter, x: mat.NewDense(n, d, nil), gx: mat.NewDense(n, d, nil)}
	if s.Lambda > 0 && s.Prior.Active() > 0 {
		own := *s.Prior // freezing must not reach the caller's
		own.frozen = nil
		p.prior = &own
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
	p.w = append(p.w, s.Theta[:]...)
	if s.Approximation != "" {
		if s.Inducing == nil {
			return nil, fmt.Errorf("%w: no inducing points", ErrOption)
		}
		p.m, _ = s.Inducing.Dims()
		p.gu = mat.NewDense(p.m, d, nil)
		p.w = append(p.w, flat(s.Inducing)...)
	}
	var err error
	if p.evidence, err = s.evidence(y); err != nil {
		return nil, err
	}
	if s.Schedule != Joint { // which is one function: there the weights follow
		p.freeze()
	}
	p.eval(p.w, nil)
	// The jitter belongs to the model: it may only be raised here, at the start.
	exact, _ := p.evidence.(*Exact)
	for range 6 {
		if exact == nil || !math.IsInf(p.logLikelihood, -1) {
			break
		}
		p.jitter = max(p.jitter, 1e-12) * 10
		exact.jitter = p.jitter
		p.at = nil
		p.eval(p.w, nil)
	}
	if math.IsInf(p.value, 0) {
		return nil, ErrSingular
	}
	return p, nil
}

// backStart returns the coefficients A = (K_b + 10⁻³I)⁻¹X.
func backStart(back, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	if r, c := back.Dims(); r != n || c != n {
		return nil, fmt.Errorf("%w: a back kernel of %d×%d for %d samples", ErrShape, r, c, n)
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
	// A condition number near the limit of float64 only makes a rougher start.
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

// theta reads the parameters.
func (p *problem) theta() Theta { return Theta(p.w[p.n*p.d : p.n*p.d+3]) }

// positions computes X at w.
func (p *problem) positions() *mat.Dense {
	z := mat.NewDense(p.n, p.d, p.w[:p.n*p.d])
	if p.back == nil {
		p.x.Copy(z)
	} else {
		p.x.Mul(p.back, z)
	}
	return p.x
}

// inducing views the inducing positions in w.
func (p *problem) inducing() *mat.Dense {
	if p.m == 0 {
		return nil
	}
	return mat.NewDense(p.m, p.d, p.w[p.n*p.d+3:])
}

// part is −J as a function of w[lo:hi], the rest being fixed.
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

// eval computes −J at w unless it was the last point, and then calls the given
// function, which may ask for the gradient.
func (p *problem) eval(w []float64, also func()) float64 {
	if p.at == nil || !slices.Equal(p.at, w) {
		p.at = append(p.at[:0], w...)
		p.g = p.g[:0]
		x, t := p.positions(), p.theta()
		p.logLikelihood = p.evidence.logLikelihood(x, p.inducing(), t)
		p.energy = 0
		if p.prior != nil && !math.IsInf(p.logLikelihood, 0) {
			_, gamma, _ := t.Values()
			p.energy, _ = p.prior.Energy(x, gamma, nil)
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

// gradient fills g at the point of the last evaluation.
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
		_, gamma, _ := p.theta().Values()
		gE := mat.NewDense(p.n, p.d, nil)
		_, gGamma := p.prior.Energy(p.x, gamma, gE)
		gE.Scale(p.lambda, gE)
		p.gx.Sub(p.gx, gE)
		gt[Gamma] -= p.lambda * gGamma
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

// freeze holds the weights of a literal form at the present positions.
func (p *problem) freeze() {
	if p.prior != nil && !p.prior.Form.bounded() {
		p.prior.Freeze(p.positions())
		p.at = nil
	}
}

// finish reads the end of the optimisation off the problem.
func (p *problem) finish(f *Fitted) {
	if p.prior != nil && p.prior.frozen != nil {
		p.prior.Thaw()
		p.at = nil
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
