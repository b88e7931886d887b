package metrics_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// Following the advice of each error gives a result.
func TestRemedies(t *testing.T) {
	ctx, x := context.Background(), mat.NewDense(6, 1, []float64{0, 1, 3, 7, 8, 12})
	is := func(_ any, err error) error { return err }
	calibration := func(probability []float64, right []bool, bins int) error {
		_, _, err := metrics.Calibration(probability, right, bins)
		return err
	}
	silhouette := func(classes ...int) error { _, _, err := metrics.Silhouette(ctx, x, classes); return err }
	rnx := func(x *mat.Dense) error { _, _, err := metrics.RNX(ctx, x, x); return err }
	islands := func(y *mat.Dense, least int) error { _, _, err := metrics.Islands(ctx, y, least); return err }
	part := func(n int) *mat.Dense { return mat.DenseCopyOf(x.Slice(0, n, 0, 1)) }
	tiny := mat.NewDense(6, 1, []float64{0, 1e-200, 3e-200, 7e-200, 8e-200, 12e-200})
	cases := []advicetest.Case{
		{"labels for some", is(metrics.CohenKappa([]int{0, 1}, []int{0})), "give both the same number of labels, at least one", func() error { return is(metrics.CohenKappa([]int{0, 1}, []int{0, 1})) }},
		{"clusters for some", is(metrics.NMI([]int{0, 1}, []int{0})), "give a class and a cluster for every sample", func() error { return is(metrics.NMI([]int{0, 1}, []int{0, 1})) }},
		{"results for some", calibration([]float64{0.5, 1}, []bool{true}, 1), "give one of each per prediction", func() error { return calibration([]float64{0.5, 1}, []bool{true, false}, 1) }},
		{"no bins", calibration([]float64{0.5}, []bool{true}, 0), "give at least 1 bin, and at most one per prediction", func() error { return calibration([]float64{0.5}, []bool{true}, 1) }},
		{"a probability of 2", calibration([]float64{2}, []bool{true}, 1), "it must lie between 0 and 1", func() error { return calibration([]float64{1}, []bool{true}, 1) }},
		{"labels for some rows", is(metrics.NearestNeighbor(x, []int{0}, part(1))), "1 label for 6 rows, but each row must have one", func() error { return is(metrics.NearestNeighbor(x, []int{0, 0, 0, 1, 1, 1}, part(1))) }},
		{"no known class", is(metrics.NMI([]int{-1, -1}, []int{0, 1})), "no class is known among 2 samples, but at least one is needed", func() error { return is(metrics.NMI([]int{0, -1}, []int{0, 1})) }},
		{"one class", silhouette(0, 0, 0, 0, 0, 0), "at least two are needed", func() error { return silhouette(0, 0, 0, 1, 1, 1) }},
		{"two samples", rnx(part(2)), "at least 3 are needed", func() error { return rnx(part(3)) }},
		{"two samples and one", is(metrics.Kept(ctx, part(2), part(1))), "the two numbers must be equal and at least 3", func() error { return is(metrics.Kept(ctx, part(3), part(3))) }},
		{"half of the samples", is(metrics.Trustworthiness(ctx, x, x, 3)), "k must be at least 1 and below half the number of samples", func() error { return is(metrics.Trustworthiness(ctx, x, x, 2)) }},
		{"an infinity", is(metrics.Trustworthiness(ctx, mat.NewDense(6, 1, []float64{0, 1, 3, 7, 8, math.Inf(1)}), x, 2)), "squared distances overflow or are undefined", func() error { return is(metrics.Trustworthiness(ctx, x, x, 2)) }},
		{"squares that underflow", is(metrics.LeaveOneOut(tiny, make([]int, 6))), "multiply all rows by the same large factor", func() error {
			tiny.Scale(1e200, tiny)
			return is(metrics.LeaveOneOut(tiny, make([]int, 6)))
		}},
		{"two samples have no islands", islands(part(2), 1), "give at least 3 samples", func() error { return islands(part(3), 1) }},
		{"values for some", is(metrics.NearestMean(x, []float64{1}, x, 1)), "give a value for each row", func() error { return is(metrics.NearestMean(x, make([]float64, 6), x, 1)) }},
		{"a query of two columns", is(metrics.NearestMean(x, make([]float64, 6), mat.NewDense(1, 2, nil), 1)), "give queries with as many columns as the rows have", func() error { return is(metrics.NearestMean(x, make([]float64, 6), mat.NewDense(1, 1, nil), 1)) }},
		{"the mean of none", is(metrics.NearestMean(x, make([]float64, 6), x, 0)), "k must be at least 1", func() error { return is(metrics.NearestMean(x, make([]float64, 6), x, 1)) }},
		{"no clusters", is(metrics.KMeans(ctx, x, 0, metrics.KMeansOptions{})), "k must lie between 1 and the number of samples", func() error { return is(metrics.KMeans(ctx, x, 6, metrics.KMeansOptions{})) }},
	}
	advicetest.Everywhere(t, []string{"."}, map[string]string{}, cases)
	advicetest.Agree(t, cases)
}
