package ssdrnb

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// LAE returns the builder of Laplacian eigenmaps. Values are the generalised
// eigenvalues τ, ascending, in [0, 2]; uᵀDu = 1.
//
// Source: Belkin, Niyogi 2003; equation 1 of the paper of S2LAE.
//
// Objective: minimise ½Σ a_ij‖y_i − y_j‖² under YᵀDY = I and YᵀD1 = 0, a the
// affinity of the neighbourhood graph and D its degrees.
//
// Solution: Lu = τDu, the smallest τ except 0 of the constant vector; u = D^(−½)v for the
// eigenvectors v of the normalised Laplacian.
//
// New points: Nyström's formula, the weighted mean of the neighbours' coordinates
// divided by 1 − τ.
//
// Cost: a search for neighbours, and d bottom eigenvectors of a sparse matrix.
//
// Defaults: dims 2, neighbors 12, Euclidean metric, heat affinity of half-median width.
//
// Fails: on a graph with several components, or nearly so, coordinates only separate the
// components (the report warns); a small width disconnects it. An outlier whose weights all
// vanish gets a width of its own (the report warns) and lies among its neighbours.
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
	countComponents(j, w)
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
