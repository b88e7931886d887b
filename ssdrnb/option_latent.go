package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"

// Options of the Gaussian process latent variable models.

// Scaling selects how the features are scaled before a Gaussian process is fitted. Kernel parameters
// lie between 1e-6 and 1e6, which suits features with variances near 1.
type Scaling string

// Values of [Scaling].
const (
	// Unscaled leaves the features unchanged. The model then has mean zero.
	Unscaled Scaling = "none"
	// MeanRemoved subtracts the mean of each feature.
	MeanRemoved Scaling = "center"
	// GlobalScale subtracts the means, then divides all features by one number, their root mean
	// square.
	GlobalScale Scaling = "global"
	// PerFeature subtracts the mean of each feature and divides by its standard deviation. Use it
	// if the features have different units.
	PerFeature Scaling = "standardize"
)

// LatentStart selects the scaling of the principal components that serve as initial latent
// positions.
type LatentStart string

// Values of [LatentStart].
const (
	// Whitened scales each principal component to variance 1.
	Whitened LatentStart = "whiten"
	// RawScores does not scale the principal components.
	RawScores LatentStart = "raw"
	// FirstWhitened divides all components by the standard deviation of the first component, which
	// keeps the aspect ratio.
	FirstWhitened LatentStart = "global"
)

// Approximation selects the exact or an approximate likelihood of a Gaussian process.
type Approximation string

// Values of [Approximation].
const (
	// AutoLikelihood is exact up to 2,000 samples and VFE above that.
	AutoLikelihood Approximation = "auto"
	// ExactLikelihood costs O(n³) per step, and takes at most 23,170 samples.
	ExactLikelihood Approximation = "exact"
	// FITC and VFE use m inducing points and cost O(nm²) per step. VFE maximises a lower bound on
	// the log likelihood.
	FITC Approximation = Approximation(gp.FITC)
	VFE  Approximation = Approximation(gp.VFE)
)

// Optimizer is the algorithm that maximises the likelihood of a Gaussian process.
type Optimizer string

// Values of [Optimizer].
const (
	// LBFGS is gonum's limited-memory BFGS method. SCG is the method of scaled conjugate gradients,
	// as in the paper on [GPLVM].
	LBFGS Optimizer = "l-bfgs"
	SCG   Optimizer = "scg"
)

// Schedule is the order in which kernel parameters and positions are optimised.
type Schedule string

// Values of [Schedule].
const (
	// Alternate optimises kernel parameters and positions in turn; Joint optimises them together.
	Alternate Schedule = Schedule(gp.Alternate)
	Joint     Schedule = Schedule(gp.Joint)
)

// Scaling(how)
var scalingOption = &choiceOption[Scaling]{choice{Name: "scaling", Setter: "Scaling", Default: GlobalScale, Choices: choices(Unscaled, MeanRemoved, GlobalScale, PerFeature),
	Doc: "scaling of the features; use standardize if their units differ"}}

// Kernel(name)
var latentKernelOption = &choiceOption[KernelFunction]{choice{Name: "kernel", Setter: "Kernel", Default: RBF, Choices: choices(RBF, Matern52, Matern32), Doc: "covariance function of the mapping from latent space"}}

// Start(scale)
var startOption = &choiceOption[LatentStart]{choice{Name: "start", Setter: "Start", Default: Whitened, Choices: choices(Whitened, RawScores, FirstWhitened),
	Doc: "scaling of the principal components that are the initial positions"}}

// Optimizer(name)
var optimizerOption = &choiceOption[Optimizer]{choice{Name: "optimizer", Setter: "Optimizer", Default: LBFGS, Choices: choices(LBFGS, SCG), Doc: "how the objective is maximised"}}

// Schedule(name): [Joint] reaches higher likelihoods, which need not mean lower errors.
var scheduleOption = &choiceOption[Schedule]{choice{Name: "schedule", Setter: "Schedule", Default: Alternate, Choices: choices(Alternate, Joint),
	Doc: "order of optimisation: kernel parameters and positions in turn, as in the paper, or together"}}

// Rounds(t): Each round has two optimisations of up to Steps steps; the joint schedule takes up
// to Rounds·Steps steps.
var roundsOption = intOption{Name: "rounds", Setter: "Rounds", Default: 100, Min: 1, Max: 1e6, Log: true, Doc: "largest number of rounds T"}

// Steps(k)
var stepsOption = intOption{Name: "steps", Setter: "Steps", Default: 20, Min: 1, Max: 1e6, Log: true,
	Doc: "optimiser steps in each half of a round; the joint schedule takes up to rounds·steps"}

// Jitter(epsilon): The jitter keeps the likelihood bounded if samples coincide. Likelihoods with
// inducing points do not use it.
var jitterOption = floatOption{Name: "jitter", Setter: "Jitter", Default: 1e-6, Min: 0, Max: 1, Log: true,
	Doc: "jitter ε added to the diagonal of the covariance as part of the model, in units of the scaled features' variance"}

// Approximation(how)
var approximationOption = &choiceOption[Approximation]{choice{Name: "approximation", Setter: "Approximation", Default: AutoLikelihood, Choices: choices(AutoLikelihood, ExactLikelihood, FITC, VFE),
	Doc: "likelihood: exact, or one with inducing points"}}

// Inducing(m)
var inducingOption = intOption{Name: "inducing", Setter: "Inducing", Default: 100, Min: 1, Max: 1e5, Log: true,
	Doc: "number m of inducing points if they are used, at most the number of samples"}

// Restarts(k)
var restartsOption = intOption{Name: "restarts", Setter: "Restarts", Default: 0, Min: 0, Max: 1e4,
	Doc: "number of additional fits from perturbed starts; the best is kept"}

// Seed(seed)
var seedOption = intOption{Name: "seed", Setter: "Seed", Default: 1, Min: 0, Max: many,
	Doc: "seed of all random choices: perturbed starts, inducing points, initial positions beyond the rank of the data and, in SSGP-LVM, pairs drawn from labels"}

var latentOptions = list(dimsOption.with(2), scalingOption, latentKernelOption, startOption, optimizerOption, scheduleOption, roundsOption,
	stepsOption, jitterOption, approximationOption, inducingOption, restartsOption, seedOption)

// BackScale(s): New points are embedded through this kernel. The paper's γ_b is 2/s²; with [Auto],
// γ_b is 1 divided by the median of the squared distances.
var backScaleOption = floatOption{Name: "back scale", Setter: "BackScale", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "√2 times the median of all pairwise distances",
	Doc:  "scale s of the back constraints' kernel exp(−d²/s²), in units of the scaled features"}
