package ssdrnb

import (
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
)

// SSDR returns the builder of semi-supervised dimensionality reduction. [Model.Values] are the
// eigenvalues of X·L·Xᵀ, descending. They may be negative.
//
// Source: Zhang, Zhou, Chen, SDM 2007.
//
// Objective: maximise 1/(2n²)Σ_all + α/(2n_C)Σ_C − β/(2n_M)Σ_M under WᵀW = I. Each Σ sums the
// squared distances ‖Wᵀ(x_i − x_j)‖²: Σ_all over all pairs of samples, Σ_C over the n_C
// cannot-links and Σ_M over the n_M must-links. Both orders of each pair are counted in the sums
// and in n_C and n_M, so α and β are weights of means.
//
// Solution: the top eigenvectors of X·L·Xᵀ for the Laplacian L of these weights. The first term is
// the covariance; no n×n matrix is formed.
//
// Cost: O(nD² + D³ + pairs·D²) time. Pairs implied by labels are summed by class, not one by one.
//
// Defaults: dims 2, cannot 1, must 20 (the authors' values), pca 1. If the data have no pairs, all
// pairs of labelled samples are used.
//
// Fails: with the default weight, the must-links outweigh the variance of all samples.
func SSDR() *SSDRBuilder { return newSSDR(Spec{method: ssdr}) }

// Cannot(alpha)
var ssdrCannotOption = floatOption{Name: "cannot", Setter: "Cannot", Default: 1.0, Min: 0, Max: huge, Log: true, Doc: "weight α of the mean squared distance of cannot-link pairs"}

// Must(beta)
var mustOption = floatOption{Name: "must", Setter: "Must", Default: 20.0, Min: 0, Max: huge, Log: true, Doc: "weight β of the mean squared distance of must-link pairs"}

var ssdr = register(Method{
	Name: "SSDR", Func: "SSDR", Title: "semi-supervised dimensionality reduction", Paper: "Zhang, Zhou, Chen 2007",
	Supervision: SemiSupervised, Shape: Linear, Uses: FromBoth, Orthonormal: true, Nested: true,
	Params: list(dimsOption.with(2), ssdrCannotOption, mustOption, pcaOption.with(1)),
	fit:    fitSSDR,
})

func fitSSDR(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	if err := j.begin("pairs"); err != nil {
		return nil, err
	}
	n, r := s.z.Dims()
	m := mat.NewSymDense(r, nil)
	m.SymOuterK(1/float64(n), s.z.T()) // z is centred: (1/2n²)Σ‖z_i − z_j‖² = (1/n)Σ‖z_i‖²
	// The mean over both orders of each pair equals the mean over pairs.
	must, cannot := pairing.Means(j.data, s.z)
	if cannot != nil {
		m = dense.Plus(m, ssdrCannotOption.of(j)/2, cannot)
	}
	if must != nil {
		m = dense.Plus(m, -mustOption.of(j)/2, must)
	}
	return difference(j, s, m)
}
