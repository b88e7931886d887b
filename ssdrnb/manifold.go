package ssdrnb

import (
	"context"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// What the methods share that embed a neighbourhood graph: their solution is an
// n×d matrix, not a map.

// nearestNeighbors returns the neighbours of every sample by the option "neighbors".
func nearestNeighbors(j *job) (*graph.Neighbors, error) {
	if err := j.begin("neighbours"); err != nil {
		return nil, err
	}
	return neighborsOf(j, j.x(), neighborsOption.of(j))
}

// countComponents counts the components of a graph and warns of more than one: each then
// has its own null vector, and coordinates become their indicators.
func countComponents(j *job, g *sparse.CSR) int {
	count, _ := graph.Components(g)
	j.fact("components", float64(count))
	if count > 1 {
		j.warn("the neighbourhood graph has %d components: coordinates tell components apart rather than unfold them; raise Neighbors", count)
	}
	return count
}

// linkedGraph returns the directed graph of neighbours after components has looked at it.
func linkedGraph(j *job, nb *graph.Neighbors) (*sparse.CSR, error) {
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, err
	}
	countComponents(j, lengths)
	return nb.Directed(), nil
}

// unchosen returns the samples that are nobody's neighbour. A method that leaves a
// sample out of its own neighbourhood says nothing of them: their indicators are null
// vectors, and would be the embedding.
func unchosen(j *job, links *sparse.CSR) []int {
	chosen := make([]bool, links.Cols)
	for _, c := range links.ColInd {
		chosen[c] = true
	}
	var free []int
	for i, c := range chosen {
		if !c {
			free = append(free, i)
		}
	}
	if free != nil {
		j.warn("%d samples are nobody's neighbour: they were left out and embedded afterwards, like new points", len(free))
	}
	return free
}

// alignedSolution embeds the samples by an alignment matrix over neighbours that leave the
// sample itself out; the free ones, of which it says nothing, follow like new points.
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
	part, values, err := alignedCoordinates(j, own, dense.Pick(j.x(), counted))
	if err != nil {
		return nil, err
	}
	y := mat.NewDense(m.Rows, len(values), nil)
	for k, i := range counted {
		y.SetRow(i, part.RawRowView(k))
	}
	if err := follow(j.ctx, j.x(), y, nb, free); err != nil {
		return nil, err
	}
	return embedded(y, values, barycentreOf(j, y)), nil
}

// alignedCoordinates returns the coordinates of the samples x by their alignment matrix, which
// vanishes on what is constant on the components of its entries.
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
	return flattest(j, a, dense.RowNorm(m), null, x)
}

// follow places samples by their neighbours, whose coordinates are known.
func follow(ctx context.Context, x, y *mat.Dense, nb *graph.Neighbors, samples []int) error {
	all := nb.Directed()
	var links []sparse.Triplet
	for _, i := range samples {
		cols, _ := all.Row(i)
		for _, c := range cols {
			links = append(links, sparse.Triplet{Row: i, Col: int(c), Value: 1})
		}
	}
	own, err := sparse.FromTriplets(all.Rows, all.Cols, links)
	if err != nil {
		return err
	}
	w, err := graph.Reconstruct(ctx, x, own, 1e-3)
	if err != nil {
		return err
	}
	placed := mat.DenseCopyOf(y)
	w.MulTo(placed, y)
	for _, i := range samples {
		y.SetRow(i, placed.RawRowView(i))
	}
	return nil
}

// residual returns I − Δ: ‖(I − Δ)Y‖² = Σ‖y_i − Σ_j Δ_ij y_j‖².
func residual(delta *sparse.CSR) (*sparse.CSR, error) {
	return sparse.Add(1, sparse.Identity(delta.Rows), -1, delta)
}

// align returns Σ S_iᵀP_iS_i: the local matrix P_i, which local writes for the
// samples of the neighbourhood of i, added up over the places of those samples.
// Members are ascending, and include i itself where self is true.
func align(ctx context.Context, nb *graph.Neighbors, self bool, local func(members []int32, p *mat.Dense) error) (*sparse.CSR, error) {
	n, k := nb.Len(), nb.K
	if self {
		k++
	}
	// Row (i, a) of terms is row a of P_i at the columns of its samples; row (i, a)
	// of places is 1 at the sample that is the a-th member of i.
	terms := &sparse.CSR{Rows: n * k, Cols: n, RowPtr: make([]int, n*k+1), ColInd: make([]int32, n*k*k), Val: make([]float64, n*k*k)}
	places := &sparse.CSR{Rows: n * k, Cols: n, RowPtr: make([]int, n*k+1), ColInd: make([]int32, n*k), Val: make([]float64, n*k)}
	failed := make([]error, n)
	directed := nb.Directed()
	par.Blocks(n, 64, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			members, _ := directed.Row(i)
			if self {
				members = insert(members, int32(i))
			}
			p := mat.NewDense(k, k, terms.Val[i*k*k:(i+1)*k*k])
			failed[i] = local(members, p)
			for a, m := range members {
				row := i*k + a
				copy(terms.ColInd[row*k:], members)
				places.ColInd[row], places.Val[row] = m, 1
				terms.RowPtr[row+1], places.RowPtr[row+1] = (row+1)*k, row+1
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return sparse.Mul(places.T(), terms)
}

// insert returns an ascending list with one more number.
func insert(list []int32, v int32) []int32 {
	out := make([]int32, 0, len(list)+1)
	for k, x := range list {
		if x > v {
			return append(append(out, v), list[k:]...)
		}
		out = append(out, x)
	}
	return append(out, v)
}

// flattest returns the minimum of tr(YᵀMY) under YᵀY = I and Yᵀ1 = 0, for a positive
// semidefinite M of the samples x with eigenvalues up to norm and a null space of which
// 1 is the first basis vector. The rest of that space comes first.
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

// embedded is the solution of a method whose embedding is y, with signs by the
// rule that the entry of largest magnitude in each column is positive.
func embedded(y *mat.Dense, values []float64, m mapping) *solution {
	spectral.FixSigns(y)
	return &solution{y: y, values: values, mapping: m}
}

// affinityOf returns the rule by which the options "affinity" and "width" weigh an
// edge between two of the points, and the width t of the heat affinity.
func affinityOf(j *job, points *mat.Dense) (weights graph.Weights, t float64, err error) {
	if affinityOption.of(j) == Heat {
		if t, err = widthOf(j, points); err != nil {
			return graph.Weights{}, 0, err
		}
	}
	return affinityRule(affinityOption.of(j), t), t, nil
}
