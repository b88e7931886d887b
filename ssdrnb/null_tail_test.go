package ssdrnb

import (
	"math"
	"testing"
)

// With 1 degree of freedom Student's t-distribution is Cauchy's, and with 2 its tail has a closed
// form too.
func TestStudentTail(t *testing.T) {
	for _, x := range []float64{-30, -2, -0.3, 0, 0.3, 1, 2, 30, 1e6} {
		for nu, want := range map[float64]float64{
			1: math.Atan2(1, x) / math.Pi,
			2: 1 / (math.Sqrt(2+x*x) * (math.Sqrt(2+x*x) + x)),
		} {
			if got := studentTail(x, nu); math.Abs(got-want) > 1e-12*want {
				t.Errorf("tail of %v with %v degrees of freedom: %v instead of %v", x, nu, got, want)
			}
		}
	}
}
