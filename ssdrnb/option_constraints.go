package ssdrnb

// The options of the methods that embed pair constraints: S2LAE, S2LLE and their
// kernel versions.

// Values of the option "constraints".
const (
	// GivenElseGraph takes the pairs of the data or, where they have none, those
	// that labels make of the neighbourhood graph, see FromGraph.
	GivenElseGraph = "given, else graph"
	// FromGraph takes the edges of the neighbourhood graph of the labelled samples:
	// must-link between equal labels, cannot-link between different ones. Where some
	// samples have no label, neighbours are searched for among those that have one.
	FromGraph = "graph"
	// GivenAndGraph takes both.
	GivenAndGraph = "given and graph"
)

var constraintsOption = choiceOption{Name: "constraints", Setter: "Constraints", Default: GivenElseGraph, Choices: []string{GivenElseGraph, FromGraph, GivenAndGraph},
	Doc: "where the must-link and cannot-link pairs come from"}

var proportionOption = floatOption{Name: "proportion", Setter: "Proportion", Default: 1.0, Min: 0, Max: 1,
	Doc: "share of the pairs of the graph that is drawn, of each kind; pairs of the data are taken whole"}

var constraintsSeedOption = intOption{Name: "seed", Setter: "Seed", Default: 1, Min: 0, Max: many, Doc: "seed of the draw of pairs"}

var globalOption = floatOption{Name: "global", Setter: "Global", Default: 0.5, Min: 0, Max: 1,
	Doc: "share ℓ of the total scatter in the numerator; the rest is that of the cannot-link pairs"}

var constraintsRidgeOption = floatOption{Name: "ridge", Setter: "Ridge", Default: 1e-3, Min: 0, Max: huge, Log: true,
	Doc: "ridge μ added to the denominator, which has no unit; without it the ratio is unbounded where there are more than d must-link components"}

var unlabelledWeightOption = floatOption{Name: "unlabelled weight", Setter: "UnlabelledWeight", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "where a label is missing, edges weigh how near their ends are and how far labels carried along the graph agree there; where none is, 0",
	Doc:  "weight τ in the denominator of edges with an unlabelled end; 0 is the method as printed, which does not place these samples"}

var criterionOption = choiceOption{Name: "criterion", Setter: "Criterion", Default: TraceRatio, Choices: []string{TraceRatio, RatioTrace},
	Doc: "trace ratio, or the ratio trace tr((YᵀBY)⁻¹YᵀAY) of equation 20, for comparison"}

// constraintOptions describes the constraints and their weights in the ratio.
var constraintOptions = list(constraintsOption, proportionOption, constraintsSeedOption, globalOption, constraintsRidgeOption,
	unlabelledWeightOption, criterionOption)

// Values of the option "criterion".
const (
	// TraceRatio maximises tr(YᵀAY)/tr(YᵀBY) under YᵀY = I.
	TraceRatio = "trace ratio"
	// RatioTrace maximises tr((YᵀBY)⁻¹YᵀAY): generalised eigenvectors, YᵀBY = I.
	RatioTrace = "ratio trace"
)

// constraintSetters gives a builder the options of its pair constraints.
type constraintSetters[Builder any] struct{ c *core[Builder] }

// Constraints says where the pairs come from: [GivenElseGraph], [FromGraph] or
// [GivenAndGraph]. The default is [GivenElseGraph].
func (b *constraintSetters[Builder]) Constraints(source string) Builder {
	return set(b.c, constraintsOption.to(source))
}

// Proportion sets the share, in [0, 1], of the must-link pairs and, separately, of
// the cannot-link pairs of the graph that is drawn at random, halves rounded up.
// The paper draws 0.5. Pairs of the data are taken whole. The default is 1.
func (b *constraintSetters[Builder]) Proportion(p float64) Builder {
	return set(b.c, proportionOption.to(p))
}

// Seed sets the seed ≥ 0 of the draw of pairs. The default is 1.
func (b *constraintSetters[Builder]) Seed(seed int) Builder {
	return set(b.c, constraintsSeedOption.to(seed))
}

// Global sets the share ℓ of the total scatter in the numerator, in [0, 1]. The
// default is 0.5.
func (b *constraintSetters[Builder]) Global(ell float64) Builder {
	return set(b.c, globalOption.to(ell))
}

// Ridge sets the ridge μ ≥ 0 of the denominator. 0 is allowed where the must-link
// graph has at most d components; otherwise the ratio is unbounded, an error. The
// default is 0.001.
func (b *constraintSetters[Builder]) Ridge(mu float64) Builder {
	return set(b.c, constraintsRidgeOption.to(mu))
}

// UnlabelledWeight sets the weight τ ≥ 0 in the denominator of the edges of the
// neighbourhood graph that have an unlabelled end: an extension of the paper, whose
// method, τ = 0, leaves samples without a selected pair alone.
//
// The default [Auto] depends on the data. Where all samples are labelled, it is the
// method as printed. Otherwise the graph of [S2NE] ties all samples: memberships in
// neighbours, times the squared cosine of the class probabilities of their ends, by
// Poisson learning from the labels; and each pair of labelled samples weighs 1/Neighbors.
func (b *constraintSetters[Builder]) UnlabelledWeight(tau float64) Builder {
	return set(b.c, unlabelledWeightOption.to(tau))
}

// Criterion sets what is maximised: [TraceRatio] or, for comparison, [RatioTrace], up
// to 5000 samples. The default is [TraceRatio].
func (b *constraintSetters[Builder]) Criterion(name string) Builder {
	return set(b.c, criterionOption.to(name))
}

var linearizedOption = boolOption{Name: "linearized", Setter: "Linearized", Default: false,
	Doc: "whether the embedding is a projection of the samples, orthonormal, instead of free coordinates"}

// linearizedSetters gives a builder the option Linearized.
type linearizedSetters[Builder any] struct{ c *core[Builder] }

// Linearized restricts the embedding to Y = (X − mean)·P with PᵀP = I: the same
// ratio over projections, which the model then has, and which embeds new points.
// The default is false.
func (b *linearizedSetters[Builder]) Linearized(yes bool) Builder {
	return set(b.c, linearizedOption.to(yes))
}
