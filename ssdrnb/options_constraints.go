package ssdrnb

// The options of the methods that embed pair constraints: S2LAE, S2LLE and their
// kernel versions.

// Values of the option "constraints".
const (
	// GivenElseGraph takes the pairs of the data or, where they have none, those
	// that labels make of the neighbourhood graph.
	GivenElseGraph = "given, else graph"
	// FromGraph takes the edges of the neighbourhood graph: must-link between equal
	// labels, cannot-link between different ones.
	FromGraph = "graph"
	// GivenAndGraph takes both.
	GivenAndGraph = "given and graph"
)

// constraintParams describes the constraints and their weights in the ratio.
func constraintParams() []Param {
	return []Param{
		{Name: "constraints", Setter: "Constraints", Kind: ChoiceParam, Default: GivenElseGraph, Choices: []string{GivenElseGraph, FromGraph, GivenAndGraph},
			Doc: "where the must-link and cannot-link pairs come from"},
		{Name: "proportion", Setter: "Proportion", Kind: FloatParam, Default: 1.0, Min: 0, Max: 1,
			Doc: "share of the pairs of the graph that is drawn, of each kind; pairs of the data are taken whole"},
		{Name: "seed", Setter: "Seed", Kind: IntParam, Default: 1, Min: 0, Max: many, Doc: "seed of the draw of pairs"},
		{Name: "global", Setter: "Global", Kind: FloatParam, Default: 0.5, Min: 0, Max: 1,
			Doc: "share ℓ of the total scatter in the numerator; the rest is that of the cannot-link pairs"},
		{Name: "ridge", Setter: "Ridge", Kind: FloatParam, Default: 1e-3, Min: 0, Max: huge, Log: true,
			Doc: "ridge μ added to the denominator, which has no unit; without it the ratio is unbounded where there are more than d must-link components"},
		{Name: "unlabelled weight", Setter: "UnlabelledWeight", Kind: FloatParam, Default: 0.0, Min: 0, Max: huge, Log: true,
			Doc: "weight τ in the denominator of edges with an unlabelled end, which the method as printed does not embed; 0.05 to 0.1 does"},
		{Name: "criterion", Setter: "Criterion", Kind: ChoiceParam, Default: TraceRatio, Choices: []string{TraceRatio, RatioTrace},
			Doc: "trace ratio, or the ratio trace tr((YᵀBY)⁻¹YᵀAY) of equation 20, for comparison"},
	}
}

// Values of the option "criterion".
const (
	// TraceRatio maximises tr(YᵀAY)/tr(YᵀBY) under YᵀY = I.
	TraceRatio = "trace ratio"
	// RatioTrace maximises tr((YᵀBY)⁻¹YᵀAY): generalised eigenvectors, YᵀBY = I.
	RatioTrace = "ratio trace"
)

// constrained gives a builder the options of its pair constraints.
type constrained[B any] struct{ c *core[B] }

// Constraints says where the pairs come from: [GivenElseGraph], [FromGraph] or
// [GivenAndGraph].
func (b constrained[B]) Constraints(source string) B { return b.c.with("constraints", source) }

// Proportion sets the share, in [0, 1], of the must-link pairs and, separately, of
// the cannot-link pairs of the graph that is drawn at random, halves rounded up.
// The paper draws 0.5. Pairs of the data are taken whole.
func (b constrained[B]) Proportion(p float64) B { return b.c.with("proportion", p) }

// Seed sets the seed of the draw of pairs.
func (b constrained[B]) Seed(seed int) B { return b.c.with("seed", seed) }

// Global sets the share ℓ of the total scatter in the numerator, in [0, 1].
func (b constrained[B]) Global(ell float64) B { return b.c.with("global", ell) }

// Ridge sets the ridge μ ≥ 0 of the denominator. 0 is allowed where the must-link
// graph has at most d components; otherwise the ratio is unbounded, an error.
func (b constrained[B]) Ridge(mu float64) B { return b.c.with("ridge", mu) }

// UnlabelledWeight sets the weight τ ≥ 0 in the denominator of the edges of the
// neighbourhood graph that have an unlabelled end: an extension of the paper, whose
// method leaves samples without a selected pair alone.
func (b constrained[B]) UnlabelledWeight(tau float64) B { return b.c.with("unlabelled weight", tau) }

// Criterion sets what is maximised: [TraceRatio] or, for comparison, [RatioTrace], up
// to 5000 samples.
func (b constrained[B]) Criterion(name string) B { return b.c.with("criterion", name) }

func linearizedParam() Param {
	return Param{Name: "linearized", Setter: "Linearized", Kind: BoolParam, Default: false,
		Doc: "whether the embedding is a projection of the samples, orthonormal, instead of free coordinates"}
}

// linearizable gives a builder the option Linearized.
type linearizable[B any] struct{ c *core[B] }

// Linearized restricts the embedding to Y = (X − mean)·P with PᵀP = I: the same
// ratio over projections, which the model then has, and which embeds new points.
func (b linearizable[B]) Linearized(yes bool) B { return b.c.with("linearized", yes) }
