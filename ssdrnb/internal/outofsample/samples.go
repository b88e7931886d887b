package outofsample

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Samples are the training samples among which rules search for the neighbours of new points.
type Samples struct {
	X    *mat.Dense  // n×D; nil for sparse rows and for distances
	Rows *sparse.CSR // n×D; nil for dense rows and for distances
	N    int
	// Metric is the metric for X or Rows. If both are nil, a new point is given by its distances to
	// the samples.
	Metric graph.Metric
}

// Features returns the number of values that describe a new point: the D features, or its distances
// to the N samples.
func (s *Samples) Features() int {
	switch {
	case s.X != nil:
		_, features := s.X.Dims()
		return features
	case s.Rows != nil:
		return s.Rows.Cols
	}
	return s.N
}

// Dense returns X, which may be nil.
func (s *Samples) Dense() *mat.Dense { return s.X }

// Related reports whether new points are given by their distances to the samples.
func (s *Samples) Related() bool { return s.X == nil && s.Rows == nil }

// Near returns the k nearest samples for each row of q.
func (s *Samples) Near(ctx context.Context, q *mat.Dense, k int) (*graph.Neighbors, error) {
	switch {
	case s.X != nil:
		return graph.Query(ctx, s.X, q, k, s.Metric)
	case s.Rows != nil:
		return graph.SearchSparse(ctx, s.Rows, sparse.FromDense(q), k, s.Metric)
	}
	return graph.QueryOf(ctx, q, k)
}

// arrays adds the samples and the metric to the arrays of a rule, and returns these arrays.
func (s *Samples) arrays(a map[string]*mat.Dense) map[string]*mat.Dense {
	switch {
	case s.X != nil:
		a["samples"] = s.X
	case s.Rows != nil:
		row := func(name string, n int, at func(int) float64) {
			v := mat.NewDense(1, max(n, 1), nil)
			for k := range n {
				v.Set(0, k, at(k))
			}
			a[name] = v
		}
		r := s.Rows
		row("rows_shape", 2, func(k int) float64 { return float64([]int{r.Rows, r.Cols}[k]) })
		row("rows_indptr", len(r.RowPtr), func(k int) float64 { return float64(r.RowPtr[k]) })
		row("rows_indices", len(r.ColInd), func(k int) float64 { return float64(r.ColInd[k]) })
		row("rows_data", len(r.Val), func(k int) float64 { return r.Val[k] })
	default:
		a["related"] = mat.NewDense(1, 1, []float64{float64(s.N)})
	}
	return withMetric(s.Metric, a)
}

// decodeSamples is the inverse of Samples.arrays. It returns the samples, their embedding, and the
// parameters of a rule. `numbers` is the number of parameters; see sampleArrays.
func decodeSamples(a map[string]*mat.Dense, numbers int) (s Samples, y *mat.Dense, rule []float64, err error) {
	if s.Metric, err = decodeMetric(a); err != nil {
		return s, nil, nil, err
	}
	if a["samples"] != nil {
		s.X, y, rule, err = sampleArrays(a, numbers)
		if err == nil {
			s.N, _ = s.X.Dims()
		}
		return s, y, rule, err
	}
	if y = a["embedding"]; y == nil {
		return s, nil, nil, errors.New("the embedding is missing")
	}
	if s.N, _ = y.Dims(); a["rows_shape"] != nil {
		if s.Rows, err = decodeRows(a, s.N); err != nil {
			return s, nil, nil, err
		}
		if s.Metric != graph.Euclidean && s.Metric != graph.Cosine && s.Metric != graph.Jaccard {
			return s, nil, nil, fmt.Errorf("sparse rows do not support the metric %v", s.Metric)
		}
	} else if related := a["related"]; related == nil || related.At(0, 0) != float64(s.N) {
		return s, nil, nil, errors.New("the samples are missing, or their number differs from the number of rows of the embedding")
	}
	rule, err = decodeRule(a, s.N, numbers)
	return s, y, rule, err
}

// decodeRows decodes n samples stored as sparse rows.
func decodeRows(a map[string]*mat.Dense, n int) (*sparse.CSR, error) {
	for _, name := range []string{"rows_indptr", "rows_indices", "rows_data"} {
		if a[name] == nil {
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	shape, err := Wholes(a["rows_shape"], 1, 1<<31-1)
	if err != nil {
		return nil, fmt.Errorf("the shape of the rows: %w", err)
	}
	if len(shape) != 2 || shape[0] != n {
		return nil, fmt.Errorf("the rows have the shape %v, but there are %d samples", shape, n)
	}
	r := &sparse.CSR{Rows: shape[0], Cols: shape[1], Val: a["rows_data"].RawMatrix().Data}
	if r.RowPtr, err = Wholes(a["rows_indptr"], 0, len(r.Val)); err != nil {
		return nil, fmt.Errorf("the rows: %w", err)
	}
	columns, err := Wholes(a["rows_indices"], 0, r.Cols-1)
	if err != nil {
		return nil, fmt.Errorf("the columns of the rows: %w", err)
	}
	r.ColInd = make([]int32, len(columns))
	for k, c := range columns {
		r.ColInd[k] = int32(c)
	}
	return r, r.Check()
}
