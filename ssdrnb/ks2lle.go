package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
)

// KS2LLE returns the builder of kernel semi-supervised LLE by trace ratio. The report and
// [Model.Values] are the same as for [S2LAE].
//
// Source: Zhang, Chow, Zhao, IEEE TKDE 2012, section 3.5. Equation 19 is printed with the
// cannot-link pairs instead of the must-link pairs.
//
// Objective: the same as for [S2LLE], in the feature space of the kernel. Neighbours are found by
// kernel distance. The local Gram matrix of sample i has the entries K_ii − K_ir − K_ji + K_jr for
// its neighbours j and r. A cannot-link pair (i, j) has the weight K_ij.
//
// Solution: as for [S2LAE].
//
// New points: the weighted mean of the coordinates of the neighbours. The weights reconstruct the
// point from these neighbours in the feature space.
//
// Cost: as for [S2LLE]; only the entries of K among neighbours are computed. The polynomial kernel
// also needs a factor of K, as for [KS2LAE].
//
// Defaults: as for [S2LLE], RBF kernel with the median pairwise distance as its scale.
//
// Fails: as for [S2LLE], must-links between samples that are not neighbours have no effect, and
// must-link components nearly collapse if the ridge is small. As for [KS2LAE], a negative kernel
// value for a pair is an error, and the weights vanish if the scale is far below the distances.
func KS2LLE() *KS2LLEBuilder { return newKS2LLE(Spec{method: ks2lle}) }

var ks2lle = register(Method{
	Name: "KS2LLE", Func: "KS2LLE", Title: "kernel semi-supervised locally linear embedding", Paper: "Zhang, Chow, Zhao 2012",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: FromBoth,
	Params: list(constraintDimsOption.with(2), nearestOption.with(12), searchOptions, regularizationOption, kernelOptions, constraintOptions, solverOption),
	fit:    fitKS2LLE,
})

func fitKS2LLE(j *job) (*solution, error) {
	p, k, err := problemKS2LLE(j)
	if err != nil {
		return nil, err
	}
	y, values, err := embedConstrained(j, p)
	if err != nil {
		return nil, err
	}
	return embedded(y, values, k.Mapping(y, regularizationOption.of(j))), nil
}

// problemKS2LLE returns the trace-ratio problem of problemS2LLE in the feature space of the kernel,
// see [KS2LLE], and the samples with their kernel.
func problemKS2LLE(j *job) (*pairing.Problem, *outofsample.KernelSamples, error) {
	k, points, nb, err := kernelNearest(j)
	if err != nil {
		return nil, nil, err
	}
	open, near, pairs, err := constraintsOf(j, nb, points)
	if err != nil {
		return nil, nil, err
	}
	links, err := mustLinkedNeighbors(j, near, pairs.Must)
	if err != nil {
		return nil, nil, err
	}
	cannot, err := cannotKernelWeights(j, k, pairs.Cannot)
	if err != nil {
		return nil, nil, err
	}
	if err := j.begin("weights"); err != nil {
		return nil, nil, err
	}
	delta, err := align.ReconstructKernel(j.ctx, k, links, regularizationOption.of(j))
	if err != nil {
		return nil, nil, err
	}
	p, err := reconstructionProblem(j, open, links, delta, cannot)
	return p, k, err
}
