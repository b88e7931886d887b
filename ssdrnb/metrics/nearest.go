package metrics

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
)

// NearestNeighbor returns, for each row of `queries`, the label of the nearest row of `train`.
// Distances are Euclidean; among equally near rows, the lowest index wins. train is m×d and queries
// q×d; labels holds one label per row of train.
func NearestNeighbor(train *mat.Dense, labels []int, queries *mat.Dense) ([]int, error) {
	if err := checkQueries(train, labels, queries); err != nil {
		return nil, err
	}
	q, _ := queries.Dims()
	nearest, err := graph.Query(context.Background(), train, queries, 1, graph.Euclidean)
	if err != nil {
		return nil, err
	}
	out := make([]int, q)
	for i := range out {
		out[i] = labels[nearest.Index[i]]
	}
	return out, nil
}

// checkQueries checks the arguments of a search for the nearest labelled row of each query.
func checkQueries(train *mat.Dense, labels []int, queries *mat.Dense) error {
	if err := given(train, queries); err != nil {
		return err
	}
	m, d := train.Dims()
	if len(labels) != m {
		return fmt.Errorf("%w: %s for %s, but each row must have one", ErrShape, nouns.Count(len(labels), "label"), nouns.Count(m, "row"))
	}
	if _, c := queries.Dims(); c != d {
		return fmt.Errorf("%w: queries have %s, but rows have %d", ErrShape, nouns.Count(c, "column"), d)
	}
	return measurable(train)
}

// NearestNeighborPath returns the accuracy of 1-NN classification, in [0, 1], for each number of
// leading dimensions of an embedding. train is m×D and queries q×D. Entry d−1 of the result is the
// accuracy with only the first d columns: the share of queries whose nearest row of `train` has
// their class. If a method's dimensions are nested, a single eigendecomposition thus gives the
// whole curve of accuracy against dimension.
//
// Squared distances are accumulated column by column. This takes O(qmD) operations for all D
// dimensions together, and O(m) memory besides a copy of train. Among equally near rows, the lowest
// index wins.
func NearestNeighborPath(train *mat.Dense, labels []int, queries *mat.Dense, truth []int) ([]float64, error) {
	if err := checkQueries(train, labels, queries); err != nil {
		return nil, err
	}
	q, dims := queries.Dims()
	if len(truth) != q {
		return nil, fmt.Errorf("%w: %s for %s, but each query must have one", ErrShape, nouns.Count(len(truth), "class"), nouns.Number(q, "query", "queries"))
	}
	rows, err := known(truth)
	if err != nil {
		return nil, err
	}
	if err := finite(queries); err != nil {
		return nil, err
	}
	m, _ := train.Dims()
	columns := mat.DenseCopyOf(train.T())
	const block = 16
	hits := make([][]int, (len(rows)+block-1)/block)
	par.Blocks(len(rows), block, func(lo, hi int) {
		right := make([]int, dims)
		sum := make([]float64, m)
		for _, i := range rows[lo:hi] {
			clear(sum)
			for d, v := range queries.RawRowView(i) {
				if nearest := accumulate(sum, columns.RawRowView(d), v); labels[nearest] == truth[i] {
					right[d]++
				}
			}
		}
		hits[lo/block] = right
	})
	accuracy := make([]float64, dims)
	for d := range accuracy {
		count := 0
		for _, h := range hits {
			count += h[d]
		}
		accuracy[d] = float64(count) / float64(len(rows))
	}
	return accuracy, nil
}

// accumulate adds (column[j] − v)² to sum[j] for each j, and returns the first index of the
// smallest sum.
func accumulate(sum, column []float64, v float64) int {
	column = column[:len(sum)]
	best, least := 0, 0.0
	for j := range sum {
		diff := column[j] - v
		s := sum[j] + diff*diff
		sum[j] = s
		if s < least || j == 0 {
			best, least = j, s
		}
	}
	return best
}
