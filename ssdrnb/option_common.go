package ssdrnb

import (
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// The options that several methods share: each is declared once, as a Param for
// the registry and as a mix-in for the builders.

const (
	tiny = math.SmallestNonzeroFloat64 // lower bound of what must be positive
	huge = math.MaxFloat64             // no upper bound
	many = math.MaxInt32               // no upper bound of a count
)

// Values of the option "affinity".
const (
	// Binary weighs every edge 1.
	Binary = outofsample.Binary
	// Heat weighs an edge of length d by exp(−d²/t), t being the option "width".
	Heat = outofsample.Heat
	// SelfTuning weighs it by exp(−d²/(sᵢsⱼ)), sᵢ being the distance from sample
	// i to its k-th neighbour.
	SelfTuning = outofsample.SelfTuning
)

// Values of the option "within".
const (
	// WithinScatter divides by S_w, the scatter around the class means.
	WithinScatter = "S_w"
	// TotalScatter divides by S_t = S_b + S_w. The directions are the same as
	// with S_w where there is no other term; eigenvalues become τ/(1+τ).
	TotalScatter = "S_t"
)

var dimsOption = intOption{Name: "dims", Setter: "Dims", Min: 1, Max: many,
	Doc: "number of dimensions d of the embedding, at most the number of features"}

// dimsSetters gives a builder the option Dims.
type dimsSetters[Builder any] struct{ c *core[Builder] }

// Dims sets the number of dimensions of the embedding, at least 1. A method that
// has fewer directions to give (LDA has c−1 for c classes, no linear method more
// than the rank of the data) gives what it has and warns in the report; more
// than the number of features is an error. The default is 2.
func (b *dimsSetters[Builder]) Dims(d int) Builder { return set(b.c, dimsOption.to(d)) }

var pcaOption = floatOption{Name: "pca", Setter: "PCA", Min: tiny, Max: 1,
	Doc: "share of the variance that the preceding PCA keeps; 1 drops nothing but the null space"}

var automaticPCAOption = pcaOption.automatic("0.9, but no fewer than 10 directions")

// The automatic reduction: few features are no reason to drop any.
const (
	autoShare      = 0.9
	autoDirections = 10
	// Without labels nothing but the reduction keeps a criterion from directions in
	// which the data barely vary.
	blindShare = 0.8
)

// pcaSetters gives a builder the option PCA.
type pcaSetters[Builder any] struct{ c *core[Builder] }

// PCA sets the share of the total variance, in (0, 1], that the principal
// components taken before the method keep; 1 drops only the null space.
// Directions in which the data barely vary cost a trace ratio nothing and attract
// it: the default of TR-LDA and TR-SDA, [Auto], therefore keeps 0.9, but no fewer
// than 10 directions; that of U-LMRAG 0.8, but no fewer than the dimensions asked for.
// The projection that the model reports is that of both steps
// together.
func (b *pcaSetters[Builder]) PCA(share float64) Builder { return set(b.c, pcaOption.to(share)) }

var neighborsOption = intOption{Name: "neighbors", Setter: "Neighbors", Min: 1, Max: many,
	Doc: "neighbours k per sample; i and j are linked if either is among the other's k nearest; less than the number of samples"}

var affinityOption = choiceOption{Name: "affinity", Setter: "Affinity",
	Choices: []string{Binary, Heat, SelfTuning}, Doc: "weight of an edge of the neighbourhood graph"}

var widthOption = floatOption{Name: "width", Setter: "Width", Default: float64(Auto), Min: tiny, Max: huge, Log: true,
	Auto: "σ² with σ half the median of all pairwise distances",
	Doc:  "width t of the heat affinity exp(−d²/t), in squared units of the data"}

// graphSetters gives a builder the options of its neighbourhood graph.
type graphSetters[Builder any] struct{ c *core[Builder] }

// Neighbors sets the number k of neighbours, at least 1 and less than the number
// of samples. Two samples are linked if either is among the other's k nearest. The
// default is 5 for [FME], [LapRLS], [SSDL], [SSLDA] and [TRFSDA], 12 for [LAE] and
// [S2LAE], else 8, or what there are where samples are fewer (warned of).
func (b *graphSetters[Builder]) Neighbors(k int) Builder { return set(b.c, neighborsOption.to(k)) }

// Affinity sets the weight of an edge: [Binary], [Heat] or [SelfTuning]. The
// default is [SelfTuning] for [FME], [LapRLS] and [TRFSDA], [Binary] for [S2LAE]
// and [SSLDA], else [Heat].
func (b *graphSetters[Builder]) Affinity(kind string) Builder {
	return set(b.c, affinityOption.to(kind))
}

// Width sets the width t > 0 of the heat affinity exp(−d²/t), in squared units
// of the data. The default [Auto] takes t = σ² with σ half the median of all
// pairwise distances.
func (b *graphSetters[Builder]) Width(t float64) Builder { return set(b.c, widthOption.to(t)) }

var ridgeOption = floatOption{Name: "ridge", Setter: "Ridge", Default: float64(Auto), Min: 0, Max: huge, Log: true,
	Auto: "ridge scale·tr(S_w)/D",
	Doc:  "ridge α ≥ 0 added to the diagonal of the denominator, in squared units of the data"}

var ridgeScaleOption = floatOption{Name: "ridge scale", Setter: "RidgeScale", Min: 0, Max: huge, Log: true,
	Doc: "the automatic ridge, in units of the mean eigenvalue tr(S_w)/D of the within-class scatter, of kernel methods tr(K·L_w)/n"}

// ridgeSetters gives a builder the options of its ridge.
type ridgeSetters[Builder any] struct{ c *core[Builder] }

// Ridge sets α ≥ 0, added to the diagonal of the denominator matrix, in squared
// units of the data. The default [Auto] takes α = r·tr(S_w)/D, D being the number
// of directions left by PCA and r the option ridge scale; kernel methods take
// r·tr(K·L_w)/n. 0 asks for none; a singular denominator is then handled by the rule in
// the method's documentation.
func (b *ridgeSetters[Builder]) Ridge(alpha float64) Builder { return set(b.c, ridgeOption.to(alpha)) }

// RidgeScale sets r ≥ 0 of the automatic ridge, by default 1e-3, for trace ratios 0.1
// and for kernel methods 1. Unlike Ridge, it means the same for any data: with
// few labels per class values up to 10 are worth trying. It is not read where Ridge is
// set.
func (b *ridgeSetters[Builder]) RidgeScale(r float64) Builder {
	return set(b.c, ridgeScaleOption.to(r))
}

var withinOption = choiceOption{Name: "within", Setter: "Within",
	Choices: []string{WithinScatter, TotalScatter}, Doc: "scatter in the denominator"}

// withinSetters gives a builder the option Within.
type withinSetters[Builder any] struct{ c *core[Builder] }

// Within sets the scatter in the denominator: [WithinScatter] or [TotalScatter].
// The default is [WithinScatter].
func (b *withinSetters[Builder]) Within(kind string) Builder { return set(b.c, withinOption.to(kind)) }

// Values of the option "norm".
const (
	// DenominatorNorm has wᵀBw = 1 for the denominator B: the scatter in it is then
	// the same along all directions.
	DenominatorNorm = "denominator"
	// EuclideanNorm has |w| = 1, as in the code that the author of SDA published:
	// directions along which the classes are further apart then count for more in
	// distances between embedded samples.
	EuclideanNorm = "euclidean"
)

var normOption = choiceOption{Name: "norm", Setter: "Norm", Default: DenominatorNorm,
	Choices: []string{DenominatorNorm, EuclideanNorm}, Doc: "norm in which each column of the projection is 1"}

// normSetters gives a builder the option Norm.
type normSetters[Builder any] struct{ c *core[Builder] }

// Norm sets the norm in which each column w of the projection is 1: [DenominatorNorm]
// or [EuclideanNorm]. The criterion leaves it open: the directions are the same, but
// the nearest neighbours among embedded samples may differ. Eigenvalues do not change.
// The default is [DenominatorNorm].
func (b *normSetters[Builder]) Norm(kind string) Builder { return set(b.c, normOption.to(kind)) }

// Values of the option "balance".
const (
	// Relative multiplies the weight by μ₀ = tr(X·L_w·Xᵀ)/tr(X·L_m·Xᵀ), which
	// brings both terms to the same level.
	Relative = "relative"
	// AsPrinted multiplies it by the inverse of μ₀, as the paper prints it. That
	// contradicts the purpose that the paper states, and does worse.
	AsPrinted = "as printed"
	// Absolute takes the weight as it is.
	Absolute = "absolute"
)

var manifoldOption = floatOption{Name: "manifold", Setter: "Manifold", Min: 0, Max: huge, Log: true,
	Doc: "weight of the manifold term X·L·Xᵀ, in units set by the option balance"}

var balanceOption = choiceOption{Name: "balance", Setter: "Balance", Default: Relative, Choices: []string{Relative, AsPrinted, Absolute},
	Doc: "whether the manifold weight is relative to tr(S_w)/tr(X·L·Xᵀ), to its inverse as printed, or absolute"}

func manifoldOptions(weight float64) options {
	return list(manifoldOption.with(weight), balanceOption)
}

// manifoldSetters gives a builder the options of its manifold term.
type manifoldSetters[Builder any] struct{ c *core[Builder] }

// Manifold sets the weight ≥ 0 of the manifold term X·L·Xᵀ. By the default
// balance [Relative] 0.1 means a tenth of the within-class scatter's level.
func (b *manifoldSetters[Builder]) Manifold(weight float64) Builder {
	return set(b.c, manifoldOption.to(weight))
}

// Balance says in which units the weight of the manifold term is: [Relative],
// [AsPrinted] or [Absolute]. The default is [Relative].
func (b *manifoldSetters[Builder]) Balance(units string) Builder {
	return set(b.c, balanceOption.to(units))
}
