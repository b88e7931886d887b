package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Decay describes how the weight 1/d² of a neighbour at distance d decreases with its rank, for
// Euclidean and for geodesic distances (semi-Riemannian paper, Fig. 3).
type Decay struct {
	// Euclidean and Geodesic hold, at index k−1, the mean of d₁²/d_k² over the rows given to
	// [MeasureDecay], where d_k is the distance to the k-th nearest sample that is not a duplicate.
	// Both start with 1.
	Euclidean, Geodesic []float64
	// Bridges is the number of edges added to connect the neighbourhood graph.
	Bridges int
}

// MeasureDecay measures the decay over the given number of ranks, for the given rows of x (n×D);
// nil means all rows. Geodesic distances are the lengths of shortest paths in the graph with the
// given number of neighbours. Duplicates of a sample are skipped. The arguments must satisfy 1 ≤
// ranks < n and 1 ≤ neighbors < n. It is an error if the number of samples that are not
// duplicates of a row is below the number of ranks.
func MeasureDecay(ctx context.Context, x *mat.Dense, rows []int, neighbors, ranks int) (*Decay, error) {
	ctx = par.Context(ctx)
	fault := func(param string, value any, err error, remedy string) error {
		return &ssdrnb.Error{Method: "MeasureDecay", Param: param, Value: value, Err: err, Remedy: remedy}
	}
	n := 0
	if x != nil {
		n, _ = x.Dims()
	}
	if n < 2 {
		return nil, fault("x", nil, fmt.Errorf("%w: the number of samples is %d, so no sample has a neighbour", ssdrnb.ErrData, n), "give at least two samples")
	}
	if ranks < 1 || ranks >= n {
		return nil, fault("ranks", ranks, fmt.Errorf("%w: each of %d samples has only %s", ssdrnb.ErrOption, n, nouns.Number(n-1, "other", "others")), "give ranks "+nouns.Range(1, n-1))
	}
	if rows == nil {
		for i := range n {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 || slices.Min(rows) < 0 || slices.Max(rows) >= n {
		return nil, fault("rows", nil, fmt.Errorf("%w: there must be at least one row, and each must lie between 0 and %d", ssdrnb.ErrOption, n-1), "give at least one row, counted from 0")
	}
	nb, err := graph.Search(ctx, x, neighbors, graph.SearchOptions{Method: graph.Exact})
	if err != nil {
		return nil, fault("neighbors", neighbors, err, advice.Of(err))
	}
	lengths, err := nb.Lengths(graph.Or)
	if err != nil {
		return nil, fault("graph", nil, err, advice.Of(err))
	}
	lengths, bridges, err := graph.Connect(ctx, x, lengths)
	if err != nil {
		return nil, fault("graph", nil, err, advice.Of(err))
	}
	geodesic, _, err := graph.LandmarkGeodesics(ctx, lengths, rows)
	if err != nil {
		return nil, fault("geodesics", nil, err, advice.Of(err))
	}
	r := &Decay{Euclidean: make([]float64, ranks), Geodesic: make([]float64, ranks), Bridges: len(bridges)}
	straight := make([]float64, n)
	for a, i := range rows {
		for k := range n {
			straight[k] = math.Sqrt(samples.SquaredDistance(x.RawRowView(i), x.RawRowView(k)))
		}
		for _, part := range []struct{ dist, into []float64 }{{straight, r.Euclidean}, {geodesic.RawRowView(a), r.Geodesic}} {
			sorted := slices.Sorted(slices.Values(part.dist))
			first, found := slices.BinarySearch(sorted, 0)
			for found && first < n && sorted[first] == 0 {
				first++
			}
			if first == n {
				return nil, fault("x", nil, fmt.Errorf("%w: all samples are equal, so no distance is positive", ssdrnb.ErrData), "give samples that differ")
			}
			if n-first < ranks {
				return nil, fault("ranks", ranks, fmt.Errorf("%w: only %s from sample %d", ssdrnb.ErrOption, nouns.Number(n-first, "sample differs", "samples differ"), i), fmt.Sprintf("give ranks of at most %d", n-first))
			}
			for k := range ranks {
				ratio := sorted[first] / sorted[first+k]
				part.into[k] += ratio * ratio / float64(len(rows))
			}
		}
	}
	return r, nil
}
