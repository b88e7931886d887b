package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/riemann"

// Options of semi-Riemannian metrics.

// Discrepancy is the criterion that sets the weights of labelled neighbours in a semi-Riemannian
// metric (Section 4.1 of the paper on [S3RMM]).
type Discrepancy string

// Values of [Discrepancy].
const (
	// NormalizedMargin (eq. 7 of the paper) gives a neighbour at distance d the weight 1/(p·d²) if
	// its class differs and −1/(q·d²) if it is of the same class, where p and q are the numbers of
	// neighbours of other classes and of the same class.
	NormalizedMargin Discrepancy = riemann.NormalizedMargin
	// AverageMargin is NormalizedMargin without the factor 1/d², as in [ANMM].
	AverageMargin Discrepancy = riemann.AverageMargin
	// AlignmentMargin gives neighbours of the same class the weight −1 and neighbours of other
	// classes the weight β of the option "beta", as in [DLA].
	AlignmentMargin Discrepancy = riemann.AlignmentMargin
	// ScatterMargin gives neighbours of the same class k the weight 1/l − 2/l_k and neighbours of
	// other classes the weight 1/l. l counts the sample and all its neighbours, l_k the sample and
	// its neighbours of class k. If the neighbourhoods contain all samples, the labelled part of
	// the criterion equals [MMC].
	ScatterMargin Discrepancy = riemann.ScatterMargin
)

// nullity selects the form of eq. 9 in the paper on [S3RMM]. This equation completes the metric
// tensor g_i of a labelled sample i. Only the reproduction of the paper sets it.
type nullity string

const (
	// exactNullity enforces Σ_j g_ji d_ji² = 0 over all samples j, as eq. 8 requires. d_ji is the
	// distance between j and i.
	exactNullity nullity = "exact"
	// nullityAsPrinted is eq. 9 as printed, where the sum runs only over the unlabelled samples.
	// With [NormalizedMargin] it equals exactNullity if every labelled sample has neighbours both
	// of its own and of other classes. Otherwise the sum over all samples is not 0 in general, for
	// example if a class has a single label.
	nullityAsPrinted nullity = "as printed"
)

// Neighbors(k)
var s3rmmNeighborsOption = intOption{Name: "neighbors", Setter: "Neighbors", Default: 5, Min: 1, Max: many,
	Doc: "number of neighbours K per sample in the graph of geodesics and affinities, less than the number of samples"}

// Width(t)
var s3rmmWidthOption = floatOption{Name: "width", Setter: "Width", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "2σ² with σ the mean distance to the 6th nearest neighbour",
	Doc:  "width t of the heat affinity exp(−d²/t), in squared units of the data; the paper's 2σ²"}

// LambdaL(lambda)
var lambdaLOption = floatOption{Name: "lambda l", Setter: "LambdaL", Default: 0.01, Min: tiny, Max: huge, Log: true,
	Doc: "λ_l, regulariser of the metric at labelled samples, eq. 8"}

// LambdaU(lambda)
var lambdaUOption = floatOption{Name: "lambda u", Setter: "LambdaU", Default: 10.0, Min: tiny, Max: huge, Log: true,
	Doc: "λ_u, weight of the initial metric at unlabelled samples, eq. 10"}

// Threshold(share): With 0 the metric is dense.
var thresholdOption = floatOption{Name: "threshold", Setter: "Threshold", Default: 0.1, Min: 0, Max: 1,
	Doc: "threshold, as a share of the largest component of the same sign: smaller components that involve an unlabelled sample are dropped; 0 drops none"}

// Alpha1(weight): l is the number of labelled samples, m the number of unlabelled ones.
var alpha1Option = floatOption{Name: "alpha1", Setter: "Alpha1", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "min(1, l/m)", Doc: "α₁, weight of components between a labelled and an unlabelled sample"}

// Alpha2(weight): l is the number of labelled samples, m the number of unlabelled ones.
var alpha2Option = floatOption{Name: "alpha2", Setter: "Alpha2", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "min(1, l/m)²", Doc: "α₂, weight of components between two unlabelled samples"}

// Discrepancy(criterion)
var discrepancyOption = &choiceOption[Discrepancy]{choice{Name: "discrepancy", Setter: "Discrepancy", Default: NormalizedMargin,
	Choices: choices(NormalizedMargin, AverageMargin, AlignmentMargin, ScatterMargin),
	Doc:     "discrepancy criterion of the initial metric at labelled samples"}}

// Distance(kind)
var distanceOption = &choiceOption[Metric]{choice{Name: "distance", Setter: "Distance", Default: Geodesic, Choices: choices(Geodesic, Euclidean),
	Doc: "distance between samples in the metric"}}

var nullityOption = &choiceOption[nullity]{choice{Name: "nullity", Default: exactNullity, Choices: choices(exactNullity, nullityAsPrinted),
	Doc: "form of eq. 9, which extends the metric of a labelled sample to the unlabelled ones"}}

// Agreement(on)
var agreementOption = boolOption{Name: "agreement", Setter: "Agreement", Default: true,
	Doc: "whether the components g_ij and g_ji must agree in sign: then the smaller magnitude is used, or 0 if they disagree; otherwise their mean"}

var metricOptions = list(homogeneousOption.with(3).withDoc("K̂, size of the neighbourhood of the same class, where the metric is negative; smaller if there are fewer samples"),
	heterogeneousOption.with(20).withDoc("Ǩ, size of the neighbourhood of other classes, where the metric is positive; smaller if there are fewer samples"),
	gammaOption.with(0.5), s3rmmNeighborsOption, s3rmmWidthOption, lambdaLOption, lambdaUOption, thresholdOption,
	alpha1Option, alpha2Option, discrepancyOption, dlaBetaOption, distanceOption, nullityOption, agreementOption)
