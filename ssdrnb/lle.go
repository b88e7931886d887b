package ssdrnb

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// LLE returns the builder of locally linear embedding. The coordinates are orthonormal.
// [Model.Values] are the eigenvalues of (I − Δ)ᵀ(I − Δ), ascending.
//
// Source: Roweis, Saul 2000; Saul, Roweis 2003.
//
// Objective: minimise Σ‖y_i − Σ_j Δ_ij y_j‖² under YᵀY = I and Yᵀ1 = 0. Row i of Δ holds the
// weights that best reconstruct sample i from its neighbours; each row sums to 1.
//
// Solution: the eigenvectors 2 to d+1 of (I − Δ)ᵀ(I − Δ), in ascending order of eigenvalue.
//
// New points: the mean of the neighbours' coordinates, with the point's reconstruction weights.
//
// Cost: a search for neighbours, O(nk²(D + k)) for the weights, and d bottom
// eigenvectors of a sparse matrix with up to nk² entries.
//
// Defaults: dims 2, neighbors 12, regularization 1e-3 (relative to the trace of the local Gram
// matrix, always added).
//
// Fails: on a disconnected graph. If a group of samples has no neighbours outside the group, its
// samples coincide at one point (the report warns). With more neighbours than features, only the
// regularisation determines the weights.
func LLE() *LLEBuilder { return newLLE(Spec{method: lle}) }

var lle = register(Method{
	Name: "LLE", Func: "LLE", Title: "locally linear embedding", Paper: "Roweis, Saul 2000",
	Supervision: Unsupervised, Shape: Nonlinear, Uses: NoKnowledge, takes: allDistances,
	Params: list(dimsOption.with(2), nearestOption.with(12), searchOptions, regularizationOption),
	fit:    fitLLE,
})

func fitLLE(j *job) (*solution, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	return locallyLinear(j, nb)
}

// locallyLinear embeds the samples by LLE with the given neighbours.
func locallyLinear(j *job, nb *graph.Neighbors) (*solution, error) {
	r, err := reconstruction(j, nb)
	if err != nil {
		return nil, err
	}
	null, err := closedGroups(j, r)
	if err != nil {
		return nil, err
	}
	y, values, err := flattest(j, spectral.Gram(r), dense.RowNorm(r)*dense.RowNorm(r.T()), null, j.x())
	if err != nil {
		return nil, err
	}
	return embedded(y, values, barycentreOf(j, y)), nil
}

// closedGroups returns the null space of I − Δ. A group is closed if all neighbours of its samples
// belong to it. The vector of a closed group is 1 on the group, 0 on other closed groups, and
// interpolated by the weights elsewhere. If there is only one closed group, its vector is constant.
// In the returned basis, the constant vector replaces the vector of the first group. If the
// interpolation fails, only the constant vector is returned.
func closedGroups(j *job, r *sparse.CSR) (spectral.Null, error) {
	count, of := align.ClosedGroups(r)
	if count == 1 {
		return spectral.Constant(r.Rows), nil
	}
	j.fact("closed groups", float64(count))
	if components, _ := j.report.Fact("graph components"); float64(count) > components {
		j.warn("%d groups of samples have no neighbours outside their own group: the coordinates separate these groups instead of unfolding them; raise Neighbors", count)
	}
	v := mat.NewDense(r.Rows, count, nil)
	var free []int
	for i, k := range of {
		if k < 0 {
			free = append(free, i)
		} else {
			v.Set(i, k, 1)
		}
	}
	if free != nil {
		m, err := sparse.Mul(r.T(), r)
		if err != nil {
			return nil, err
		}
		switch err := align.Extend(j.ctx, m, v, free); {
		case errors.Is(err, sparse.ErrNotPositive), errors.Is(err, sparse.ErrFill):
			return spectral.Constant(r.Rows), nil // the eigensolver finds the rest of the null space
		case err != nil:
			return nil, err
		}
	}
	for i := range r.Rows { // the vectors sum to the constant 1, which comes first
		v.Set(i, 0, 1)
	}
	return spectral.SpanOf(v)
}

// reconstruction returns I − Δ for the reconstruction weights Δ.
func reconstruction(j *job, nb *graph.Neighbors) (*sparse.CSR, error) {
	if err := j.begin("weights"); err != nil {
		return nil, err
	}
	links, err := linkedGraph(j, nb)
	if err != nil {
		return nil, err
	}
	delta, err := reconstruct(j, links)
	if err != nil {
		return nil, err
	}
	return align.Residual(delta)
}

// reconstruct returns the weights that reconstruct each sample from its neighbours. `links` is a
// directed graph with an edge from each sample to each of its neighbours.
func reconstruct(j *job, links *sparse.CSR) (*sparse.CSR, error) {
	share := regularizationOption.of(j)
	delta, err := j.weightsOf(links, share)
	if errors.Is(err, graph.ErrOption) {
		return nil, j.fault("regularization", share, fmt.Errorf("%w: %w", ErrOption, err), "raise Regularization")
	}
	return delta, err
}
