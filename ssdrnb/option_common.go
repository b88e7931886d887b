package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// The options that several methods share.

const (
	tiny = math.SmallestNonzeroFloat64 // lower bound of what must be positive
	huge = math.MaxFloat64             // no upper bound
	many = math.MaxInt32               // no upper bound of a count
)

// Affinity is the weight of an edge of a neighbourhood graph.
type Affinity string

// Values of [Affinity].
const (
	// Binary weighs every edge 1.
	Binary Affinity = outofsample.Binary
	// Heat weighs an edge of length d by exp(−d²/t), t being the option "width".
	Heat Affinity = outofsample.Heat
	// SelfTuning weighs it by exp(−d²/(sᵢsⱼ)), sᵢ being the distance from sample
	// i to its k-th neighbour.
	SelfTuning Affinity = outofsample.SelfTuning
)

// Within is the scatter in the denominator of a discriminant criterion.
type Within string

// Values of [Within].
const (
	// WithinScatter divides by S_w, the scatter around the class means.
	WithinScatter Within = "S_w"
	// TotalScatter divides by S_t = S_b + S_w. The directions are the same as
	// with S_w where there is no other term; eigenvalues become τ/(1+τ).
	TotalScatter Within = "S_t"
)

// Dims(d): A method that has fewer directions to give (LDA has c−1 for c classes, no
// linear method more than the rank of the data) gives those and warns in the report.
// More than the number of features is an error.
var dimsOption = intOption{Name: "dims", Setter: "Dims", Min: 1, Max: many,
	Doc: "number of dimensions d of the embedding, at most the number of features"}

// PCA(share): Directions in which the data barely vary cost a trace ratio nothing and
// attract it. The projection that the model reports is that of both steps together.
var pcaOption = floatOption{Name: "pca", Setter: "PCA", Min: tiny, Max: 1,
	Doc: "share of the variance that the preceding PCA keeps; 1 drops only the null space"}

var automaticPCAOption = pcaOption.automatic("0.9, but no fewer than 10 directions")

// The automatic reduction: few features are no reason to drop any.
const (
	autoShare      = 0.9
	autoDirections = 10
	// Without labels nothing but the reduction keeps a criterion from directions in
	// which the data barely vary.
	blindShare = 0.8
)

// Neighbors(k)
var neighborsOption = intOption{Name: "neighbors", Setter: "Neighbors", Min: 1, Max: many,
	Doc: "number of neighbours k per sample, less than the number of samples, to which a default is lowered; i and j are linked if either is among the other's k nearest"}

// Affinity(kind)
var affinityOption = &choiceOption[Affinity]{choice{Name: "affinity", Setter: "Affinity",
	Choices: choices(Binary, Heat, SelfTuning), Doc: "weight of an edge of the neighbourhood graph"}}

// Width(t)
var widthOption = floatOption{Name: "width", Setter: "Width", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "σ² with σ half the median of all pairwise distances",
	Doc:  "width t of the heat affinity exp(−d²/t), in squared units of the data"}

// Ridge(alpha): D is the number of directions left by PCA. With 0 there is no ridge; a
// singular denominator is then handled by the rule in the method's documentation.
var ridgeOption = floatOption{Name: "ridge", Setter: "Ridge", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "ridge scale·tr(S_w)/D",
	Doc:  "ridge α ≥ 0 added to the diagonal of the denominator, in squared units of the data"}

// RidgeScale(r): Unlike Ridge, it means the same for any data: with few labels per class
// values up to 10 are worth trying. It is not read where Ridge is set.
var ridgeScaleOption = floatOption{Name: "ridge scale", Setter: "RidgeScale", Min: 0, Max: huge, Log: true,
	Doc: "automatic ridge, in units of the mean eigenvalue tr(S_w)/D of the within-class scatter, of kernel methods tr(K·L_w)/n"}

// Within(kind)
var withinOption = &choiceOption[Within]{choice{Name: "within", Setter: "Within",
	Choices: choices(WithinScatter, TotalScatter), Doc: "scatter in the denominator"}}

// Norm is the norm in which each column of a projection is 1.
type Norm string

// Values of [Norm].
const (
	// DenominatorNorm has wᵀBw = 1 for the denominator B: the scatter in it is then
	// the same along all directions.
	DenominatorNorm Norm = "denominator"
	// EuclideanNorm has |w| = 1, as in the code that the author of SDA published:
	// directions along which the classes are further apart then count for more in
	// distances between embedded samples.
	EuclideanNorm Norm = "euclidean"
)

// Norm(kind): The criterion leaves it open: the directions are the same, but the nearest
// neighbours among embedded samples may differ. Eigenvalues do not change.
var normOption = &choiceOption[Norm]{choice{Name: "norm", Setter: "Norm", Default: DenominatorNorm,
	Choices: choices(DenominatorNorm, EuclideanNorm), Doc: "norm in which each column of the projection is 1"}}

// Balance is the unit of the weight of a manifold term.
type Balance string

// Values of [Balance].
const (
	// Relative multiplies the weight by μ₀ = tr(X·L_w·Xᵀ)/tr(X·L_m·Xᵀ), which
	// brings both terms to the same level.
	Relative Balance = "relative"
	// asPrinted multiplies it by the inverse of μ₀, as the paper prints it. That
	// contradicts the purpose that the paper states, and does worse.
	asPrinted Balance = "as printed"
	// Absolute takes the weight as it is.
	Absolute Balance = "absolute"
)

// Manifold(weight): With the balance [Relative] 0.1 means a tenth of the within-class
// scatter's level.
var manifoldOption = floatOption{Name: "manifold", Setter: "Manifold", Min: 0, Max: huge, Log: true,
	Doc: "weight of the manifold term X·L·Xᵀ, in units set by the option balance"}

// Balance(units)
var balanceOption = &choiceOption[Balance]{choice{Name: "balance", Setter: "Balance", Default: Relative, Choices: choices(Relative, asPrinted, Absolute),
	Doc: "unit of the manifold weight: relative to tr(S_w)/tr(X·L·Xᵀ), to its inverse as printed, or absolute"}}

func manifoldOptions(weight float64) options {
	return list(manifoldOption.with(weight), balanceOption)
}
