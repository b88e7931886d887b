package metrics

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Scores are the same in any unit. If the squares of all distances underflow, they are an error.
func TestScoresInAnyUnit(t *testing.T) {
	ctx := context.Background()
	x := mat.NewDense(8, 2, []float64{0, 0, 1, 2, 2, 1, 4, 0, 9, 1, 8, 8, 7, 3, 6, 7})
	y := mat.NewDense(8, 1, []float64{0, 2, 1, 3, 8, 7, 9, 6})
	classes := []int{0, 0, 0, 0, 1, 1, 1, 1}
	known := []bool{true, false, true, false, true, false, true, false}
	target := []float64{1, 4, 3, 5, 6, 2, 8, 7}
	first := func(v float64, _ []float64, err error) (float64, error) { return v, err }
	mean := func(v []float64, err error) (float64, error) {
		sum := 0.0
		for _, s := range v {
			sum += s
		}
		return sum, err
	}
	count := func(v []int, err error) (float64, error) {
		sum := 0
		for i, c := range v {
			sum += i * c
		}
		return float64(sum), err
	}
	for name, score := range map[string]func(x *mat.Dense) (float64, error){
		"Trustworthiness":      func(x *mat.Dense) (float64, error) { return Trustworthiness(ctx, x, y, 2) },
		"Continuity":           func(x *mat.Dense) (float64, error) { return Continuity(ctx, y, x, 2) },
		"RNX":                  func(x *mat.Dense) (float64, error) { _, area, err := RNX(ctx, y, x); return area, err },
		"TripletAccuracy":      func(x *mat.Dense) (float64, error) { return TripletAccuracy(ctx, x, y, 5, 1) },
		"ShepardCorrelation":   func(x *mat.Dense) (float64, error) { return ShepardCorrelation(ctx, y, x, 1) },
		"Reliability":          func(x *mat.Dense) (float64, error) { return mean(Reliability(ctx, x, y, 3)) },
		"Kept":                 func(x *mat.Dense) (float64, error) { k, err := Kept(ctx, x, y); return k.Share, err },
		"Silhouette":           func(x *mat.Dense) (float64, error) { return first(Silhouette(ctx, x, classes)) },
		"LabelTrustworthiness": func(x *mat.Dense) (float64, error) { return LabelTrustworthiness(x, y, classes) },
		"LabelContinuity":      func(x *mat.Dense) (float64, error) { return LabelContinuity(y, x, classes) },
		"NeighborhoodHit":      func(x *mat.Dense) (float64, error) { return first(NeighborhoodHit(ctx, x, classes, 3)) },
		"Islands":              func(x *mat.Dense) (float64, error) { of, _, err := Islands(ctx, x, 2); return count(of, err) },
		"LeaveOneOut":          func(x *mat.Dense) (float64, error) { return count(LeaveOneOut(x, classes)) },
		"NearestNeighbor":      func(x *mat.Dense) (float64, error) { return count(NearestNeighbor(x, classes, x)) },
		"NearestNeighborPath":  func(x *mat.Dense) (float64, error) { return mean(NearestNeighborPath(x, classes, x, classes)) },
		"NearestMean":          func(x *mat.Dense) (float64, error) { return mean(NearestMean(x, target, x, 2)) },
		"TargetR2":             func(x *mat.Dense) (float64, error) { return TargetR2(x, target, known, 2) },
		"KMeans": func(x *mat.Dense) (float64, error) {
			c, err := KMeans(ctx, x, 2, KMeansOptions{Starts: 3})
			if err != nil {
				return 0, err
			}
			return count(c.Labels, nil)
		},
	} {
		want, err := score(x)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, unit := range []float64{0x1p-490, 0x1p-520, 0x1p-570, 0x1p-1000, 0x1p490} {
			var other mat.Dense
			other.Scale(unit, x)
			got, err := score(&other)
			if 9*unit < 1e-150 {
				if !errors.Is(err, ErrOption) {
					t.Errorf("%s in units of %v: %v, %v", name, unit, got, err)
				}
			} else if err != nil || math.Abs(got-want) > 1e-12 {
				t.Errorf("%s in units of %v: %v, want %v; %v", name, unit, got, want, err)
			}
		}
	}
}

// R² does not depend on the unit of the values, nor on an offset.
func TestRSquaredInAnyUnit(t *testing.T) {
	truth, predicted := []float64{1, 2, 4, 3, -6, 0}, []float64{1.5, 2, 3, 3.5, -5, 1}
	want, err := RSquared(truth, predicted)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-310, 1e-200, 1e-160, 1e-10, 1e160, 1e200, 2.9e307} {
		a, b := make([]float64, len(truth)), make([]float64, len(truth))
		for i, v := range truth {
			a[i], b[i] = v*unit, predicted[i]*unit
		}
		if got, err := RSquared(a, b); err != nil || !(math.Abs(got-want) < 1e-10) {
			t.Errorf("in units of %v: %v, want %v; %v", unit, got, want, err)
		}
	}
	for _, v := range []float64{0.1, 1e200, 1e-200, -0.7} {
		same := make([]float64, 30)
		for i := range same {
			same[i] = v
		}
		if got, err := RSquared(same, make([]float64, 30)); !errors.Is(err, ErrOption) {
			t.Errorf("30 values of %v: %v, %v", v, got, err)
		}
	}
}
