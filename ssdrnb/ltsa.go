package ssdrnb

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// LTSA returns the builder of local tangent space alignment. Apart from samples that are embedded
// like new points (see Fails), the coordinates are orthonormal. [Model.Values] are the eigenvalues
// of the alignment matrix, ascending.
//
// Source: Zhang, Zha 2004.
//
// Objective: minimise tr(YᵀMY) under YᵀY = I and Yᵀ1 = 0. In every neighbourhood the coordinates Y
// are then as near as possible to an affine image of the tangent coordinates. M = Σ S_iᵀ(I −
// GGᵀ)S_i, where S_i selects neighbourhood i, and G = [1/√k, U] with the first d left singular
// vectors U of the centred neighbourhood.
//
// Solution: the eigenvectors 2 to d+1 of M, in ascending order of eigenvalue.
//
// New points: reconstruction weights over the neighbours, the same as for LLE.
//
// Cost: a search for neighbours, O(nk²(D + k)) for the tangents, and d bottom
// eigenvectors of a sparse matrix with up to nk² entries.
//
// Defaults: dims 2, neighbors 12, include self.
//
// Fails: on a disconnected graph; k must exceed d. Without IncludeSelf, a sample that is not a
// neighbour of any other is embedded like a new point (the report warns).
func LTSA() *LTSABuilder { return newLTSA(Spec{method: ltsa}) }

var ltsa = register(Method{
	Name: "LTSA", Func: "LTSA", Title: "local tangent space alignment", Paper: "Zhang, Zha 2004",
	Supervision: Unsupervised, Shape: Nonlinear, Uses: NoKnowledge, takes: allDistances,
	Params: list(tangentDimsOption.with(2), nearestOption.with(12), searchOptions, includeSelfOption),
	fit:    fitLTSA,
})

func fitLTSA(j *job) (*solution, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	m, err := tangentAlignment(j, nb)
	if err != nil {
		return nil, err
	}
	var free []int
	if !includeSelfOption.of(j) {
		free = unchosen(j, nb.Directed())
	}
	return alignedSolution(j, m, nb, free)
}

// tangentAlignment returns the alignment matrix M of the tangent spaces.
func tangentAlignment(j *job, nb *graph.Neighbors) (*sparse.CSR, error) {
	if err := j.begin("tangents"); err != nil {
		return nil, err
	}
	self, d := includeSelfOption.of(j), dimsOption.of(j)
	k := nb.K
	if self {
		k++
	}
	if err := checkTangent(j, k); err != nil {
		return nil, err
	}
	if _, err := linkedGraph(j, nb); err != nil {
		return nil, err
	}
	return align.Patches(j.ctx, nb, self, func(members []int32, p *mat.Dense) error {
		u, err := j.tangent(members, d)
		if err != nil {
			return err
		}
		g := mat.NewDense(k, d+1, nil)
		for a := range k {
			row := g.RawRowView(a)
			row[0] = 1 / math.Sqrt(float64(k))
			copy(row[1:], u.RawRowView(a))
		}
		p.Mul(g, g.T())
		for a := range k {
			row := p.RawRowView(a)
			for b := range row {
				row[b] = -row[b]
			}
			row[a]++
		}
		return nil
	})
}
