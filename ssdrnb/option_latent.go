package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"

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

var scalingOption = choiceOption{Name: "scaling", Setter: "Scaling", Default: GlobalScale, Choices: []string{Unscaled, MeanRemoved, GlobalScale, PerFeature},
	Doc: "what is done to the features first; standardize where their units differ"}

var latentKernelOption = choiceOption{Name: "kernel", Setter: "Kernel", Default: string(gp.Kernels[0]), Choices: latentKernels(), Doc: "covariance function of the mapping from latent space"}

var startOption = choiceOption{Name: "start", Setter: "Start", Default: Whitened, Choices: []string{Whitened, RawScores, FirstWhitened},
	Doc: "scale of the principal components that the positions start from"}

var optimizerOption = choiceOption{Name: "optimizer", Setter: "Optimizer", Default: LBFGS, Choices: []string{LBFGS, SCG}, Doc: "how the objective is maximised"}

var scheduleOption = choiceOption{Name: "schedule", Setter: "Schedule", Default: Alternate, Choices: []string{Alternate, Joint},
	Doc: "kernel parameters and positions in turn, as in the paper, or together"}

var roundsOption = intOption{Name: "rounds", Setter: "Rounds", Default: 100, Min: 1, Max: 1e6, Log: true, Doc: "largest number of rounds T"}

var stepsOption = intOption{Name: "steps", Setter: "Steps", Default: 20, Min: 1, Max: 1e6, Log: true,
	Doc: "optimiser steps in each half of a round; the joint schedule takes up to rounds·steps"}

var jitterOption = floatOption{Name: "jitter", Setter: "Jitter", Default: 1e-6, Min: 0, Max: 1, Log: true,
	Doc: "ε on the diagonal of the covariance, part of the model, in units of the scaled features' variance"}

var approximationOption = choiceOption{Name: "approximation", Setter: "Approximation", Default: AutoLikelihood, Choices: []string{AutoLikelihood, ExactLikelihood, FITC, VFE},
	Doc: "exact likelihood, or one with inducing points"}

var inducingOption = intOption{Name: "inducing", Setter: "Inducing", Default: 100, Min: 1, Max: 1e5, Log: true,
	Doc: "number m of inducing points, where they are used; at most the number of samples"}

var restartsOption = intOption{Name: "restarts", Setter: "Restarts", Default: 0, Min: 0, Max: 1e4,
	Doc: "further fits from perturbed starts; the best objective is kept"}

var seedOption = intOption{Name: "seed", Setter: "Seed", Default: 1, Min: 0, Max: many, Doc: "seed of perturbed starts and of the choice of inducing points"}

// latentKernels lists the covariance functions of package gp.
func latentKernels() []string {
	out := make([]string, len(gp.Kernels))
	for i, k := range gp.Kernels {
		out[i] = string(k)
	}
	return out
}

var latentOptions = list(dimsOption.with(2), scalingOption, latentKernelOption, startOption, optimizerOption, scheduleOption, roundsOption,
	stepsOption, jitterOption, approximationOption, inducingOption, restartsOption, seedOption)

// latentSetters gives a builder the options of latent variable models.
type latentSetters[Builder any] struct{ c *core[Builder] }

// Scaling sets what is done to the features first: [Unscaled], [MeanRemoved],
// [GlobalScale] or [PerFeature]. The default is [GlobalScale].
func (b *latentSetters[Builder]) Scaling(how string) Builder { return set(b.c, scalingOption.to(how)) }

// Kernel sets the covariance function: "rbf", "matern-5/2" or "matern-3/2". The
// default is "rbf".
func (b *latentSetters[Builder]) Kernel(name string) Builder {
	return set(b.c, latentKernelOption.to(name))
}

// Start sets the scale of the principal components that the positions start from:
// [Whitened], [RawScores] or [FirstWhitened]. The default is [Whitened].
func (b *latentSetters[Builder]) Start(scale string) Builder { return set(b.c, startOption.to(scale)) }

// Optimizer sets how the objective is maximised: [LBFGS] or [SCG]. The default is
// [LBFGS].
func (b *latentSetters[Builder]) Optimizer(name string) Builder {
	return set(b.c, optimizerOption.to(name))
}

// Schedule sets the order: [Alternate] is the paper's, [Joint] reaches higher
// likelihoods, which need not mean lower errors. The default is [Alternate].
func (b *latentSetters[Builder]) Schedule(name string) Builder {
	return set(b.c, scheduleOption.to(name))
}

// Rounds sets the largest number of rounds, at least 1. Each has two optimisations
// of up to Steps steps; the joint schedule takes up to Rounds·Steps steps. The
// default is 100.
func (b *latentSetters[Builder]) Rounds(t int) Builder { return set(b.c, roundsOption.to(t)) }

// Steps sets the number of optimiser steps in each half of a round, at least 1. The
// default is 20.
func (b *latentSetters[Builder]) Steps(k int) Builder { return set(b.c, stepsOption.to(k)) }

// Jitter sets ε ≥ 0 on the diagonal of the covariance, in units of the variance of
// the scaled features. It bounds the likelihood where samples coincide. The default
// is 1e-6.
func (b *latentSetters[Builder]) Jitter(epsilon float64) Builder {
	return set(b.c, jitterOption.to(epsilon))
}

// Approximation sets the likelihood: [AutoLikelihood], [ExactLikelihood], [FITC] or
// [VFE]. The default is [AutoLikelihood].
func (b *latentSetters[Builder]) Approximation(how string) Builder {
	return set(b.c, approximationOption.to(how))
}

// Inducing sets the number of inducing points, where they are used. The default is
// 100.
func (b *latentSetters[Builder]) Inducing(m int) Builder { return set(b.c, inducingOption.to(m)) }

// Restarts sets how many further fits begin at perturbed starts, at least 0. The
// default is 0.
func (b *latentSetters[Builder]) Restarts(k int) Builder { return set(b.c, restartsOption.to(k)) }

// Seed sets the seed ≥ 0 of perturbed starts and of the choice of inducing points.
// The default is 1.
func (b *latentSetters[Builder]) Seed(seed int) Builder { return set(b.c, seedOption.to(seed)) }

var backScaleOption = floatOption{Name: "back scale", Setter: "BackScale", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "√2 times the median of all pairwise distances",
	Doc:  "scale s of the back constraints' kernel exp(−d²/s²), in units of the scaled features"}

// backScaleSetters gives a builder the scale of its back constraints.
type backScaleSetters[Builder any] struct{ c *core[Builder] }

// BackScale sets the scale s > 0 of the kernel exp(−d²/s²) through which new points
// are embedded, in units of the scaled features; the paper writes γ_b for 2/s². The
// default [Auto] takes √2 times the median of all pairwise distances, γ_b being 1 over
// the median of their squares.
func (b *backScaleSetters[Builder]) BackScale(s float64) Builder {
	return set(b.c, backScaleOption.to(s))
}
