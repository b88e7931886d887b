package metrics

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// LeaveOneOut returns, for each row of x, the label of the nearest other row. Distances are
// Euclidean; among equally near rows, the lowest index wins. x is n×d with n ≥ 2; labels holds one
// label per row.
func LeaveOneOut(x *mat.Dense, labels []int) ([]int, error) {
	if err := checkQueries(x, labels, x); err != nil {
		return nil, err
	}
	nb, err := graph.Search(context.Background(), x, 1, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return nil, err
	}
	out := make([]int, len(labels))
	for i := range out {
		out[i] = labels[nb.Index[i]]
	}
	return out, nil
}
