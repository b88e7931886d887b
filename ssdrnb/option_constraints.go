package ssdrnb

// Options of the methods that embed pair constraints: S2LAE, S2LLE and their kernel versions.

// Constraints selects the source of must-link and cannot-link pairs.
type Constraints string

// Values of [Constraints].
const (
	// GivenElseGraph uses the pairs of the data. If there are none, it derives pairs in the same
	// way as FromGraph.
	GivenElseGraph Constraints = "given, else graph"
	// FromGraph uses the edges between labelled samples in the neighbourhood graph: must-links
	// between equal labels, cannot-links between different labels. If some samples have no label,
	// FromGraph also uses the edges of a neighbourhood graph of the labelled samples alone.
	FromGraph Constraints = "graph"
	// GivenAndGraph uses both the pairs of the data and those of FromGraph.
	GivenAndGraph Constraints = "given and graph"
)

// Dims(d): A larger value is an error.
var constraintDimsOption = dimsOption.withDoc("number of dimensions d of the embedding, at most the number of samples minus 2")

// Constraints(source)
var constraintsOption = &choiceOption[Constraints]{choice{Name: "constraints", Setter: "Constraints", Default: GivenElseGraph, Choices: choices(GivenElseGraph, FromGraph, GivenAndGraph),
	Doc: "source of the must-link and cannot-link pairs"}}

// Proportion(p): The pairs are drawn at random, and their number is rounded half up. The paper uses
// 0.5.
var proportionOption = floatOption{Name: "proportion", Setter: "Proportion", Default: 1.0, Min: 0, Max: 1,
	Doc: "share of the must-links and of the cannot-links that is drawn from the graph; the pairs given with the data are all used"}

// Seed(seed)
var constraintsSeedOption = intOption{Name: "seed", Setter: "Seed", Default: 1, Min: 0, Max: many, Doc: "seed of the draw of pairs"}

// Global(ell)
var globalOption = floatOption{Name: "global", Setter: "Global", Default: 0.5, Min: 0, Max: 1,
	Doc: "share ℓ of the total scatter in the numerator; the cannot-link pairs have the share 1 − ℓ"}

// Ridge(mu): If the ratio is unbounded, the fit returns an error.
var constraintsRidgeOption = floatOption{Name: "ridge", Setter: "Ridge", Default: 1e-3, Min: 0, Max: huge, Log: true,
	Doc: "ridge μ added to the denominator, dimensionless; with 0 the ratio is unbounded if there are more than d must-link components"}

// UnlabelledWeight(tau): This option extends the method of the paper, which does not determine the
// positions of samples that are in no pair.
//
// If all samples are labelled, [Auto] is the method as printed. Otherwise [Auto] connects all
// samples by the graph of [S2NE]. Poisson learning on the labels gives each sample a vector of
// class probabilities. The weight of an edge is UMAP's membership times the squared cosine of the
// angle between the vectors of both ends. Unless pairs of the data are used, [Auto] also divides
// the weights of must-links and cannot-links by the option Neighbors.
var unlabelledWeightOption = floatOption{Name: "unlabelled weight", Setter: "UnlabelledWeight", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "if a label is missing, edges are weighted by proximity and by the agreement of propagated labels; otherwise 0",
	Doc:  "weight τ, in the denominator, of edges with an unlabelled end; 0 is the method as printed, which does not determine the positions of unlabelled samples"}

// Criterion(name): [RatioTrace] is available up to 5000 samples.
var criterionOption = &choiceOption[Criterion]{choice{Name: "criterion", Setter: "Criterion", Default: TraceRatio, Choices: choices(TraceRatio, RatioTrace),
	Doc: "criterion to maximise: the trace ratio, or for comparison the ratio trace tr((YᵀBY)⁻¹YᵀAY), equation 20 of the paper"}}

var constraintOptions = list(constraintsOption, proportionOption, constraintsSeedOption, globalOption, constraintsRidgeOption,
	unlabelledWeightOption, criterionOption)

// Criterion is the criterion that a method with pair constraints maximises.
type Criterion string

// Values of [Criterion].
const (
	// TraceRatio maximises tr(YᵀAY)/tr(YᵀBY) under YᵀY = I.
	TraceRatio Criterion = "trace ratio"
	// RatioTrace maximises tr((YᵀBY)⁻¹YᵀAY). Y consists of generalised eigenvectors with YᵀBY = I.
	RatioTrace Criterion = "ratio trace"
)

// Linearized(yes): The embedding is then Y = (X − mean)·P, and maximises the same criterion over
// projections P: the trace ratio over those with PᵀP = I, or the ratio trace over those with YᵀBY =
// I. The eigenvalues are those of (X − mean)ᵀ(A − λ*B)(X − mean) on the span of the samples. If
// the span has fewer than d dimensions, so has the embedding, and the report warns. The model has
// the projection, which embeds new points.
var linearizedOption = boolOption{Name: "linearized", Setter: "Linearized", Default: false,
	Doc: "whether the embedding is a linear projection of the samples instead of free coordinates"}
