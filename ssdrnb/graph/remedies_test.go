package graph

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Following the advice of each error gives a result.
func TestRemedies(t *testing.T) {
	ctx, x := context.Background(), mat.NewDense(4, 1, []float64{0, 1, 3, 7})
	plane := mat.NewDense(4, 2, []float64{0, 0, 1, 2, 3, 1, 7, 2})
	nonzero := mat.DenseCopyOf(plane.Slice(1, 4, 0, 2))
	is := func(_ any, err error) error { return err }
	search := func(k int, o SearchOptions) error { return is(Search(ctx, x, k, o)) }
	nb, err := Search(ctx, x, 2, SearchOptions{Method: Exact})
	if err != nil {
		t.Fatal(err)
	}
	lengths, err := nb.Lengths(Or)
	if err != nil {
		t.Fatal(err)
	}
	weigh := func(w Weights, scale []float64) error { return is(Weigh(lengths, w, scale)) }
	geodesics := func(v float64) error {
		g := &sparse.CSR{Rows: 2, Cols: 2, RowPtr: []int{0, 1, 2}, ColInd: []int32{1, 0}, Val: []float64{v, v}}
		_, _, err := Geodesics(ctx, g)
		return err
	}
	landmark := func(source int) error { _, _, err := LandmarkGeodesics(ctx, lengths, []int{source}); return err }
	diffuse := func(v float64, steps int, labels ...int) error {
		g := &sparse.CSR{Rows: 2, Cols: 2, RowPtr: []int{0, 1, 2}, ColInd: []int32{1, 0}, Val: []float64{v, v}}
		return is(Diffuse(ctx, g, labels, steps))
	}
	by := func(m Metric, x *mat.Dense) error { return is(Query(ctx, x, x, 1, m)) }
	sparseBy := func(v float64, k int, m Metric) error {
		rows := sparse.Diagonal([]float64{1, 2, 3, v})
		return is(SearchSparse(ctx, rows, rows, k, m))
	}
	huge := mat.NewDense(3, 1, []float64{0, 1e200, -1e200})
	small := mat.DenseCopyOf(huge)
	small.Scale(1e-200, small)
	unlinked := func(n int) *sparse.CSR { return &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int, n+1)} }
	all := func(n int) error { _, _, err := Geodesics(ctx, unlinked(n)); return err }
	landmarks := func(m int) error {
		_, _, err := LandmarkGeodesics(ctx, unlinked(30_000), make([]int, m))
		return err
	}
	cases := []advicetest.Case{
		{"too many geodesics", all(30_000), "30000×30000 distances take 7 GiB; keep at most 23170 samples", func() error { return checkLengths(unlinked(23_170), 23_170, "") }},
		{"too many landmarks", landmarks(20_000), "20000×30000 distances take 4 GiB; use at most 17895 landmarks", func() error { return checkLengths(unlinked(30_000), 17_895, "") }},
		{"a width of 0", weigh(Heat(0), nil), "it must be positive and finite", func() error { return weigh(Heat(1), nil) }},
		{"weights without a rule", weigh(Weights{}, nil), "use Binary, Heat or SelfTuning", func() error { return weigh(Binary(), nil) }},
		{"too few scales", weigh(SelfTuning(), nil), "self-tuning weights need one scale per sample", func() error { return weigh(SelfTuning(), nb.Scales()) }},
		{"too many edges", is(ball(ctx, x, 7, 11)), "give a smaller radius", func() error { return is(ball(ctx, x, 4, 11)) }},
		{"a radius of 0", is(Ball(ctx, x, 0)), "it must be positive and finite", func() error { return is(Ball(ctx, x, 1)) }},
		{"a negative length", geodesics(-1), "lengths must be finite and ≥ 0", func() error { return geodesics(0) }},
		{"a source too many", landmark(4), "source 4 is not a sample from 0 to 3", func() error { return landmark(3) }},
		{"a negative weight", diffuse(-1, 1, 0, -1), "weights must be finite and ≥ 0", func() error { return diffuse(0, 1, 0, -1) }},
		{"a label too few", diffuse(1, 1, 0), "give one for each sample", func() error { return diffuse(1, 1, 0, -1) }},
		{"negative steps", diffuse(1, -1, 0, -1), "give 0 or more", func() error { return diffuse(1, 0, 0, -1) }},
		{"labels for nobody", diffuse(1, 1, -1, -1), "give at least one sample a class number of 0 or more", func() error { return diffuse(1, 1, 0, -1) }},
		{"a class of large number", diffuse(1, 1, 1<<31-1, -1), "number the classes from 0 without gaps", func() error { return diffuse(1, 1, 0, -1) }},
		{"a row of zeros", is(Query(ctx, plane, plane, 1, Cosine)), "remove the row", func() error { return is(Query(ctx, nonzero, nonzero, 1, Cosine)) }},
		{"a negative latitude too far", by(Haversine, mat.NewDense(3, 2, []float64{100, 0, 1, 1, 2, 2})), "give latitude and longitude in degrees", func() error { return by(Haversine, mat.NewDense(3, 2, []float64{80, 0, 1, 1, 2, 2})) }},
		{"three columns on the sphere", by(Haversine, mat.NewDense(3, 3, nil)), "keep the columns of latitude and longitude, in this order", func() error { return by(Haversine, mat.NewDense(3, 2, nil)) }},
		{"a constant feature", by(Mahalanobis, mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 4})), "remove the feature", func() error { return by(Mahalanobis, mat.NewDense(3, 1, []float64{0, 1, 4})) }},
		{"a constant feature, otherwise", by(Mahalanobis, mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 4})), "or use the Euclidean metric", func() error { return by(Euclidean, mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 4})) }},
		{"a feature twice", by(Mahalanobis, mat.NewDense(3, 2, []float64{0, 0, 1, 1, 4, 4})), "or use the Euclidean metric", func() error { return by(Euclidean, mat.NewDense(3, 2, []float64{0, 0, 1, 1, 4, 4})) }},
		{"negative shares", by(Hellinger, mat.NewDense(3, 2, []float64{-1, 2, 1, 1, 4, 4})), "give counts or shares", func() error { return by(Hellinger, mat.NewDense(3, 2, []float64{1, 2, 1, 1, 4, 4})) }},
		{"shares of zeros", by(Hellinger, mat.NewDense(3, 2, []float64{0, 0, 1, 1, 4, 4})), "remove the row", func() error { return by(Hellinger, mat.NewDense(2, 2, []float64{1, 1, 4, 4})) }},
		{"a negative distance to a sample", is(QueryOf(ctx, mat.NewDense(1, 2, []float64{-1, 2}), 1)), "give finite distances ≥ 0 to the training samples", func() error { return is(QueryOf(ctx, mat.NewDense(1, 2, []float64{1, 2}), 1)) }},
		{"an infinite distance to a sample", is(QueryOf(ctx, mat.NewDense(1, 2, []float64{math.Inf(1), 2}), 1)), "give finite distances ≥ 0 to the training samples", func() error { return is(QueryOf(ctx, mat.NewDense(1, 2, []float64{1, 2}), 1)) }},
		{"one sample without pairs", is(HalfMedianOf(mat.NewSymDense(1, nil))), "give at least 2", func() error { return is(HalfMedianOf(mat.NewSymDense(2, []float64{0, 1, 1, 0}))) }},
		{"too many neighbours of sparse rows", sparseBy(1, 4, Euclidean), "k must lie between 1 and 3", func() error { return sparseBy(1, 3, Euclidean) }},
		{"a metric of dense rows", sparseBy(1, 1, Manhattan), "use the Euclidean, cosine or Jaccard metric", func() error {
			return errors.Join(sparseBy(1, 1, Euclidean), sparseBy(1, 1, Cosine), sparseBy(1, 1, Jaccard))
		}},
		{"sparse rows that overflow", sparseBy(1e200, 1, Euclidean), "scale the features first", func() error { return sparseBy(1, 1, Euclidean) }},
		{"a sparse row of zeros", sparseBy(0, 1, Cosine), "remove the row", func() error { return sparseBy(1, 1, Cosine) }},
		{"a row of zeros, otherwise", is(Query(ctx, plane, plane, 1, Cosine)), "or use the Euclidean metric", func() error { return is(Query(ctx, plane, plane, 1, Euclidean)) }},
		{"as many neighbours as samples", search(4, SearchOptions{}), "k must lie between 1 and 3", func() error { return search(3, SearchOptions{}) }},
		{"a neighbour of one sample", is(Search(ctx, mat.NewDense(1, 1, nil), 1, SearchOptions{})), "k = 1 for 1 sample; give more samples", func() error { return is(Search(ctx, mat.NewDense(2, 1, nil), 1, SearchOptions{})) }},
		{"two neighbours among two samples", is(Search(ctx, mat.NewDense(2, 1, nil), 2, SearchOptions{})), "k = 2 for 2 samples; k must be 1", func() error { return is(Search(ctx, mat.NewDense(2, 1, nil), 1, SearchOptions{})) }},
		{"a metric that is none", search(1, SearchOptions{Metric: 99}), "use one of euclidean, cosine", func() error { return search(1, SearchOptions{Metric: Euclidean}) }},
		{"a recall of 2", search(1, SearchOptions{Method: Approximate, Recall: 2}), "give a share between 0 and 1", func() error { return search(1, SearchOptions{Method: Approximate, Recall: 0.9}) }},
		{"a recall of 2, otherwise", search(1, SearchOptions{Method: Approximate, Recall: 2}), "or search exactly", func() error { return search(1, SearchOptions{Method: Exact}) }},
		{"more neighbours than samples", is(Query(ctx, x, x, 5, Euclidean)), "k must lie between 1 and 4", func() error { return is(Query(ctx, x, x, 4, Euclidean)) }},
		{"squares that overflow", is(Search(ctx, huge, 1, SearchOptions{Method: Exact})), "scale the features first", func() error { return is(Search(ctx, small, 1, SearchOptions{Method: Exact})) }},
		{"a gap", is(Search(ctx, mat.NewDense(3, 1, []float64{0, math.NaN(), 1}), 1, SearchOptions{Method: Exact})), "remove or fill in such values", func() error {
			return is(Search(ctx, mat.NewDense(3, 1, []float64{0, 0.5, 1}), 1, SearchOptions{Method: Exact}))
		}},
		{"one sample", is(MeanDistance(ctx, mat.NewDense(1, 1, nil))), "give at least 2", func() error { return is(MeanDistance(ctx, mat.NewDense(2, 1, nil))) }},
		{"one sample without a width", is(HalfMedian(ctx, mat.NewDense(1, 1, nil), Euclidean)), "1 sample has no pairwise distances; give at least 2", func() error { return is(HalfMedian(ctx, mat.NewDense(2, 1, []float64{0, 1}), Euclidean)) }},
	}
	advicetest.Everywhere(t, []string{"."}, nil, cases)
	advicetest.Agree(t, cases)
}
