package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// RSquared returns 1 − Σ(t − p)²/Σ(t − mean t)² for the true values t and the predictions p: the
// share of the variance of t that p explains. It is 1 if t and p are equal, 0 if every prediction
// is the mean of t, and negative for worse predictions. All values must be finite, and t must
// contain two different values.
func RSquared(truth, predicted []float64) (float64, error) {
	if err := sameLength(truth, predicted); err != nil {
		return 0, err
	}
	least, most := slices.Min(truth), slices.Max(truth)
	if len(truth) == 1 {
		return 0, fmt.Errorf("%w: there is only one true value, but at least two are needed", ErrOption)
	}
	if least == most {
		return 0, fmt.Errorf("%w: all %d true values are equal, but at least two must differ", ErrOption, len(truth))
	}
	m, unit := mean(truth), samples.Unit(most/2-least/2)
	errors, total := 0.0, 0.0
	for i, t := range truth {
		e, d := t*unit-predicted[i]*unit, t*unit-m*unit
		errors += e * e
		total += d * d
	}
	return 1 - errors/total, nil
}

// RankCorrelation returns Spearman's ρ, in [−1, 1], of two lists of finite values. Equal values
// share the mean of their ranks. Each list must contain two different values.
func RankCorrelation(a, b []float64) (float64, error) {
	if err := sameLength(a, b); err != nil {
		return 0, err
	}
	if len(a) == 1 {
		return 0, fmt.Errorf("%w: each list has only one value, but at least two are needed", ErrOption)
	}
	rho := correlation(meanRanks(a), meanRanks(b))
	if math.IsNaN(rho) {
		return 0, fmt.Errorf("%w: all %d values of a list are equal, but at least two must differ", ErrOption, len(a))
	}
	return rho, nil
}

func sameLength(a, b []float64) error {
	if len(a) != len(b) || len(a) == 0 {
		return fmt.Errorf("%w: one list has %d values and the other %d, but both need the same number, at least one", ErrShape, len(a), len(b))
	}
	for _, list := range [][]float64{a, b} {
		for i, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%w: value %d is %v, but must be finite", ErrNotFinite, i, v)
			}
		}
	}
	return nil
}

// NearestMean returns, for each row of `queries`, the mean value of its k nearest rows of `train`,
// or of all rows if there are fewer than k. Distances are Euclidean; among equally near rows, the
// lower indices win. train is m×d and queries q×d; values holds one finite value per row of train.
func NearestMean(train *mat.Dense, values []float64, queries *mat.Dense, k int) ([]float64, error) {
	if err := given(train, queries); err != nil {
		return nil, err
	}
	m, d := train.Dims()
	q, c := queries.Dims()
	if len(values) != m {
		return nil, fmt.Errorf("%w: %s for %s; give a value for each row", ErrShape, nouns.Count(len(values), "value"), nouns.Count(m, "row"))
	}
	if c != d {
		return nil, fmt.Errorf("%w: queries have %s, but rows have %d; give queries with as many columns as the rows have", ErrShape, nouns.Count(c, "column"), d)
	}
	if k < 1 {
		return nil, fmt.Errorf("%w: k = %d nearest rows; k must be at least 1", ErrOption, k)
	}
	if err := sameLength(values, values); err != nil {
		return nil, err
	}
	if err := measurable(train); err != nil {
		return nil, err
	}
	near, err := graph.Query(context.Background(), train, queries, min(k, m), graph.Euclidean)
	if err != nil {
		return nil, err
	}
	out := make([]float64, q)
	for i := range out {
		index, _ := near.Of(i)
		for _, j := range index {
			out[i] += values[j] / float64(len(index))
		}
	}
	return out, nil
}

// TargetR2 measures how well the hidden values of a target can be predicted from the known ones in
// an embedding y (n×d). It is the [RSquared] of the hidden values, each predicted by [NearestMean]
// from the k nearest known samples. target holds the n true values; samples with NaN are excluded.
// known marks the samples whose value was given to the method. Both known and hidden samples are
// required.
func TargetR2(y *mat.Dense, target []float64, known []bool, k int) (float64, error) {
	if err := given(y); err != nil {
		return 0, err
	}
	n, _ := y.Dims()
	if len(target) != n || len(known) != n {
		return 0, fmt.Errorf("%w: there are %d samples, but %d values and %d flags for known values, instead of one of each per sample", ErrShape, n, len(target), len(known))
	}
	var rows, hidden []int
	var values, truth []float64
	for i, v := range target {
		switch {
		case math.IsNaN(v):
		case known[i]:
			rows, values = append(rows, i), append(values, v)
		default:
			hidden, truth = append(hidden, i), append(truth, v)
		}
	}
	if rows == nil || hidden == nil {
		return 0, fmt.Errorf("%w: %d values are known and %d are hidden, but at least one of each is needed", ErrOption, len(rows), len(hidden))
	}
	predicted, err := NearestMean(samples.Pick(y, rows), values, samples.Pick(y, hidden), k)
	if err != nil {
		return 0, err
	}
	return RSquared(truth, predicted)
}
