package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// S2LLE returns the builder of semi-supervised LLE by trace ratio. The report and [Model.Values]
// are the same as for [S2LAE].
//
// Source: Zhang, Chow, Zhao, IEEE TKDE 2012, equations 14 to 18.
//
// Objective: the same as for [S2LAE], with B = Σ(e_i − Δ_i)(e_i − Δ_i)ᵀ + μI. The sum runs over the
// samples i with a must-linked neighbour. e_i is the i-th unit vector, and Δ_i holds the weights
// that reconstruct sample i from its must-linked neighbours.
//
// Solution: as for [S2LAE]. B is applied through products with Δ; above 500 samples ΔᵀΔ is not
// formed.
//
// New points: reconstruction weights over the neighbours; or the projection if Linearized is set.
//
// Cost: the same as for [S2LAE], plus O(nk²(D + k)) for the weights.
//
// Defaults: as for [S2LAE], regularization 1e-3.
//
// Fails: with a small ridge the samples of a must-link component nearly coincide, as in [S2LAE]. A
// must-link affects a sample only if the other sample is among its k neighbours; given pairs of
// distant samples have no effect (the report warns). The paper uses twice as many neighbours as for
// S2LAE.
func S2LLE() *S2LLEBuilder { return newS2LLE(Spec{method: s2lle}) }

var s2lle = register(Method{
	Name: "S2LLE", Func: "S2LLE", Title: "semi-supervised locally linear embedding by trace ratio", Paper: "Zhang, Chow, Zhao 2012",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: FromBoth,
	Params: list(constraintDimsOption.with(2), nearestOption.with(12), searchOptions, regularizationOption, constraintOptions, solverOption, linearizedOption),
	fit:    fitS2LLE,
})

func fitS2LLE(j *job) (*solution, error) { return constrained(j, problemS2LLE) }

// problemS2LLE returns the trace ratio of the Laplacian of the cannot-links and the error of
// reconstructing samples from their must-linked neighbours, see [S2LLE].
func problemS2LLE(j *job) (*pairing.Problem, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	open, near, pairs, err := constraintsOf(j, nb, j.x())
	if err != nil {
		return nil, err
	}
	links, err := mustLinkedNeighbors(j, near, pairs.Must)
	if err != nil {
		return nil, err
	}
	cannot, err := pairing.Graph(j.data.Len(), pairs.Cannot, func(_, _ int) float64 { return 1 })
	if err != nil {
		return nil, err
	}
	if err := j.begin("weights"); err != nil {
		return nil, err
	}
	delta, err := reconstruct(j, links)
	if err != nil {
		return nil, err
	}
	return reconstructionProblem(j, open, links, delta, cannot)
}

// mustLinkedNeighbors returns the directed graph of must-linked neighbours, and warns of must-links
// between samples that are not neighbours.
func mustLinkedNeighbors(j *job, near *sparse.CSR, must []data.Pair) (*sparse.CSR, error) {
	links, lost, err := pairing.MustLinked(near, must)
	if lost > 0 {
		j.warn("%d of %s %s; raise Neighbors", lost, nouns.Count(len(must), "must-link pair"), nouns.Form(lost, "joins samples that are not neighbours, and is ignored", "join samples that are not neighbours, and are ignored"))
	}
	return links, err
}

// reconstructionProblem combines the terms of the ratio. The denominator is the reconstruction
// error for the weights delta of must-linked neighbours.
func reconstructionProblem(j *job, open, links, delta, cannot *sparse.CSR) (*pairing.Problem, error) {
	residual, err := pairing.PartialResidual(delta)
	if err != nil {
		return nil, err
	}
	must, err := links.Symmetrize(sparse.Max)
	if err != nil {
		return nil, err
	}
	return constrainedProblem(j, open, must, cannot, residual)
}
