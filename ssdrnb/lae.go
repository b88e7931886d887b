package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// LAE returns the builder of Laplacian eigenmaps. [Model.Values] are the generalised eigenvalues τ
// in [0, 2], ascending. The coordinates u satisfy uᵀDu = 1.
//
// Source: Belkin, Niyogi 2003; equation 1 in the paper on [S2LAE].
//
// Objective: minimise ½Σ a_ij‖y_i − y_j‖² under YᵀDY = I and YᵀD1 = 0. a_ij is the affinity in the
// neighbourhood graph, and D the diagonal matrix of its degrees.
//
// Solution: Lu = τDu with the smallest τ, except the τ = 0 of the constant vector. L is the graph
// Laplacian. u = D^(−½)v for the eigenvectors v of the normalised Laplacian.
//
// New points: Nyström's formula, the weighted mean of the coordinates of the neighbours, divided by
// 1 − τ.
//
// Cost: a search for neighbours, and d bottom eigenvectors of a sparse matrix.
//
// Defaults: dims 2, neighbors 12, Euclidean metric, heat affinity with t = (half the median
// distance)².
//
// Fails: if the graph is disconnected or nearly disconnected, the coordinates only separate the
// components (the report warns). A small width disconnects the graph. If all edge weights of an
// outlier vanish, it gets a larger width of its own (the report warns) and lies among its
// neighbours.
func LAE() *LAEBuilder { return newLAE(Spec{method: lae}) }

var lae = register(Method{
	Name: "LAE", Func: "LAE", Title: "Laplacian eigenmaps", Paper: "Belkin, Niyogi 2003",
	Supervision: Unsupervised, Shape: Nonlinear, Uses: NoKnowledge, takes: neighborhoods,
	Params: list(dimsOption.with(2), neighborsOption.with(12), searchOptions, metricOption, affinityOption.with(Heat), widthOption),
	fit:    fitLAE,
})

func fitLAE(j *job) (*solution, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	weights, t, err := affinityOf(j, j.x())
	if err != nil {
		return nil, err
	}
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, err
	}
	w, err := weighed(j.work, lengths, weights, nb.Scales(), true)
	if err != nil {
		return nil, err
	}
	countComponents(j, w, nb.K)
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	pairs, err := spectral.LaplacianBottom(j.ctx, w, dimsOption.of(j), spectral.RandomWalk, spectral.Options{Tolerance: 1e-12, Along: j.x()})
	if err != nil {
		return nil, err
	}
	judge(j, pairs, 2)
	y, values := pairs.Vectors, pairs.Values
	m := &outofsample.Nystrom{Samples: known(j), Y: y, K: nb.K, Affinity: string(affinityOption.of(j)), Width: t, Values: values}
	if affinityOption.of(j) == SelfTuning {
		m.Scale = nb.Scales()
	}
	return embedded(y, values, m), nil
}
