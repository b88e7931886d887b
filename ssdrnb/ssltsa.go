package ssdrnb

// SSLTSA returns the builder of semi-supervised LTSA. The embedding has the units of the known
// coordinates, see [data.Data.WithAnchors]. [Model.Values] is empty.
//
// Source: Yang, Fu, Zha, Barlow, ICML 2006.
//
// Objective: the same as for [SSLLE], with the alignment matrix M of LTSA.
//
// Solution: Y₂ = −M₂₂⁻¹M₂₁Y₁, or Y = ρ(M + ρI₁)⁻¹Ŷ₁, in the notation of [SSLLE].
//
// New points: reconstruction weights over the neighbours, as for LLE.
//
// Cost: the matrix M as for [LTSA], plus the factorisation of its block M₂₂ of unknown rows.
//
// Defaults: dims 2, neighbors 12, include self, exact coordinates; anchors as in [SSLLE].
//
// Fails: if a component of the graph has no known sample, the fit returns an error. Far from the
// known samples the embedding shrinks. With fewer than d + 1 known samples the positions are not
// determined, and the report warns.
func SSLTSA() *SSLTSABuilder { return newSSLTSA(Spec{method: ssltsa}) }

var ssltsa = register(Method{
	Name: "SS-LTSA", Func: "SSLTSA", Title: "semi-supervised local tangent space alignment", Paper: "Yang, Fu, Zha, Barlow 2006",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: FromAnchors,
	Params: list(tangentDimsOption.with(2), nearestOption.with(12), searchOptions, includeSelfOption, confidenceOption),
	fit:    fitSSLTSA,
})

func fitSSLTSA(j *job) (*solution, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	m, err := tangentAlignment(j, nb)
	if err != nil {
		return nil, err
	}
	return extended(j, m, nb)
}
