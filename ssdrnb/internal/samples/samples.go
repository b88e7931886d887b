// Package samples provides functions on matrices with one sample per row.
package samples

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// SquaredDistance returns ‖a − b‖². It sums squared differences, so that no digits are lost for
// near samples. a and b must have the same length. The result is bitwise equal on every processor:
// the conversion to float64 keeps compilers from fusing the product with the sum. Samples at equal
// distances on one processor thus have equal distances on all.
func SquaredDistance(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for k, v := range a {
		d := v - b[k]
		sum += float64(d * d)
	}
	return sum
}

// Unit returns a power of two that scales numbers of magnitude up to top, so that the square of the
// largest neither overflows nor underflows. Multiplication by this power is exact, except for
// numbers much smaller than top. The power is 1 if top is 0, infinite or NaN.
func Unit(top float64) float64 {
	_, exponent := math.Frexp(top)
	return math.Ldexp(1, max(-1000, min(1000, -exponent)))
}

// Mean returns the mean of v, which must not be empty. It adds differences from the first value, so
// that the mean of equal values is exactly this value, and so that an offset common to all values
// adds little rounding error.
func Mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += (x - v[0]) / float64(len(v))
	}
	return v[0] + sum
}

// MostMeasurable and LeastMeasurable are limits of magnitude: the squares of values between them,
// and sums of such squares, neither overflow nor underflow float64.
const MostMeasurable, LeastMeasurable = 1e150, 1e-150

// Extent returns the largest magnitude of a value of x, and the largest difference between a value
// and the first value in its column.
func Extent(x *mat.Dense) (largest, spread float64) {
	n, _ := x.Dims()
	for i := range n {
		first := x.RawRowView(0)
		for k, v := range x.RawRowView(i) {
			largest, spread = max(largest, math.Abs(v)), max(spread, math.Abs(v-first[k]))
		}
	}
	return largest, spread
}

// Means returns the mean of each column of x, n×d with n ≥ 1. The mean of a constant column is
// exactly its constant.
func Means(x *mat.Dense) []float64 {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		for k, v := range x.RawRowView(i) {
			mean[k] += v / float64(n)
		}
	}
	SetConstants(mean, x)
	return mean
}

// SetConstants sets mean[k] to the common value of column k of x, for each constant column. A
// computed mean may differ from this value by rounding, and a variance about such a mean is not 0.
func SetConstants(mean []float64, x *mat.Dense) {
	for _, k := range Constants(x) {
		mean[k] = x.At(0, k)
	}
}

// Constants returns those columns of x (n×d, n ≥ 1) whose values are all equal.
func Constants(x *mat.Dense) []int {
	n, d := x.Dims()
	first, columns := x.RawRowView(0), make([]int, d)
	for k := range columns {
		columns[k] = k
	}
	for i := 0; i < n && len(columns) > 0; i++ {
		row := x.RawRowView(i)
		columns = slices.DeleteFunc(columns, func(k int) bool { return row[k] != first[k] })
	}
	return columns
}

// Pick returns the given rows of y in the given order.
func Pick(y *mat.Dense, rows []int) *mat.Dense {
	_, d := y.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for k, i := range rows {
		out.SetRow(k, y.RawRowView(i))
	}
	return out
}

// Minus returns x (n×d) with the vector `mean` subtracted from every row.
func Minus(x *mat.Dense, mean []float64) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		row := out.RawRowView(i)
		for k, v := range x.RawRowView(i) {
			row[k] = v - mean[k]
		}
	}
	return out
}
