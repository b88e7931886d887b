package metrics

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestTargetR2(t *testing.T) {
	// By hand: the two nearest known samples of sample 1 are 0 and 2, those of 9 are 8 and 10 or 2.
	y := mat.NewDense(6, 1, []float64{0, 1, 2, 8, 9, 10})
	target := []float64{1, 4, 3, 5, 6, math.NaN()}
	known := []bool{true, false, true, true, false, true}
	// 1 → (1+3)/2 = 2, 9 → (5+3)/2 = 4: errors 4 + 4, variance 1 + 1.
	got, err := TargetR2(y, target, known, 2)
	if err != nil || math.Abs(got-(1-8.0/2)) > 1e-14 {
		t.Errorf("%v, %v", got, err)
	}
	// All three known samples: 3 for both.
	if got, err = TargetR2(y, target, known, 10); err != nil || math.Abs(got-(1-(1+9)/2.0)) > 1e-14 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err = nearestOfKnown(y, target, known); err != nil || got != 1 {
		t.Errorf("%v, %v", got, err)
	}
	for want, f := range map[error]func() (float64, error){
		ErrShape:     func() (float64, error) { return TargetR2(y, target[:3], known, 2) },
		ErrNotFinite: func() (float64, error) { return RSquared([]float64{1, math.NaN()}, []float64{1, 2}) },
	} {
		if _, err := f(); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	all := slices.Repeat([]bool{true}, 6)
	for _, f := range []func() (float64, error){
		func() (float64, error) { return TargetR2(y, target, all, 2) },
		func() (float64, error) { return TargetR2(y, target, make([]bool, 6), 2) },
		func() (float64, error) { return TargetR2(y, target, known, 0) },
		func() (float64, error) { return RSquared([]float64{2, 2}, []float64{1, 2}) },
		func() (float64, error) { return RankCorrelation([]float64{2, 2}, []float64{1, 2}) },
	} {
		if _, err := f(); !errors.Is(err, ErrOption) {
			t.Errorf("%v, want %v", err, ErrOption)
		}
	}
}

// nearestOfKnown is the R² of predicting each known value by the single nearest known sample.
func nearestOfKnown(y *mat.Dense, target []float64, known []bool) (float64, error) {
	var at, values []float64
	for i, v := range target {
		if known[i] && v == v {
			at, values = append(at, y.At(i, 0)), append(values, v)
		}
	}
	x := mat.NewDense(len(at), 1, at)
	p, err := NearestMean(x, values, x, 1)
	if err != nil {
		return 0, err
	}
	return RSquared(values, p)
}

func TestRankCorrelation(t *testing.T) {
	a := []float64{3, 1, 4, 1, 5}
	for want, b := range map[float64][]float64{1: {30, 10, 40, 10, 500}, -1: {-3, 9, -4, 9, -50}} {
		if got, err := RankCorrelation(a, b); err != nil || math.Abs(got-want) > 1e-14 {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	// Ranks 0 1 2 and 0 2 1: 1 − 6·2/(3·8).
	if got, err := RankCorrelation([]float64{1, 2, 3}, []float64{1, 9, 5}); err != nil || math.Abs(got-0.5) > 1e-14 {
		t.Errorf("%v, %v", got, err)
	}
}
