package align

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// DoubleCenter replaces the distances D by −½PD²P, where D² holds the squared distances and P = I −
// 11ᵀ/n. It returns the row means of the squared distances.
func DoubleCenter(d *mat.SymDense) []float64 {
	raw := d.RawSymmetric()
	n := raw.N
	middle, all := make([]float64, n), 0.0
	for i := range n {
		row := raw.Data[i*raw.Stride : i*raw.Stride+n]
		for c := i; c < n; c++ {
			row[c] *= row[c]
			middle[i] += row[c]
			if c > i {
				middle[c] += row[c]
			}
		}
	}
	for i := range middle {
		middle[i] /= float64(n)
		all += middle[i] / float64(n)
	}
	for i := range n {
		row := raw.Data[i*raw.Stride : i*raw.Stride+n]
		for c := i; c < n; c++ {
			row[c] = -(row[c] - middle[i] - middle[c] + all) / 2
		}
	}
	return middle
}

// MostExponent is the largest exponent d²/β that [SupervisedDissimilarity] uses between classes.
// Dissimilarities between classes are thus at most e¹⁵ ≈ 3·10⁶, and those within a class at most 1.
// In a sum of squares of both kinds, the dissimilarities within a class then keep at least three
// digits.
const MostExponent = 30

// SupervisedDissimilarity returns a function of the distance d between two samples and of their
// labels a and b. Its value is √(1 − exp(−d²/β)) within a class, exp(d²/(2β)) − α between classes,
// and d/√β if a label is unknown. Between classes, d²/β is limited to [MostExponent].
func SupervisedDissimilarity(beta, alpha float64) func(d float64, a, b int) float64 {
	return func(d float64, a, b int) float64 {
		u := d * d / beta
		switch {
		case a == data.Unlabelled || b == data.Unlabelled:
			return d / math.Sqrt(beta)
		case a == b:
			return math.Sqrt(-math.Expm1(-u))
		}
		return math.Exp(min(u, MostExponent)/2) - alpha
	}
}
