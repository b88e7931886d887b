// Package metrics scores embeddings.
package metrics

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
)

// ErrShape says that two arguments disagree in size.
var ErrShape = errors.New("metrics: sizes disagree")

// NearestNeighbor returns, for every row of queries, the label of the nearest row
// of train (Euclidean; the lowest row among equals). train is m×d with one label
// per row, queries q×d.
func NearestNeighbor(train *mat.Dense, labels []int, queries *mat.Dense) ([]int, error) {
	m, d := train.Dims()
	q, c := queries.Dims()
	if len(labels) != m || c != d {
		return nil, fmt.Errorf("%w: %d labels for %d rows, queries with %d columns against %d", ErrShape, len(labels), m, c, d)
	}
	nearest, err := graph.Query(context.Background(), train, queries, 1)
	if err != nil {
		return nil, err
	}
	out := make([]int, q)
	for i := range out {
		out[i] = labels[nearest.Index[i]]
	}
	return out, nil
}
