package gp

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Schedule determines in which order positions and parameters are optimised.
type Schedule string

// The schedules.
const (
	// Alternate is the paper's Table 1: the parameters with the positions fixed, then
	// the positions with the parameters fixed, round after round.
	Alternate Schedule = "alternate"
	// Joint optimises everything at once along the exact gradient. It reaches higher likelihoods
	// than Alternate, which converges slowly in the scale of the latent space.
	Joint Schedule = "joint"
)

// Settings are the settings of [Fit]. The zero values of the choices stand for RBF, Alternate,
// LBFGS and the exact likelihood.
type Settings struct {
	Kernel   Kernel
	Jitter   float64
	Schedule Schedule
	Minimize Minimize
	// Rounds is the largest number of rounds, Steps the largest number of optimiser steps in each
	// half of a round; Joint takes up to Rounds·Steps steps.
	Rounds, Steps int
	// Move ends the rounds when the positions have moved by Σ‖Δx‖² ≤ Move·n·d·s², where
	// s² is their mean variance.
	Move float64
	// Gradient and Change end an optimisation, see [Options].
	Gradient, Change float64
	// Theta is the start of the kernel's parameters.
	Theta Theta
	// Prior has the weight Lambda. It is ignored if the weight is 0 or no pair is active.
	Prior  *Prior
	Lambda float64
	// Back, unless nil, is an n×n kernel matrix of the data: the positions are then
	// Back·A, and A is optimised.
	Back *mat.Dense
	// Output, unless nil, is one more output that is known for some samples.
	Output *Output
	// Approximation and Inducing, m×d start positions, replace the exact likelihood.
	Approximation Approximation
	Inducing      *mat.Dense
	// Progress, unless nil, is called after every accepted step.
	Progress func(Progress)
}

// Progress describes the state of a fit.
type Progress struct {
	Round int
	// Phase is "parameters", "positions" or "all".
	Phase string
	// Objective is J = ln p(Y|X, θ) − λE.
	Objective float64
}

// Fitted is the result of [Fit].
type Fitted struct {
	X     *mat.Dense // n×d
	A     *mat.Dense // n×d where there are back constraints, else nil
	U     *mat.Dense // m×d inducing positions, nil if the likelihood is exact
	Theta Theta
	// Jitter is the jitter of the model. It is larger than the jitter of the settings if
	// the covariance at the start required that.
	Jitter float64
	// Objective, LogLikelihood and Energy are J and its parts at the end.
	Objective, LogLikelihood, Energy float64
	// Gradient is the largest entry of J's gradient at the end of the last
	// optimisation, in magnitude.
	Gradient float64
	// History is J at the start and after every accepted step.
	History []float64
	// Rounds is the number of rounds.
	Rounds    int
	Converged bool
}

// Fit finds latent positions of y, n×D with mean zero, from x0, n×d. Neither is changed. When ctx
// ends, it returns the best positions so far with the error of ctx.
func Fit(ctx context.Context, y, x0 *mat.Dense, s Settings) (*Fitted, error) {
	p, err := newProblem(y, x0, s)
	if err != nil {
		return nil, err
	}
	f := &Fitted{Jitter: p.jitter, History: []float64{-p.value}}
	minimize := s.Minimize
	if minimize == nil {
		minimize = LBFGS
	}
	positions := p.n * p.d
	// step optimises w[lo:hi].
	step := func(round int, phase string, lo, hi, steps int) (*Result, error) {
		opt := Options{Steps: steps, Gradient: s.Gradient, Change: s.Change, Progress: func(value float64) {
			f.History = append(f.History, -value)
			if s.Progress != nil {
				s.Progress(Progress{round, phase, -value})
			}
		}}
		r, err := minimize(ctx, p.part(lo, hi), p.w[lo:hi], opt)
		copy(p.w[lo:hi], r.W)
		f.Gradient = r.Gradient
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
				moved += samples.SquaredDistance(x.RawRowView(i), before.RawRowView(i))
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

// evidence makes the likelihood of y, and of the output if there is one.
func (s Settings) evidence(y *mat.Dense) (e evidence, err error) {
	if s.Approximation == "" {
		e, err = NewExact(y, s.Kernel, s.Jitter)
	} else {
		e, err = NewSparse(y, s.Kernel, s.Approximation)
	}
	if err != nil || s.Output == nil {
		return e, err
	}
	n, _ := y.Dims()
	return s.Output.join(e, n, s.Kernel, s.Jitter)
}

// Reach returns the largest distance of a position from the centre, divided by the median distance:
// with a prior without a maximum some positions diverge.
func (f *Fitted) Reach() float64 {
	n, _ := f.X.Dims()
	center, far := samples.Means(f.X), make([]float64, n)
	for i := range far {
		far[i] = math.Sqrt(samples.SquaredDistance(f.X.RawRowView(i), center))
	}
	slices.Sort(far)
	return far[n-1] / far[n/2]
}
