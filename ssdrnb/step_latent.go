package ssdrnb

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
)

// exactLimit is the number of samples up to which the default likelihood is exact.
const exactLimit = 2000

// mostExact is the largest number of samples for which an exact likelihood or back constraints are
// computed. Their matrices then take 16 GiB.
const mostExact = 23170

// affordable returns an error if the matrices of the likelihood take more memory than those of
// mostExact samples. m is the number of inducing points; 0 means that the matrices are n×n.
func affordable(n, m int, what string) error {
	numbers := gp.Numbers(n, m)
	if numbers <= gp.Numbers(mostExact, 0) {
		return nil
	}
	return fmt.Errorf("%w: %w: %s of %d samples take %.0f GiB", ErrData, graph.ErrMemory, what, n, numbers/(1<<27))
}

// fitLatent fits a latent variable model. The callback `more` returns settings with the terms that
// the method adds to the objective of GP-LVM. When the context ends, fitLatent returns the best
// result so far with the error.
func fitLatent(j *job, more func(*prepared) (gp.Settings, error)) (*solution, error) {
	if err := j.begin("start"); err != nil {
		return nil, err
	}
	p, err := prepareLatent(j)
	if err != nil {
		return nil, err
	}
	rng := sync.OnceValue(func() *rand.Rand { return rand.New(rand.NewPCG(uint64(seedOption.of(j)), 1)) })
	x0, err := startPositions(j, p.y, dimsOption.of(j), rng)
	if err != nil {
		return nil, err
	}
	s, err := more(p)
	if err != nil {
		return nil, err
	}
	if err := settle(j, &s, x0, rng); err != nil {
		return nil, err
	}
	if err := j.begin("optimise"); err != nil {
		return nil, err
	}
	var best *gp.Fitted
	fits := 1 + restartsOption.of(j)
	for k := range fits {
		start := x0
		if k > 0 {
			start = perturbed(x0, rng())
		}
		s.Progress = latentProgress(j, s, k, fits)
		var f *gp.Fitted
		if f, err = gp.Fit(j.ctx, p.y, start, s); f != nil && (best == nil || f.Objective > best.Objective) {
			best = f
		}
		if err != nil {
			break
		}
	}
	if best == nil || err != nil && j.ctx.Err() == nil {
		return nil, latentFault(j, s, err)
	}
	tellLatent(j, best, p.y, x0, s)
	m := &latent{prepared: p, x: best.X, a: best.A, u: best.U, theta: best.Theta, jitter: best.Jitter, kernel: s.Kernel, approximation: s.Approximation}
	if best.A != nil {
		m.gamma, _ = j.report.Fact("γ_b")
	}
	m.open()
	sol := &solution{y: best.X, mapping: m}
	if p.target != nil {
		var unpredicted error
		sol.carried, unpredicted = p.target.carried(best, s)
		err = cmp.Or(err, unpredicted)
	}
	return sol, err
}

// settle sets the fields of s from the options, and chooses the initial inducing points at random.
// rng is called only if there are inducing points, because it reads the option "seed".
func settle(j *job, s *gp.Settings, x0 *mat.Dense, rng func() *rand.Rand) error {
	s.Kernel, s.Schedule = gp.Kernel(kernelOption.of(j)), gp.Schedule(scheduleOption.of(j))
	s.Jitter, s.Rounds, s.Steps = jitterOption.of(j), roundsOption.of(j), stepsOption.of(j)
	s.Move, s.Gradient, s.Change = 1e-6, 1e-5, 1e-12
	s.Minimize = gp.LBFGS
	if optimizerOption.of(j) == SCG {
		s.Minimize = gp.SCG
	}
	n, d := x0.Dims()
	how := approximationOption.of(j)
	if how == AutoLikelihood && n > exactLimit {
		how = VFE
	}
	if how == FITC || how == VFE {
		m := min(inducingOption.of(j), n)
		if err := affordable(n, m, nouns.Count(m, "inducing point")); err != nil {
			return j.fault(inducingOption.Name, m, err, "lower Inducing")
		}
		if slices.Contains(j.spec.Changed(), jitterOption.Name) {
			j.warn("the likelihood %q does not use Jitter, which was set to %g", how, s.Jitter)
		}
		s.Approximation = gp.Approximation(how)
		s.Inducing = mat.NewDense(m, d, nil)
		for k, i := range rng().Perm(n)[:m] {
			s.Inducing.SetRow(k, x0.RawRowView(i))
		}
		j.fact("inducing points", float64(m))
	} else if err := affordable(n, 0, "covariances"); err != nil {
		return j.fault(approximationOption.Name, how, err, "set Approximation(VFE)")
	}
	return nil
}

