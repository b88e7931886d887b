package graph

import (
	"fmt"
	"math"
	"slices"
)

// ProjectSimplex sets dst to the point of the simplex {s ≥ 0, Σs = 1} that is
// nearest to v (equation 13 of the adaptive-graph paper): s = max(v − θ, 0). dst
// has the length of v and may be v itself. The result is exact up to rounding and
// takes O(m log m) operations, for sorting.
//
// An empty v, a dst of another length, or a value that is NaN or +Inf gives an error;
// −Inf marks an entry that must be 0.
func ProjectSimplex(dst, v []float64) error {
	if len(v) == 0 || len(dst) != len(v) {
		return fmt.Errorf("%w: projection of %d numbers into %d; give at least one", ErrOption, len(v), len(dst))
	}
	top := math.Inf(-1)
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 1) {
			return fmt.Errorf("%w: number %d to project is %v", ErrNotFinite, i, x)
		}
		top = max(top, x)
	}
	if math.IsInf(top, -1) {
		return fmt.Errorf("%w: no number to project is finite", ErrNotFinite)
	}
	// Subtracting the largest value first does not change the result, except that
	// numbers around 1e8 keep their digits.
	u := make([]float64, len(v))
	for i, x := range v {
		dst[i] = x - top
		u[i] = -dst[i]
	}
	slices.Sort(u)
	theta := threshold(u)
	for i, x := range dst {
		dst[i] = max(x-theta, 0)
	}
	return nil
}

// threshold returns θ for the values −cost, where costs ascend from 0. It stops at
// the first cost that gets no weight; larger costs may be left out.
func threshold(costs []float64) float64 {
	sum, theta := 0.0, 0.0
	for j, c := range costs {
		sum -= c
		t := (sum - 1) / float64(j+1)
		if -c-t <= 0 {
			break
		}
		theta = t
	}
	return theta
}
