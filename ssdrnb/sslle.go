package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/sparse"

// SSLLE returns the builder of semi-supervised LLE. The embedding has the units of
// the known coordinates, see [data.Data.WithAnchors]. [Model.Values] is empty.
//
// Source: Yang, Fu, Zha, Barlow, ICML 2006.
//
// Objective: LLE with known coordinates of some samples: minimise tr(YᵀMY) with M = (I − Δ)ᵀ(I −
// Δ), where the known rows Y₁ are fixed at the given coordinates Ŷ₁. With a confidence ρ, minimise
// tr(YᵀMY) + ρ‖Y₁ − Ŷ₁‖² instead.
//
// Solution: one linear system for the unknown rows Y₂, Y₂ = −M₂₂⁻¹M₂₁Y₁, or Y = ρ(M + ρI₁)⁻¹Ŷ₁,
// where I₁ selects the known rows and Ŷ₁ has zeros in all other rows.
//
// New points: reconstruction weights over the neighbours, as for LLE.
//
// Cost: a search for neighbours and the factorisation of M₂₂.
//
// Defaults: dims 2, neighbors 12, regularization 1e-3, exact coordinates. For data without anchors,
// the LDA coordinates of the labelled samples are used. (The paper on [S2LAE] compares with SS-LLE
// on images, but does not state which known coordinates were used.)
//
// Fails: if a component of the graph has no known sample, the fit returns an error. Far from the
// known samples the embedding shrinks.
func SSLLE() *SSLLEBuilder { return newSSLLE(Spec{method: sslle}) }

var sslle = register(Method{
	Name: "SS-LLE", Func: "SSLLE", Title: "semi-supervised locally linear embedding", Paper: "Yang, Fu, Zha, Barlow 2006",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: FromAnchors,
	Params: list(dimsOption.with(2), nearestOption.with(12), searchOptions, regularizationOption, confidenceOption),
	fit:    fitSSLLE,
})

func fitSSLLE(j *job) (*solution, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	r, err := reconstruction(j, nb)
	if err != nil {
		return nil, err
	}
	m, err := sparse.Mul(r.T(), r)
	if err != nil {
		return nil, err
	}
	return extended(j, m, nb)
}
