package stage

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
)

// variance returns the sum of the variances of the columns.
func variance(x *mat.Dense) float64 {
	_, d := x.Dims()
	sum := 0.0
	for j := range d {
		sum += stat.Variance(mat.Col(nil, j, x), nil)
	}
	return sum
}

// spreadKept returns the variance of the embedding y divided by the variance of the data x.
func spreadKept(x, y *mat.Dense) float64 { return variance(y) / variance(x) }

// sameGroup returns the share of samples whose nearest other sample in the embedding belongs to the
// same group.
func sameGroup(y *mat.Dense, class []int) float64 {
	near, err := metrics.LeaveOneOut(y, class)
	if err != nil {
		return math.NaN()
	}
	same := 0.0
	for i, c := range near {
		if c == class[i] {
			same++
		}
	}
	return same / float64(len(class))
}

// keptNeighbors returns the mean share of kept neighbours, see keptOf.
func keptNeighbors(x, y *mat.Dense) float64 {
	each, err := keptOf(context.Background(), x, y)
	if err != nil {
		return math.NaN()
	}
	return stat.Mean(each, nil)
}

// keptOf returns, for each sample, the share of its 15 nearest neighbours in x that are also among
// its 15 nearest in y. If there are n < 31 samples, it compares (n−1)/2 neighbours instead of 15.
func keptOf(ctx context.Context, x, y *mat.Dense) ([]float64, error) {
	n, _ := x.Dims()
	return metrics.Reliability(ctx, x, y, min(15, (n-1)/2))
}
