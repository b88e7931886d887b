package lesson

import (
	"math"

	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// Noise is the standard deviation of one measurement in [Predict] and in the curves of the
// exercise "length".
const Noise = 0.1

// Predict is the best guess of a smooth curve that was measured at the places x with the values y:
// its mean and its standard deviation at the places at. It is regression by a Gaussian process
// with mean 0 and the kernel exp(−(a−b)²/(2·length²)), so the curve has height 1, and length is how far
// apart two places can be and still have similar values. Each measurement has the deviation
// [Noise]. deviation is that of the curve. A new measurement at the same place has the deviation
// sqrt(deviation² + Noise²).
//
// Without measurements the mean is 0 and the deviation 1. If x and y differ in length, if length is
// not a positive number, or if a value is not finite, all results are NaN. It takes O(n³) for n
// measurements.
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
			sum += 0 * v // NaN for NaN and ±Inf
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
