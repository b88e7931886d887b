package ssdrnb

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Isomap returns the builder of Isomap. [Model.Values] are the eigenvalues Λ of −½PD²P, descending.
// The squared norm of each column of the embedding is its eigenvalue.
//
// Source: Tenenbaum, de Silva, Langford 2000.
//
// Objective: Euclidean distances in the embedding approximate the geodesic distances, the lengths
// of the shortest paths in the neighbourhood graph (classical scaling).
//
// Solution: Y = V·√Λ, with the top eigenpairs V, Λ of −½PD²P. D² holds the squared geodesic
// distances, and P = I − 11ᵀ/n.
//
// New points: shortest paths through the k nearest samples, then the formula of landmark
// multidimensional scaling. A training sample is mapped to its own embedding.
//
// Cost: a search for neighbours; O(n²k·log n) for the paths; a few dozen O(n²) products for the
// eigenvectors, or O(n³) if eigenvalues nearly coincide; O(n²) memory.
//
// Defaults: dims 2, neighbors 12. A disconnected graph is an error, unless Disconnected(Join) is
// set.
//
// Fails: a single edge across a fold short-circuits the manifold. A large k makes such an edge
// likely.
func Isomap() *IsomapBuilder { return newIsomap(Spec{method: isomap}) }

var isomap = register(Method{
	Name: "Isomap", Func: "Isomap", Title: "isometric feature mapping", Paper: "Tenenbaum, de Silva, Langford 2000",
	Supervision: Unsupervised, Shape: Nonlinear, Uses: NoKnowledge, takes: neighborhoods,
	Params: list(dimsOption.with(2), neighborsOption.with(12), searchOptions, disconnectedOption),
	fit:    fitIsomap,
})

func fitIsomap(j *job) (*solution, error) {
	nb, err := nearestNeighbors(j)
	if err != nil {
		return nil, err
	}
	return isometric(j, nb, 1, func(b graph.Bridge) float64 { return b.Length })
}

// isometric computes Isomap on the graph of the neighbours nb. `unit` is the factor that converts
// the distance from a new point to a sample into an edge length. The callback `length` returns the
// length of an edge that joins components.
func isometric(j *job, nb *graph.Neighbors, unit float64, length func(graph.Bridge) float64) (*solution, error) {
	g, err := pathGraph(j, nb, length)
	if err != nil {
		return nil, err
	}
	if err := j.begin("geodesics"); err != nil {
		return nil, err
	}
	b, _, err := graph.Geodesics(j.ctx, g)
	if err != nil {
		return nil, err
	}
	middle := align.DoubleCenter(b)
	if err := j.begin("eigenvectors"); err != nil {
		return nil, err
	}
	n, d := b.SymmetricDim(), dimsOption.of(j)
	pairs, err := spectral.Top(b, d)
	if err != nil {
		return nil, err
	}
	values, y := pairs.Values, pairs.Vectors
	positive := 0
	for positive < d && values[positive] > 1e-12*values[0] {
		positive++
	}
	if positive == 0 {
		return nil, j.fault("data", nil, fmt.Errorf("%w: all geodesic distances are 0", ErrData), "give samples that differ")
	}
	d = j.limit(positive, "the geodesic distances have no more positive eigenvalues")
	y, values = mat.DenseCopyOf(y.Slice(0, n, 0, d)), values[:d]
	for i := range n {
		row := y.RawRowView(i)
		for k, v := range values {
			row[k] *= math.Sqrt(v)
		}
	}
	return embedded(y, values, &outofsample.Geodesic{Samples: known(j), Y: y, K: nb.K, Unit: unit, Graph: g, Middle: middle, Values: values}), nil
}

// pathGraph returns the graph of the neighbours nb, weighted by edge lengths. If it is disconnected,
// the option "disconnected" decides whether its components are joined or pathGraph returns an error.
// The callback `length` returns the length of an edge that joins components.
func pathGraph(j *job, nb *graph.Neighbors, length func(graph.Bridge) float64) (*sparse.CSR, error) {
	if err := j.begin("graph"); err != nil {
		return nil, err
	}
	g, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, err
	}
	count, _ := graph.Components(g)
	j.fact("graph components", float64(count))
	treatment := disconnectedOption.of(j) // a precaution, which needs no warning if the graph is connected
	if count == 1 {
		return g, nil
	}
	if treatment == Refuse {
		remedy := "raise Neighbors, or join the components with Disconnected(Join)"
		if j.data.Nearest != nil { // without the distances between components, Join is an error too
			remedy = j.connecting(nb.K, "raise Neighbors") + ", or give all distances with FromDistances"
		}
		return nil, j.faultAmong([]string{"neighbors", "disconnected"}, "neighbors", fmt.Errorf("%w: %w: no path connects the %d components of the neighbourhood graph", ErrData, graph.ErrDisconnected, count), remedy)
	}
	bridges, name, err := joined(j, j.x(), g)
	if err != nil {
		return nil, err
	}
	var extra []sparse.Triplet
	for _, b := range bridges {
		l := length(b)
		extra = append(extra, sparse.Triplet{Row: b.I, Col: b.J, Value: l}, sparse.Triplet{Row: b.J, Col: b.I, Value: l})
	}
	more, err := sparse.FromTriplets(g.Rows, g.Cols, extra)
	if err != nil {
		return nil, err
	}
	j.warn("the neighbourhood graph has %d components, which were joined by %s, %s possible", count, nouns.Count(len(bridges), "edge"), name)
	return sparse.Add(1, g, 1, more)
}
