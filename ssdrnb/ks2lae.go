package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
)

// KS2LAE returns the builder of kernel semi-supervised Laplacian eigenmaps. The report and
// [Model.Values] are the same as for [S2LAE].
//
// Source: Zhang, Chow, Zhao, IEEE TKDE 2012, section 3.5.
//
// Objective: the same as for [S2LAE], but must-link and cannot-link pairs have the weight K_ij
// instead of 1. Unless the data have pairs, the pairs are edges of a graph that links two samples
// if either is among the other's nearest by kernel distance. (Section 3.5 of the paper refers to
// mutual neighbours instead, in conflict with its equation 9.)
//
// Solution: as for [S2LAE].
//
// New points: the mean of the embeddings of the k nearest samples by kernel distance, weighted by
// the kernel.
//
// Cost: the same as for [S2LAE]; only the kernel entries K_ij of pairs are computed. For the
// polynomial kernel, the search for neighbours also needs a factor of K of rank r ≤ 1000, in O(nr²)
// time and O(nr) memory. If the rank of K exceeds 1000, the search is approximate (the report
// warns).
//
// Defaults: as for [S2LAE], RBF kernel with the median pairwise distance as its scale.
//
// Fails: as for [S2LAE], each must-link component almost collapses to a point if the ridge is
// small. A negative kernel value for a pair is an error. If the scale is far below the distances of
// the pairs, their weights vanish (the report warns).
func KS2LAE() *KS2LAEBuilder { return newKS2LAE(Spec{method: ks2lae}) }

var ks2lae = register(Method{
	Name: "KS2LAE", Func: "KS2LAE", Title: "kernel semi-supervised Laplacian eigenmaps", Paper: "Zhang, Chow, Zhao 2012",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: FromBoth,
	Params: list(constraintDimsOption.with(2), neighborsOption.with(12), searchOptions, kernelOptions, constraintOptions, solverOption),
	fit:    fitKS2LAE,
})

func fitKS2LAE(j *job) (*solution, error) {
	p, k, err := problemKS2LAE(j)
	if err != nil {
		return nil, err
	}
	y, values, err := embedConstrained(j, p)
	if err != nil {
		return nil, err
	}
	return embedded(y, values, k.Mapping(y, 0)), nil
}

// problemKS2LAE returns the trace-ratio problem of problemS2LAE with K_ij as the weight of the pair
// (i, j), and the samples with their kernel.
func problemKS2LAE(j *job) (*pairing.Problem, *outofsample.KernelSamples, error) {
	k, points, nb, err := kernelNearest(j)
	if err != nil {
		return nil, nil, err
	}
	open, _, pairs, err := constraintsOf(j, nb, points)
	if err != nil {
		return nil, nil, err
	}
	must, err := kernelWeights(j, k, "must-link", pairs.Must)
	if err != nil {
		return nil, nil, err
	}
	cannot, err := cannotKernelWeights(j, k, pairs.Cannot)
	if err != nil {
		return nil, nil, err
	}
	p, err := constrainedProblem(j, open, must, cannot, nil)
	return p, k, err
}
