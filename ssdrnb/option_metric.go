package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"

// The options of semi-Riemannian metrics.

// Values of the option "discrepancy": the weights of labelled neighbours from which the
// metric is learned (Section 4.1 of the paper).
const (
	// NormalizedMargin weighs a neighbour at the distance d by ±1/d² and averages
	// over each neighbourhood: the method as the paper has it, eq. 7.
	NormalizedMargin = riemann.NormalizedMargin
	// AverageMargin averages without the distance, as [ANMM] does.
	AverageMargin = riemann.AverageMargin
	// AlignmentMargin weighs by −1 and +β, as [DLA] does, with β the option "beta".
	AlignmentMargin = riemann.AlignmentMargin
	// ScatterMargin weighs by 1/l − 2/l_k within a class and 1/l between, l and l_k
	// counted in the neighbourhood: with neighbourhoods that hold everything the
	// labelled part is [MMC].
	ScatterMargin = riemann.ScatterMargin
)

// Values of the option "distance".
const (
	// Geodesic takes the length of the shortest path in the neighbourhood graph.
	Geodesic = "geodesic"
	// Euclidean takes the straight distance, as [SRDA] does.
	Euclidean = "euclidean"
)

// Values of the option "nullity".
const (
	// ExactNullity holds Σ_j g_ji d_ji² = 0 over all samples, as eq. 8 asks.
	ExactNullity = "exact"
	// NullityAsPrinted takes eq. 9 as the paper prints it: the sum runs over the
	// unlabelled samples only. It is the same wherever a labelled sample has neighbours
	// of both kinds, and breaks nullity with a single label in a class.
	NullityAsPrinted = "as printed"
)

var s3rmmNeighborsOption = intOption{Name: "neighbors", Setter: "Neighbors", Default: 5, Min: 1, Max: many,
	Doc: "K, neighbours per sample in the graph of geodesics and affinities; less than the number of samples"}

var s3rmmWidthOption = floatOption{Name: "width", Setter: "Width", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "2σ² with σ the mean distance to the 6th nearest neighbour",
	Doc:  "width t of the heat affinity exp(−d²/t), in squared units of the data; the paper's 2σ²"}

var lambdaLOption = floatOption{Name: "lambda l", Setter: "LambdaL", Default: 0.01, Min: tiny, Max: huge, Log: true,
	Doc: "λ_l, regulariser of the metric at labelled samples, eq. 8"}

var lambdaUOption = floatOption{Name: "lambda u", Setter: "LambdaU", Default: 10.0, Min: tiny, Max: huge, Log: true,
	Doc: "λ_u, faithfulness to the initial metric at unlabelled samples, eq. 10"}

var thresholdOption = floatOption{Name: "threshold", Setter: "Threshold", Default: 0.1, Min: 0, Max: 1,
	Doc: "components of unlabelled samples below this share of the largest of their sign are dropped; 0 drops none"}

var alpha1Option = floatOption{Name: "alpha1", Setter: "Alpha1", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "min(1, l/m)", Doc: "α₁, weight of components between a labelled and an unlabelled sample"}

var alpha2Option = floatOption{Name: "alpha2", Setter: "Alpha2", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "min(1, l/m)²", Doc: "α₂, weight of components between two unlabelled samples"}

var discrepancyOption = choiceOption{Name: "discrepancy", Setter: "Discrepancy", Default: NormalizedMargin,
	Choices: []string{NormalizedMargin, AverageMargin, AlignmentMargin, ScatterMargin},
	Doc:     "discrepancy criterion that the metric of labelled samples starts from"}

var distanceOption = choiceOption{Name: "distance", Setter: "Distance", Default: Geodesic, Choices: []string{Geodesic, Euclidean},
	Doc: "distance between samples in the metric"}

var nullityOption = choiceOption{Name: "nullity", Setter: "Nullity", Default: ExactNullity, Choices: []string{ExactNullity, NullityAsPrinted},
	Doc: "the form of eq. 9, which extends the metric of a labelled sample to the unlabelled ones"}

var agreementOption = boolOption{Name: "agreement", Setter: "Agreement", Default: true,
	Doc: "whether a component is kept only as far as both samples agree on it; otherwise the two are averaged"}

