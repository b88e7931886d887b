package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// S2LAE returns the builder of semi-supervised Laplacian eigenmaps. The report has the maximum
// ratio λ*, the eigengap, the numbers of pairs and must-link components, and the history of λ_t and
// g(λ_t), see [TRLDA]. [Model.Values] are the eigenvalues of A − λ*B, descending; they sum to 0.
// For [RatioTrace] they are the generalised eigenvalues τ of Ay = τBy, and the report has no λ*,
// eigengap or history. Instead it has the trace ratio of the span, unless Linearized is set.
//
// Source: Zhang, Chow, Zhao, "Trace Ratio Optimization-Based Semi-Supervised
// Nonlinear Dimensionality Reduction for Marginal Manifold Visualization", IEEE
// TKDE 2012, equations 9 to 13 and section 3.4.
//
// Objective: maximise tr(YᵀAY)/tr(YᵀBY) under YᵀY = I and Yᵀ1 = 0, with A = ℓ(I − 11ᵀ/n) + (1 −
// ℓ)·L_C and B = L_M + μI, for the options global ℓ and ridge μ. L_C and L_M are the Laplacians of
// the graphs of cannot-links and must-links. These are pairs given by the user, or edges of the
// neighbourhood graph between different labels (cannot-links) and between equal labels
// (must-links).
//
// Solution: the top d eigenvectors of A − λ*B, where λ* is the λ at which the d largest eigenvalues
// of A − λB sum to 0. For Criterion(RatioTrace), the generalised eigenvectors of Ay = τBy with the
// largest τ.
//
// New points: reconstruction weights over the neighbours, the same as for LLE; or the projection if
// Linearized is set.
//
// Cost: a search for neighbours. Up to 500 samples, O(n³) per step with dense matrices. Above that,
// no n×n matrices and O(nk) memory; the option Solver then applies only to small projected problems,
// and the history has one entry for each projected problem.
//
// Defaults: dims 2, neighbors 12, all pairs (the paper draws half), global 0.5, ridge 1e-3, binary
// weights. Pairs from labels connect samples that are neighbours among the labelled samples. Edges
// attract unlabelled samples to their neighbours (UnlabelledWeight).
//
// Fails: the indicator vector of each must-link component adds only μ to the denominator. With a
// small μ all samples of a component nearly coincide, and the embedding shows the given labels
// rather than the samples: scores on labelled samples are meaningless. UnlabelledWeight(0), the
// method as printed, does not determine the positions of samples without a pair. The paper omits
// Yᵀ1 = 0; without this constraint a coordinate can be constant.
func S2LAE() *S2LAEBuilder { return newS2LAE(Spec{method: s2lae}) }

var s2lae = register(Method{
	Name: "S2LAE", Func: "S2LAE", Title: "semi-supervised Laplacian eigenmaps", Paper: "Zhang, Chow, Zhao 2012",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: FromBoth,
	Params: list(constraintDimsOption.with(2), neighborsOption.with(12), searchOptions, affinityOption.with(Binary), widthOption, constraintOptions,
		solverOption, linearizedOption),
	fit: fitS2LAE,
})

func fitS2LAE(j *job) (*solution, error) { return constrained(j, problemS2LAE) }

// problemS2LAE returns the trace ratio of the Laplacians of the cannot-links and of the must-links,
// see [S2LAE].
func problemS2LAE(j *job) (*pairing.Problem, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	weights, _, err := affinityOf(j, j.x())
	if err != nil {
		return nil, err
	}
	open, _, pairs, err := constraintsOf(j, nb, j.x())
	if err != nil {
		return nil, err
	}
	must, err := weighedPairs(j, pairs.Must, weights, nb.Scales())
	if err != nil {
		return nil, err
	}
	cannot, err := weighedPairs(j, pairs.Cannot, weights, nb.Scales())
	if err != nil {
		return nil, err
	}
	return constrainedProblem(j, open, must, cannot, nil)
}

// weighedPairs returns the graph of pairs, weighted by their lengths according to `rule`. `scale`
// holds the local scale s_i of each sample for self-tuning weights, see [graph.SelfTuning].
func weighedPairs(j *job, pairs []data.Pair, rule graph.Weights, scale []float64) (*sparse.CSR, error) {
	lengths, err := pairing.Lengths(j.x(), pairs)
	if err != nil {
		return nil, err
	}
	return weighed(j.work, lengths, rule, scale, affinityOption.of(j) == Heat && !widthOption.auto(j))
}
