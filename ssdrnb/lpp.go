package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// LPP returns the builder of locality preserving projections. [Model.Values] are the generalised
// eigenvalues τ, ascending. The directions w satisfy wᵀX·D·Xᵀw = 1.
//
// Source: He, Niyogi, NIPS 2003.
//
// Objective: minimise Σ a_ij‖Wᵀx_i − Wᵀx_j‖² under WᵀX·D·XᵀW = I. a_ij is the affinity in the
// neighbourhood graph, and D the diagonal matrix of its degrees.
//
// Solution: X·L·Xᵀw = τ X·D·Xᵀw with the smallest τ, where L is the Laplacian of the graph. The
// samples are first centred by their unweighted mean, which affects the result.
//
// Cost: a search for neighbours, O(nkD + D³) for the rest.
//
// Defaults: dims 2, neighbors 8, heat affinity with t = (half the median pairwise distance)², pca
// 1. Labels are not used.
//
// Fails: on a disconnected graph, which can result from a small t. With more features than samples,
// each component then collapses to a point (the report warns).
func LPP() *LPPBuilder { return newLPP(Spec{method: lpp}) }

var lpp = register(Method{
	Name: "LPP", Func: "LPP", Title: "locality preserving projections", Paper: "He, Niyogi 2003",
	Supervision: Unsupervised, Shape: Linear, Uses: NoKnowledge, Nested: true,
	Params: list(dimsOption.with(2), neighborsOption.with(8), searchOptions, metricOption, affinityOption.with(Heat), widthOption, pcaOption.with(1)),
	fit:    fitLPP,
})

func fitLPP(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	w, err := neighborGraph(j, s.points(j.x()))
	if err != nil {
		return nil, err
	}
	m, err := smoothness(j, s, w)
	if err != nil {
		return nil, err
	}
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	if m.level == 0 {
		j.warn("%s, so that all directions minimise the objective equally well: the projection is arbitrary", m.vanishes)
	}
	_, r := s.z.Dims()
	d := j.spanned(s, r)
	pairs, err := spectral.GeneralizedBottom(m.term, dense.Quadratic(sparse.Diagonal(w.RowSums()), s.z), d)
	if err != nil {
		return nil, err
	}
	j.regular(s, len(pairs.Values), d)
	if m.level == 0 {
		j.gap(pairs.Gap) // the warning above is more specific than that of distinct
	} else {
		j.distinct(len(pairs.Values), pairs.Gap, 2) // L ≤ 2D
	}
	return s.solution(pairs.Vectors, pairs.Values), nil
}
