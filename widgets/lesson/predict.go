package lesson

import (
	"math"

	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// Noise is the standard deviation of one measurement in [Predict] and in the curves of the
// exercise "length".
const Noise = 0.1

// Predict returns the posterior mean and standard deviation of a smooth curve at each place in the
// argument at, given noisy measurements y of the curve at the places x. It is Gaussian process
// regression with mean 0 and the kernel exp(−(a−b)²/(2·length²)): the prior variance of the curve
// is 1, and values at distances up to about length are similar. Each measurement has the standard
// deviation [Noise]. deviation is the standard deviation of the curve; for a new measurement it is
// sqrt(deviation² + Noise²).
//
// Without measurements the mean is 0 and the deviation is 1. If x and y differ in length, if length
// is not a positive number, or if a value is not finite, all results are NaN. The cost is O(n³) for
// n measurements.
//
// Source: Rasmussen, Williams, "Gaussian Processes for Machine Learning", 2006, Algorithm 2.1.
func Predict(x, y []float64, length float64, at []float64) (mean, deviation []float64) {
	mean, deviation = make([]float64, len(at)), make([]float64, len(at))
	n := len(x)
	fail := func() ([]float64, []float64) {
		for i := range at {
			mean[i], deviation[i] = math.NaN(), math.NaN()
		}
		return mean, deviation
	}
	sum := length
	for _, list := range [][]float64{x, y, at} {
		for _, v := range list {
			sum += 0 * v // NaN if v is NaN or ±Inf
		}
	}
	if n != len(y) || !(length > 0) || math.IsNaN(sum) || math.IsInf(length, 0) {
		return fail()
	}
	process, err := stage.NewProcess(x, y, length, Noise)
	if err != nil {
		return fail()
	}
	for i, place := range at {
		mean[i], deviation[i] = process.At(place)
	}
	return mean, deviation
}
