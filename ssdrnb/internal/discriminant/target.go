package discriminant

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// Support for a numeric target in place of classes: slices of the target, and regressions on it.

// AutoSlices returns the number of slices for m known values: five values per slice, limited to 2 …
// 8 slices.
func AutoSlices(m int) int { return min(max(m/5, 2), 8) }

// Slices divides the values into h slices of nearly equal size in ascending order. It returns the
// number of each value's slice, counted from 0. Equal values share the slice of the first of them.
// Empty slices are left out (Li, "Sliced inverse regression", JASA 86, 1991).
func Slices(values []float64, h int) []int {
	m := len(values)
	ascending := order.By(m, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]int, m)
	number, last := -1, -1
	for place, k := range ascending {
		at := place * h / m
		if place > 0 && values[k] == values[ascending[place-1]] {
			at = last
		}
		if at != last {
			number, last = number+1, at
		}
		out[k] = number
	}
	return out
}

// Regression is a linear function of the coordinates of samples: z·W + Bias for the row z.
type Regression struct {
	W    *mat.Dense // r×1
	Bias float64
	// Rough is Wᵀ·term·W for the `term` of [RegressTarget]. Misfit is the sum of the squared
	// residuals of the known samples.
	Rough, Misfit float64
}

// RegressTarget returns the w and b that minimise |Zw + b − y|²/m + ambient·|w|² + wᵀ·term·w. Z
// holds the m rows of z with the given indices, and y holds the given values. normal is the
// spectrum of ZᵀHZ/m + term, where H subtracts the column means.
func RegressTarget(z *mat.Dense, rows []int, values []float64, normal *spectral.Spectrum, term *mat.SymDense, ambient float64) *Regression {
	m := float64(len(rows))
	known := samples.Pick(z, rows)
	mean := samples.Means(known)
	centre := 0.0
	for k, v := range values {
		centre += (v - centre) / float64(k+1)
	}
	y := mat.NewDense(len(rows), 1, nil)
	for k, v := range values {
		y.Set(k, 0, (v-centre)/m)
	}
	var right mat.Dense
	right.Mul(samples.Minus(known, mean).T(), y)
	out := &Regression{W: normal.Apply(func(v float64) float64 { return 1 / (v + ambient) }, &right), Bias: centre}
	w := out.W.RawMatrix().Data
	for k, v := range mean {
		out.Bias -= v * w[k]
	}
	vec := mat.NewVecDense(len(w), w)
	out.Rough = mat.Inner(vec, term, vec)
	for k := range rows {
		e := out.Bias - values[k]
		for c, v := range known.RawRowView(k) {
			e += v * w[c]
		}
		out.Misfit += e * e
	}
	return out
}

// Second returns the direction of largest variance of centred samples z (n×r) after w is projected
// out: r×1, of length 1 and orthogonal to w. It is nil for r = 1.
func Second(z *mat.Dense, w *mat.Dense) (*mat.Dense, error) {
	_, r := z.Dims()
	if r < 2 {
		return nil, nil
	}
	c := mat.NewSymDense(r, nil)
	c.SymOuterK(1, z.T())
	length := mat.Norm(w, 2)
	if length > 0 && !math.IsInf(length, 1) {
		u := mat.NewVecDense(r, nil)
		for k := range r {
			u.SetVec(k, w.At(k, 0)/length)
		}
		// For P = I − uuᵀ, PcP = c − u(cu)ᵀ − (cu)uᵀ + (uᵀcu)uuᵀ.
		cu := mat.NewVecDense(r, nil)
		cu.MulVec(c, u)
		inner := mat.Dot(u, cu)
		c.RankTwo(c, -1, u, cu)
		c.SymRankOne(c, inner, u)
	}
	top, err := spectral.Top(c, 1)
	if err != nil {
		return nil, err
	}
	return top.Vectors, nil
}