var metricOptions = list(homogeneousOption.with(3).as("K̂, size of the neighbourhood of the same class, where the metric is negative; fewer where there are fewer"),
	heterogeneousOption.with(20).as("Ǩ, size of the neighbourhood of other classes, where the metric is positive; fewer where there are fewer"),
	gammaOption.with(0.5), s3rmmNeighborsOption, s3rmmWidthOption, lambdaLOption, lambdaUOption, thresholdOption,
	alpha1Option, alpha2Option, discrepancyOption, dlaBetaOption, distanceOption, nullityOption, agreementOption)

// metricSetters gives a builder the options of metric learning.
type metricSetters[Builder any] struct{ c *core[Builder] }

// Neighbors sets K, the number of neighbours in the graph of geodesics and
// affinities, at least 1 and less than the number of samples. The default is 5.
func (b *metricSetters[Builder]) Neighbors(k int) Builder {
	return set(b.c, s3rmmNeighborsOption.to(k))
}

// Width sets the width t > 0 of the heat affinity exp(−d²/t), in squared units of the
// data; the paper writes 2σ² for it. The default [Auto] takes for σ the mean distance
// to the 6th nearest neighbour.
func (b *metricSetters[Builder]) Width(t float64) Builder { return set(b.c, s3rmmWidthOption.to(t)) }

// LambdaL sets λ_l > 0, the regulariser of the metric at labelled samples (eq. 8).
// The default is 0.01.
func (b *metricSetters[Builder]) LambdaL(lambda float64) Builder {
	return set(b.c, lambdaLOption.to(lambda))
}

// LambdaU sets λ_u > 0, the faithfulness to the initial metric at unlabelled
// samples (eq. 10). The default is 10.
func (b *metricSetters[Builder]) LambdaU(lambda float64) Builder {
	return set(b.c, lambdaUOption.to(lambda))
}

// Threshold sets the share in [0, 1] of the largest component of the same sign below
// which a component that involves an unlabelled sample is dropped. 0 drops none and
// makes the metric dense. The default is 0.1.
func (b *metricSetters[Builder]) Threshold(share float64) Builder {
	return set(b.c, thresholdOption.to(share))
}

// Alpha1 sets α₁ ≥ 0, the weight of components between a labelled and an unlabelled
// sample. The default [Auto] takes min(1, l/m) for l labelled and m unlabelled.
func (b *metricSetters[Builder]) Alpha1(weight float64) Builder {
	return set(b.c, alpha1Option.to(weight))
}

// Alpha2 sets α₂ ≥ 0, the weight of components between two unlabelled samples. The
// default [Auto] takes min(1, l/m)².
func (b *metricSetters[Builder]) Alpha2(weight float64) Builder {
	return set(b.c, alpha2Option.to(weight))
}

// Discrepancy sets the criterion that the metric starts from:
// [NormalizedMargin], [AverageMargin], [AlignmentMargin] or [ScatterMargin]. The
// default is [NormalizedMargin].
func (b *metricSetters[Builder]) Discrepancy(criterion string) Builder {
	return set(b.c, discrepancyOption.to(criterion))
}

// Beta sets β ≥ 0 of the discrepancy [AlignmentMargin]; others ignore it. The
// default is 0.5.
func (b *metricSetters[Builder]) Beta(beta float64) Builder { return set(b.c, betaOption.to(beta)) }

// Distance sets the distance between samples: [Geodesic] or [Euclidean]. The
// default is [Geodesic].
func (b *metricSetters[Builder]) Distance(kind string) Builder {
	return set(b.c, distanceOption.to(kind))
}

// Nullity sets the form of eq. 9: [ExactNullity] or [NullityAsPrinted]. The default
// is [ExactNullity].
func (b *metricSetters[Builder]) Nullity(form string) Builder {
	return set(b.c, nullityOption.to(form))
}

// Agreement says whether a component is kept only as far as both samples agree. The
// default is true.
func (b *metricSetters[Builder]) Agreement(on bool) Builder { return set(b.c, agreementOption.to(on)) }
