package ssdrnb

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/align"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Common steps of methods that embed a neighbourhood graph. Their solution is an n×d matrix of
// coordinates, not a mapping.

// nearestNeighbors returns the neighbours of every sample. The option "neighbors" sets their
// number.
func nearestNeighbors(j *job) (*graph.Neighbors, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, err
	}
	return neighborsOf(j, j.x(), neighborsOption.of(j))
}

// countComponents counts the components of a graph, and warns if there is more than one. If the
// coordinates are eigenvectors, each component has its own null vector, so the coordinates only
// indicate the component. Projections have no null vectors, but the graph then does not relate the
// components. For methods with known coordinates, the function reached warns instead. The argument
// k is the number of neighbours.
func countComponents(j *job, g *sparse.CSR, k int) int {
	count, _ := graph.Components(g)
	j.fact("graph components", float64(count))
	effect := "the coordinates separate the components instead of unfolding them"
	if j.spec.method.Shape == Linear {
		effect = "reconstruction errors do not relate samples of different components"
	}
	if count > 1 && j.spec.method.Uses != FromAnchors {
		j.warn("the neighbourhood graph has %d components: %s; %s", count, effect, j.connecting(k, "raise Neighbors"))
	}
	return count
}

// linkedGraph returns the directed graph of neighbours, and counts its components.
func linkedGraph(j *job, nb *graph.Neighbors) (*sparse.CSR, error) {
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, err
	}
	countComponents(j, lengths, nb.K)
	return nb.Directed(), nil
}

// unchosen returns the samples that are not a neighbour of any other sample, and warns if there are
// any. If neighbourhoods exclude the sample itself, the alignment matrix does not determine the
// positions of these samples: their indicators are null vectors and would become the embedding.
func unchosen(j *job, links *sparse.CSR) []int {
	chosen := make([]bool, links.Cols)
	for _, c := range links.ColInd {
		chosen[c] = true
	}
	free := order.Where(chosen, func(c bool) bool { return !c })
	if free != nil {
		j.warn("%s not a neighbour of any other sample, and embedded only afterwards, like new points", nouns.Number(len(free), "sample is", "samples are"))
	}
	return free
}

// alignedSolution embeds the samples by the alignment matrix m, whose neighbourhoods exclude the
// sample itself. The argument free is the result of unchosen: m does not determine the positions
// of these samples, so they are embedded like new points.
func alignedSolution(j *job, m *sparse.CSR, nb *graph.Neighbors, free []int) (*solution, error) {
	if free == nil {
		y, values, err := alignedCoordinates(j, m, j.x())
		if err != nil {
			return nil, err
		}
		return embedded(y, values, barycentreOf(j, y)), nil
	}
	counted := make([]int, 0, m.Rows)
	for i := range m.Rows {
		if _, found := slices.BinarySearch(free, i); !found {
			counted = append(counted, i)
		}
	}
	own, err := m.Select(counted, counted)
	if err != nil {
		return nil, err
	}
	part, values, err := alignedCoordinates(j, own, j.pick(counted))
	if err != nil {
		return nil, err
	}
	y := mat.NewDense(m.Rows, len(values), nil)
	for k, i := range counted {
		y.SetRow(i, part.RawRowView(k))
	}
	if err := align.Follow(y, nb, free, func(links *sparse.CSR) (*sparse.CSR, error) { return j.weightsOf(links, 1e-3) }); err != nil {
		return nil, err
	}
	return embedded(y, values, barycentreOf(j, y)), nil
}

// alignedCoordinates returns the coordinates y of the samples x from their alignment matrix m, and
// the eigenvalues. The null space of m includes the indicators of the components of its graph.
func alignedCoordinates(j *job, m *sparse.CSR, x *mat.Dense) (y *mat.Dense, values []float64, err error) {
	a, err := spectral.Sparse(m)
	if err != nil {
		return nil, nil, err
	}
	count, of := graph.Components(m)
	null, err := spectral.Components(count, of, nil)
	if err != nil {
		return nil, nil, err
	}
	// m is a sum of projections, so its norm is at least 1 unless all of them are 0. If they are 0
	// up to rounding, its row norm is a rounding error too. The bound of 1 then makes all
	// eigenvalues equal up to rounding.
	return flattest(j, a, max(1, dense.RowNorm(m)), null, x)
}

// flattest returns the n×d matrix y that minimises tr(yᵀ·m·y) under yᵀy = I and yᵀ1 = 0, where d is
// the option "dims". It also returns the eigenvalues of the columns of y. The operator m must be
// positive semidefinite. The argument norm is an upper bound on the eigenvalues of m. The argument
// null is the null space of m, and its first basis vector must be constant. The other basis vectors
// become the first columns of y, ordered by the variation of the samples x along them.
func flattest(j *job, m spectral.Operator, norm float64, null spectral.Null, x *mat.Dense) (y *mat.Dense, values []float64, err error) {
	if err := j.begin("eigenvectors"); err != nil {
		return nil, nil, err
	}
	pairs, err := bottomOf(j, m, norm, null, x, dimsOption.of(j))
	if err != nil {
		return nil, nil, err
	}
	return pairs.Vectors, pairs.Values, nil
}

// embedded returns the solution with the embedding y. It sets the signs so that the entry of
// largest magnitude in each column is positive.
func embedded(y *mat.Dense, values []float64, m outofsample.Map) *solution {
	spectral.FixSigns(y)
	return &solution{y: y, values: values, mapping: m}
}

// affinityOf returns the weight function for edges between the points, according to the options
// "affinity" and "width". It also returns the width t of the heat affinity, or 0 for other
// affinities.
func affinityOf(j *job, points *mat.Dense) (weights graph.Weights, t float64, err error) {
	if affinityOption.of(j) == Heat {
		if t, err = widthOf(j, points); err != nil {
			return graph.Weights{}, 0, err
		}
	}
	return affinityRule(affinityOption.of(j), t), t, nil
}
