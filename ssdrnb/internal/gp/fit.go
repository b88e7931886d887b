package gp

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Schedule determines the order in which positions and parameters are optimised.
type Schedule string

// The schedules.
const (
	// Alternate follows Table 1 of the paper (see the package comment): in each round it optimises
	// the parameters with the positions fixed, then the positions with the parameters fixed.
	Alternate Schedule = "alternate"
	// Joint optimises all variables at once with the exact gradient. It reaches higher likelihoods
	// than Alternate, under which the scale of the latent positions converges slowly.
	Joint Schedule = "joint"
)

// Settings are the settings of [Fit]. Zero values select RBF, Alternate, LBFGS and the exact
// likelihood.
type Settings struct {
	Kernel   Kernel
	Jitter   float64
	Schedule Schedule
	Minimize Minimize
	// Rounds is the largest number of rounds, and Steps is the largest number of optimiser steps in
	// each half of a round. [Joint] takes up to Rounds·Steps steps.
	Rounds, Steps int
	// Move is a stopping threshold: the rounds end when the displacements Δx of the positions
	// satisfy Σ‖Δx‖² ≤ Move·n·d·s², where s² is the mean variance of the positions.
	Move float64
	// Gradient and Change are stopping thresholds of an optimisation; see [Options].
	Gradient, Change float64
	// Theta holds the initial kernel parameters.
	Theta Theta
	// Prior is weighted by Lambda. It is ignored if Lambda is 0 or no pair has an energy.
	Prior  *Prior
	Lambda float64
	// Back, unless nil, is an n×n kernel matrix of the data. The positions are then Back·A, and A
	// is optimised.
	Back *mat.Dense
	// Output, unless nil, is an additional output that is known for some samples.
	Output *Output
	// Approximation, unless "", replaces the exact likelihood. Inducing (m×d) then holds the
	// initial inducing positions.
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
	A     *mat.Dense // n×d with back constraints, otherwise nil
	U     *mat.Dense // m×d inducing positions; nil if the likelihood is exact
	Theta Theta
	// Jitter is the jitter of the model. It exceeds the jitter in the settings if the initial
	// covariance required a larger one.
	Jitter float64
	// Objective is J; see [Progress]. LogLikelihood (ln p) and Energy (E) are its parts. All three
	// are values at the end of the fit.
	Objective, LogLikelihood, Energy float64
	// Gradient is the largest magnitude of an entry of the gradient of J with respect to the
	// variables of the last optimisation, at the end of that optimisation.
	Gradient float64
	// History is J at the start and after every accepted step.
	History []float64
	// Rounds is the number of rounds. Converged is true if the fit ended at the threshold Move or,
	// under Joint, at Gradient or Change.
	Rounds    int
	Converged bool
	// Blocked is true if Steps was too small for an optimisation of the last round; see [Result].
	// The rounds end early if the next one would only repeat the rejected steps.
	Blocked bool
	// Stopped is true if the optimisation under Joint found no step that raises J, before it
	// converged or reached the step limit.
	Stopped bool
}

// Fit finds latent positions for y (n×D, mean zero), starting from x0 (n×d). It changes neither
// matrix. When ctx ends, it returns the best positions so far with the error of ctx.
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
		f.Rounds, f.Converged, f.Stopped = 1, r.Converged, err == nil && !r.Converged && !r.Limited
	} else {
		before := mat.NewDense(p.n, p.d, nil)
		for repeats := false; f.Rounds < s.Rounds && !f.Converged && !repeats && err == nil; {
			f.Rounds++
			accepted := len(f.History)
			before.Copy(p.positions())
			var first, second *Result
			if first, err = step(f.Rounds, "parameters", positions, len(p.w), s.Steps); err != nil {
				break
			}
			p.freeze()
			second, err = step(f.Rounds, "positions", 0, positions, s.Steps)
			x := p.positions()
			moved := 0.0
			for i := range p.n {
				moved += samples.SquaredDistance(x.RawRowView(i), before.RawRowView(i))
			}
			f.Blocked = first.Blocked || second.Blocked
			f.Converged = moved <= s.Move*spread(x) && !f.Blocked
			repeats = f.Blocked && len(f.History) == accepted
		}
	}
	p.finish(f)
	return f, err
}

// Condition returns the predictive distribution given y (n×D, mean zero), the positions x, the
// inducing positions u and the parameters t. It uses the likelihood in the settings, with the given
// jitter.
func Condition(y, x, u *mat.Dense, t Theta, s Settings, jitter float64) (*Posterior, error) {
	s.Jitter = jitter
	e, err := s.evidence(y)
	if err != nil {
		return nil, err
	}
	return e.posterior(y, x, u, t)
}

// Numbers returns the number of values in the matrices of the likelihood and its posterior, for n
// samples and m inducing points. m is 0 for the exact likelihood.
func Numbers(n, m int) float64 {
	rows, inducing := float64(n), float64(m)
	if m == 0 {
		return 4 * rows * rows
	}
	return inducing * (5*rows + 8*inducing)
}

// evidence returns the likelihood of y, joined with that of the output if there is one.
func (s Settings) evidence(y *mat.Dense) (evidence, error) {
	e, err := s.alone(y)
	if err != nil || s.Output == nil {
		return e, err
	}
	n, _ := y.Dims()
	return s.Output.join(e, n, s)
}

// alone returns the likelihood of y without the output.
func (s Settings) alone(y *mat.Dense) (evidence, error) {
	if s.Approximation == "" {
		return NewExact(y, s.Kernel, s.Jitter)
	}
	return NewSparse(y, s.Kernel, s.Approximation)
}

// Reach returns the largest distance of a position from the mean position, divided by the mean of
// the smallest three quarters of these distances. A large value indicates that positions diverge,
// because the posterior has no maximum. If rows of the data y are equal, only the first of them
// counts. Otherwise the result would be large whenever most samples are equal.
func (f *Fitted) Reach(y *mat.Dense) float64 {
	x := distinct(f.X, y)
	n, _ := x.Dims()
	center, far := samples.Means(x), make([]float64, n)
	for i := range far {
		far[i] = math.Sqrt(samples.SquaredDistance(x.RawRowView(i), center))
	}
	slices.Sort(far)
	return far[n-1] / (floats.Sum(far[:n-n/4]) / float64(n-n/4))
}

// distinct returns each row i of x for which row i of y differs from all earlier rows of y.
func distinct(x, y *mat.Dense) *mat.Dense {
	seed, seen := maphash.MakeSeed(), map[uint64]bool{}
	var row []byte
	var rows []float64
	n, d := x.Dims()
	for i := range n {
		row, _ = binary.Append(row[:0], binary.LittleEndian, y.RawRowView(i)) // floats are valid data
		if key := maphash.Bytes(seed, row); !seen[key] {
			seen[key] = true
			rows = append(rows, x.RawRowView(i)...)
		}
	}
	return mat.NewDense(len(rows)/d, d, rows)
}
