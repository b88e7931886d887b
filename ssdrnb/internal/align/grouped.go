package align

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// GroupedKNN returns the k nearest neighbours of every row of x (n×D) by a dissimilarity. of(d, a,
// b) is the dissimilarity of a sample of group a and a sample of group b at Euclidean distance d.
// It must not decrease as d grows. Groups may be classes, for example. The field Dist of the result
// holds dissimilarities. Neighbours are ordered by (dissimilarity, distance, index), and a sample
// is not its own neighbour. Errors wrap [graph.ErrOption] if k is not between 1 and n−1 or `group`
// does not have n entries, and [graph.ErrNotFinite] for a dissimilarity that is NaN.
//
// It searches each group separately, with O(n²D) operations in total.
func GroupedKNN(ctx context.Context, x *mat.Dense, group []int, k int, of func(d float64, a, b int) float64) (*graph.Neighbors, error) {
	n, _ := x.Dims()
	if k < 1 || k >= n {
		return nil, fmt.Errorf("%w: k = %d neighbours of %d samples; k must lie between 1 and %d", graph.ErrOption, k, n, n-1)
	}
	if len(group) != n {
		return nil, fmt.Errorf("%w: %d group numbers for %d samples, but each sample must have one", graph.ErrOption, len(group), n)
	}
	members := map[int][]int{}
	for i, g := range group {
		members[g] = append(members[g], i)
	}
	type candidate struct {
		value, dist float64
		index       int32
	}
	found := make([][]candidate, n)
	order := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.dist, b.dist), cmp.Compare(a.index, b.index))
	}
	for _, g := range slices.Sorted(maps.Keys(members)) {
		in := members[g]
		// Search for k + 1, because a sample of group g finds itself.
		nb, err := graph.Query(ctx, samples.Pick(x, in), x, min(k+1, len(in)), graph.Euclidean)
		if err != nil {
			return nil, err
		}
		for i := range n {
			index, dist := nb.Of(i)
			for a, b := range index {
				j := in[b]
				if j == i {
					continue
				}
				value := of(dist[a], group[i], g)
				if math.IsNaN(value) {
					return nil, fmt.Errorf("%w: the dissimilarity of samples %d and %d is NaN", graph.ErrNotFinite, i, j)
				}
				found[i] = append(found[i], candidate{value, dist[a], int32(j)})
			}
			slices.SortFunc(found[i], order)
			found[i] = found[i][:min(k, len(found[i]))]
		}
	}
	nb := &graph.Neighbors{K: k, Index: make([]int32, n*k), Dist: make([]float64, n*k), Method: graph.Brute, Recall: 1}
	for i, list := range found {
		for a, c := range list {
			nb.Index[i*k+a], nb.Dist[i*k+a] = c.index, c.value
		}
	}
	return nb, nil
}
