package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// Options shared by several methods.

const (
	tiny = math.SmallestNonzeroFloat64 // Min of an option that must be positive
	huge = math.MaxFloat64             // Max of a float option without an upper bound
	many = math.MaxInt32               // Max of an int option without an upper bound
)

// Affinity is the rule that sets the weights of the edges of a neighbourhood graph.
type Affinity string

// Values of [Affinity].
const (
	// Binary gives every edge the weight 1.
	Binary Affinity = outofsample.Binary
	// Heat gives an edge of length d the weight exp(−d²/t), where t is the option "width".
	Heat Affinity = outofsample.Heat
	// SelfTuning gives an edge of length d between samples i and j the weight exp(−d²/(sᵢsⱼ)),
	// where sᵢ is the distance from sample i to its k-th neighbour, for k neighbours per sample.
	SelfTuning Affinity = outofsample.SelfTuning
)

// Within selects the scatter in the denominator of a discriminant criterion.
type Within string

// Values of [Within].
const (
	// WithinScatter selects S_w, the scatter around the class means.
	WithinScatter Within = "S_w"
	// TotalScatter selects S_t = S_b + S_w. If the denominator has no other term, the directions
	// are the same as with S_w, and an eigenvalue τ becomes τ/(1+τ).
	TotalScatter Within = "S_t"
)

// Dims(d): A larger value is an error. If the method has fewer than d directions, the model has
// only those, and the report warns: LDA has c − 1 for c classes, and a linear method at most the
// rank of the data.
var dimsOption = intOption{Name: "dims", Setter: "Dims", Min: 1, Max: many,
	Doc: "number of dimensions d of the embedding, less than the number of samples, and for linear methods at most the number of features"}

// PCA(share): Directions of tiny variance add almost nothing to the denominator of a trace ratio
// and attract its solution. The projection of the model includes this PCA.
var pcaOption = floatOption{Name: "pca", Setter: "PCA", Min: tiny, Max: 1,
	Doc: "share of the variance that the preceding PCA keeps; 1 drops only directions without variance"}

var automaticPCAOption = pcaOption.automatic("0.9, but no fewer than 10 directions")

// The automatic PCA of supervised and semi-supervised methods keeps the share autoShare of the
// variance, but at least autoDirections directions.
const (
	autoShare      = 0.9
	autoDirections = 10
	// blindShare is the share of the variance that the automatic PCA of unsupervised methods keeps.
	// In these methods, only PCA excludes directions of tiny variance. They keep at least as many
	// directions as the option dims.
	blindShare = 0.8
)

// Neighbors(k)
var neighborsOption = intOption{Name: "neighbors", Setter: "Neighbors", Min: 1, Max: many,
	Doc: "number of neighbours k per sample, below the number of samples (a default is lowered if necessary); two samples are linked if either is among the other's k nearest"}

// Affinity(kind)
var affinityOption = &choiceOption[Affinity]{choice{Name: "affinity", Setter: "Affinity",
	Choices: choices(Binary, Heat, SelfTuning), Doc: "weight of an edge of the neighbourhood graph"}}

// Width(t)
var widthOption = floatOption{Name: "width", Setter: "Width", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "σ² with σ half the median of all pairwise distances",
	Doc:  "width t of the heat affinity exp(−d²/t), in squared units of the data"}

// Ridge(alpha): D in the default is the number of directions that PCA keeps. With 0 there is no
// ridge, and the denominator may be singular: see the description of the method.
var ridgeOption = floatOption{Name: "ridge", Setter: "Ridge", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "ridge scale·tr(S_w)/D",
	Doc:  "ridge α ≥ 0 added to the diagonal of the denominator, in squared units of the data"}

// RidgeScale(r): Unlike the ridge, this factor does not depend on the scale of the data. With few
// labels per class, values up to 10 are worth trying. RidgeScale is ignored if Ridge is set.
var ridgeScaleOption = floatOption{Name: "ridge scale", Setter: "RidgeScale", Min: 0, Max: huge, Log: true,
	Doc: "automatic ridge, in units of the mean eigenvalue of the within-class scatter: tr(S_w)/D, or tr(K·L_w)/n for kernel methods"}

// Within(kind)
var withinOption = &choiceOption[Within]{choice{Name: "within", Setter: "Within",
	Choices: choices(WithinScatter, TotalScatter), Doc: "scatter in the denominator"}}

// Norm selects the norm of the columns of a projection.
type Norm string

// Values of [Norm].
const (
	// DenominatorNorm scales each column w to wᵀBw = 1 for the denominator B, so that the scatter B
	// is the same along all directions.
	DenominatorNorm Norm = "denominator"
	// EuclideanNorm scales each column w to |w| = 1, as in the code published by the author of SDA.
	// Directions with more distant classes then have more weight in distances between embedded
	// samples.
	EuclideanNorm Norm = "euclidean"
)

// Norm(kind): Both norms give the same directions and eigenvalues, but the nearest neighbours among
// embedded samples may differ.
var normOption = &choiceOption[Norm]{choice{Name: "norm", Setter: "Norm", Default: DenominatorNorm,
	Choices: choices(DenominatorNorm, EuclideanNorm), Doc: "norm in which the columns of the projection have length 1"}}

// Balance selects the unit of the weight of a manifold term.
type Balance string

// Values of [Balance].
const (
	// Relative multiplies the weight by μ₀ = tr(X·L_w·Xᵀ)/tr(X·L_m·Xᵀ), so that the manifold term
	// and the within-class scatter have comparable size. If X·L_w·Xᵀ is 0, as with one labelled
	// sample per class, the between-class scatter takes its place in μ₀. If all neighbours
	// coincide, the manifold term is 0 and has no effect, and the report warns.
	Relative Balance = "relative"
	// asPrinted multiplies the weight by 1/μ₀, as printed in the paper on [TRSDA]. This contradicts
	// the purpose stated in the paper, and gives worse results.
	asPrinted Balance = "as printed"
	// Absolute leaves the weight unchanged.
	Absolute Balance = "absolute"
)

// Manifold(weight): With the balance [Relative], the weight 0.1 gives the manifold term a tenth of
// the trace of the within-class scatter.
var manifoldOption = floatOption{Name: "manifold", Setter: "Manifold", Min: 0, Max: huge, Log: true,
	Doc: "weight of the manifold term X·L·Xᵀ, in units set by the option balance"}

// Balance(units)
var balanceOption = &choiceOption[Balance]{choice{Name: "balance", Setter: "Balance", Default: Relative, Choices: choices(Relative, asPrinted, Absolute),
	Doc: "unit of the manifold weight: relative to tr(S_w)/tr(X·L·Xᵀ), to its inverse as printed in the paper, or absolute"}}

func manifoldOptions(weight float64) options {
	return list(manifoldOption.with(weight), balanceOption)
}