// latentProgress returns a callback that notifies observers of the progress of fit k. The argument
// fits is the number of fits. Progress counts the rounds of all fits, or, under the joint schedule,
// their steps.
func latentProgress(j *job, s gp.Settings, k, fits int) func(gp.Progress) {
	each, done := s.Rounds, 0
	if s.Schedule == gp.Joint {
		each *= s.Steps
	}
	return func(p gp.Progress) {
		if s.Schedule == gp.Joint {
			done = min(done+1, each) // an optimiser may report its best point twice
		} else {
			done = p.Round
		}
		Notify(Event{Method: j.method, Stage: p.Phase, Done: k*each + done, Total: fits * each, Value: p.Objective})
	}
}

// perturbed returns x0 plus Gaussian noise with half the standard deviation of x0 in each column.
func perturbed(x0 *mat.Dense, rng *rand.Rand) *mat.Dense {
	n, d := x0.Dims()
	x := mat.DenseCopyOf(x0)
	for k := range d {
		sum, squares := 0.0, 0.0
		for i := range n {
			sum += x0.At(i, k) / float64(n)
			squares += x0.At(i, k) * x0.At(i, k) / float64(n)
		}
		sd := math.Sqrt(max(squares-sum*sum, 0))
		for i := range n {
			x.Set(i, k, x.At(i, k)+sd/2*rng.NormFloat64())
		}
	}
	return x
}

// latentFault adds the option at fault, [ErrData] or a remedy to an error of package gp.
func latentFault(j *job, s gp.Settings, err error) error {
	switch {
	case errors.Is(err, gp.ErrFar):
		return j.fault(startOption.Name, startOption.of(j), fmt.Errorf("%w: %w", ErrOption, err), "set Start(Whitened), or Scaling(GlobalScale)")
	case errors.Is(err, gp.ErrCoincide) && s.Back != nil:
		return j.fault(backScaleOption.Name, backScaleOption.of(j), fmt.Errorf("%w: %w: the kernel of the back constraints is constant", ErrOption, err), "lower BackScale")
	case errors.Is(err, gp.ErrCoincide):
		return j.fault("data", nil, fmt.Errorf("%w: %w", ErrData, err), remedyOf(err))
	case errors.Is(err, gp.ErrSingular) && s.Approximation == "":
		return advice.With("raise Jitter", err)
	}
	return err
}

// tellLatent records the result of the fit in the report.
func tellLatent(j *job, f *gp.Fitted, y, x0 *mat.Dense, s gp.Settings) {
	j.fact("ln p", f.LogLikelihood)
	if s.Prior.Active() > 0 && s.Lambda > 0 {
		j.fact("E", f.Energy)
		j.fact("J", f.Objective)
	}
	signal, gamma, noise := f.Theta.Values()
	values, names := []float64{signal, gamma, noise}, []string{"θ_rbf", "γ", "θ_white"}
	for k, name := range names {
		j.fact(name, values[k])
	}
	if how := scalingOption.of(j); how == Unscaled || how == MeanRemoved {
		limited := f.Theta.Limited()
		for _, k := range limited {
			if k == gp.Noise && noise < 1 && !slices.Contains(limited, gp.Signal) {
				continue // data without noise, in any unit
			}
			j.warn("%s ended at its limit %.3g, so that the model and its variances may be wrong: the limits suit features with variances near 1; set Scaling(GlobalScale)", names[k], values[k])
		}
	}
	j.fact("rounds", float64(f.Rounds))
	j.fact("|gradient|", f.Gradient)
	if f.Jitter != s.Jitter {
		j.fact("jitter", f.Jitter)
		j.warn("the covariance at the start was not positive definite: the jitter was raised from %g to %g", s.Jitter, f.Jitter)
	}
	j.report.Traces = append(j.report.Traces, Trace{Name: "objective", Objective: f.History})
	reach, growth := f.Reach(y), mat.Norm(f.X, 2)/mat.Norm(x0, 2)
	diverges := s.Lambda > 0 && s.Prior.Unbounded(s.Schedule != gp.Joint) && max(reach, growth) > 1e3
	if !f.Converged && j.ctx.Err() == nil && !diverges {
		budget := nouns.Count(f.Rounds, "round")
		if s.Schedule == gp.Joint {
			budget = nouns.Count(len(f.History)-1, "step")
		}
		switch {
		case f.Blocked:
			j.warn("not converged after %s: in the last round, the optimiser rejected all steps for the positions or the parameters; raise Steps", budget)
		case f.Stopped:
			j.warn("stopped after %s: the optimiser found no step that raises the objective further; accept this result, or set Schedule(Alternate)", budget)
		default:
			j.warn("not converged after %s; raise Rounds, or accept this result", budget)
		}
	}
	switch {
	case diverges:
		j.warn("the latent positions diverge, as the objective of this form has no maximum; set Form(MixedForm)") // without distances, which depend on rounding
	case reach > 1e3:
		j.warn("the farthest latent position is %.3g times as far from the centre as the nearest three quarters of the positions are on average: its sample may be an outlier", reach)
	}
}
