package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/gp"

// The options of the Gaussian process latent variable models.

// Values of the option "scaling".
const (
	// Unscaled takes the features as they are. The model's mean is zero.
	Unscaled = "none"
	// MeanRemoved subtracts the mean of each feature.
	MeanRemoved = "center"
	// GlobalScale also divides everything by one number, the root mean square.
	GlobalScale = "global"
	// PerFeature divides each feature by its own standard deviation: for features in
	// different units.
	PerFeature = "standardize"
)

// Values of the option "start".
const (
	// Whitened starts from principal components of variance 1.
	Whitened = "whiten"
	// RawScores starts from principal components as they are.
	RawScores = "raw"
	// FirstWhitened divides them by the standard deviation of the first, which keeps
	// their aspect.
	FirstWhitened = "global"
)

// Values of the option "approximation".
const (
	// AutoLikelihood is exact up to 2,000 samples and VFE beyond.
	AutoLikelihood = "auto"
	// ExactLikelihood costs O(n³) a step.
	ExactLikelihood = "exact"
	// FITC and VFE use inducing points and cost O(nm²) a step; VFE is a lower bound.
	FITC = string(gp.FITC)
	VFE  = string(gp.VFE)
)

// Values of the options "optimizer" and "schedule".
const (
	// LBFGS is gonum's limited-memory BFGS method, SCG scaled conjugate gradients as
	// the paper uses.
	LBFGS = "l-bfgs"
	SCG   = "scg"
	// Alternate optimises kernel parameters and positions in turn, Joint together.
	Alternate = string(gp.Alternate)
	Joint     = string(gp.Joint)
)

func latentParams() []Param {
	kernels := make([]string, len(gp.Kernels))
	for i, k := range gp.Kernels {
		kernels[i] = string(k)
	}
	return []Param{dimsParam(2),
		{Name: "scaling", Setter: "Scaling", Kind: ChoiceParam, Default: GlobalScale, Choices: []string{Unscaled, MeanRemoved, GlobalScale, PerFeature},
			Doc: "what is done to the features first; standardize where their units differ"},
		{Name: "kernel", Setter: "Kernel", Kind: ChoiceParam, Default: kernels[0], Choices: kernels, Doc: "covariance function of the mapping from latent space"},
		{Name: "start", Setter: "Start", Kind: ChoiceParam, Default: Whitened, Choices: []string{Whitened, RawScores, FirstWhitened},
			Doc: "scale of the principal components that the positions start from"},
		{Name: "optimizer", Setter: "Optimizer", Kind: ChoiceParam, Default: LBFGS, Choices: []string{LBFGS, SCG}, Doc: "how the objective is maximised"},
		{Name: "schedule", Setter: "Schedule", Kind: ChoiceParam, Default: Alternate, Choices: []string{Alternate, Joint},
			Doc: "kernel parameters and positions in turn, as the paper, or together"},
		{Name: "rounds", Setter: "Rounds", Kind: IntParam, Default: 100, Min: 1, Max: 1e6, Log: true, Doc: "largest number of rounds T"},
		{Name: "steps", Setter: "Steps", Kind: IntParam, Default: 20, Min: 1, Max: 1e6, Log: true,
			Doc: "optimiser steps in each half of a round; the joint schedule takes up to rounds·steps"},
		{Name: "jitter", Setter: "Jitter", Kind: FloatParam, Default: 1e-6, Min: 0, Max: 1, Log: true,
			Doc: "ε on the diagonal of the covariance, part of the model, in units of the scaled features' variance"},
		{Name: "approximation", Setter: "Approximation", Kind: ChoiceParam, Default: AutoLikelihood, Choices: []string{AutoLikelihood, ExactLikelihood, FITC, VFE},
			Doc: "exact likelihood, or one with inducing points"},
		{Name: "inducing", Setter: "Inducing", Kind: IntParam, Default: 100, Min: 1, Max: 1e5, Log: true,
			Doc: "number m of inducing points, where they are used; at most the number of samples"},
		{Name: "restarts", Setter: "Restarts", Kind: IntParam, Default: 0, Min: 0, Max: 1e4,
			Doc: "further fits from perturbed starts; the best objective is kept"},
		{Name: "seed", Setter: "Seed", Kind: IntParam, Default: 1, Min: 0, Max: many, Doc: "seed of perturbed starts and of the choice of inducing points"},
	}
}

// positioned gives a builder the options of latent variable models.
type positioned[B any] struct{ c *core[B] }

// Scaling sets what is done to the features first: [Unscaled], [MeanRemoved],
// [GlobalScale] or [PerFeature].
func (b positioned[B]) Scaling(how string) B { return b.c.with("scaling", how) }

// Kernel sets the covariance function: "rbf", "matern-5/2" or "matern-3/2".
func (b positioned[B]) Kernel(name string) B { return b.c.with("kernel", name) }

// Start sets the scale of the principal components that the positions start from:
// [Whitened], [RawScores] or [FirstWhitened].
func (b positioned[B]) Start(scale string) B { return b.c.with("start", scale) }

// Optimizer sets how the objective is maximised: [LBFGS] or [SCG].
func (b positioned[B]) Optimizer(name string) B { return b.c.with("optimizer", name) }

// Schedule sets the order: [Alternate] is the paper's, [Joint] reaches higher
// likelihoods, which need not mean lower errors.
func (b positioned[B]) Schedule(name string) B { return b.c.with("schedule", name) }

// Rounds sets the largest number of rounds, at least 1. Each has two optimisations
// of up to Steps steps; the joint schedule takes up to Rounds·Steps steps.
func (b positioned[B]) Rounds(t int) B { return b.c.with("rounds", t) }

// Steps sets the number of optimiser steps in each half of a round, at least 1.
func (b positioned[B]) Steps(k int) B { return b.c.with("steps", k) }

// Jitter sets ε ≥ 0 on the diagonal of the covariance, in units of the variance of
// the scaled features. It is what bounds the likelihood where samples coincide.
func (b positioned[B]) Jitter(epsilon float64) B { return b.c.with("jitter", epsilon) }

// Approximation sets the likelihood: [AutoLikelihood], [ExactLikelihood], [FITC] or
// [VFE].
func (b positioned[B]) Approximation(how string) B { return b.c.with("approximation", how) }

// Inducing sets the number of inducing points, where they are used.
func (b positioned[B]) Inducing(m int) B { return b.c.with("inducing", m) }

// Restarts sets how many further fits begin at perturbed starts.
func (b positioned[B]) Restarts(k int) B { return b.c.with("restarts", k) }

// Seed sets the seed of perturbed starts and of the choice of inducing points.
func (b positioned[B]) Seed(seed int) B { return b.c.with("seed", seed) }

func backScaleParam() Param {
	return Param{Name: "back scale", Setter: "BackScale", Kind: FloatParam, Default: float64(Auto), Min: tiny, Max: huge, Log: true,
		Auto: "√2 times the median of all pairwise distances",
		Doc:  "scale s of the back constraints' kernel exp(−d²/s²), in units of the scaled features"}
}

// backed gives a builder the scale of its back constraints.
type backed[B any] struct{ c *core[B] }

// BackScale sets the scale s > 0 of the kernel exp(−d²/s²) through which new points
// are embedded, in units of the scaled features; the paper writes γ_b for 2/s². The
// default [Auto] takes √2 times the median of all pairwise distances, γ_b being 1 over
// the median of their squares.
func (b backed[B]) BackScale(s float64) B { return b.c.with("back scale", s) }
