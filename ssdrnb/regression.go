package ssdrnb

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
)

// The regressions onto class indicators that LapRLS/L, FME and LMRAG share. With
// Y (l×c) the indicators of the labelled samples, H the centring over these, and μ
// their mean: X·H·Xᵀ is their total scatter, and column k of X·H·Yᵀ is l_k(μ_k − μ).

// targets returns X·H·Yᵀ, r×c.
func (s *scatter) targets() *mat.Dense {
	t := mat.DenseCopyOf(s.centers.T())
	r, c := t.Dims()
	for k := range c {
		f := math.Sqrt(float64(s.counts[k]))
		for i := range r {
			t.Set(i, k, f*t.At(i, k))
		}
	}
	return t
}

// intercept returns b = (1/l)(Y − WᵀX)U·1, which makes the labelled residuals of
// the projection w sum to 0.
func (s *scatter) intercept(w *mat.Dense) []float64 {
	l := 0
	for _, count := range s.counts {
		l += count
	}
	b := make([]float64, len(s.counts))
	for k, count := range s.counts {
		b[k] = float64(count) / float64(l)
		for i, m := range s.center {
			b[k] -= m * w.At(i, k)
		}
	}
	return b
}

// misfit returns the sum over the labelled rows of |y_i − indicator_i|².
func (s *scatter) misfit(y *mat.Dense, labels []int) float64 {
	column := map[int]int{}
	for k, class := range s.classes {
		column[class] = k
	}
	sum := 0.0
	for i, l := range labels {
		k, ok := column[l]
		if !ok {
			continue
		}
		for q, v := range y.RawRowView(i) {
			if q == k {
				v--
			}
			sum += v * v
		}
	}
	return sum
}

// solvePositive returns m⁻¹·b for a symmetric m whose eigenvalues are positive and
// at least floor but for rounding: by Cholesky with a step of refinement, and where
// m is too ill-conditioned for that by eigenvalues, none of them taken to be below
// floor or the rounding of the largest.
func solvePositive(m *mat.SymDense, floor float64, b *mat.Dense) (*mat.Dense, error) {
	var chol mat.Cholesky
	if chol.Factorize(m) {
		var x, rest, step mat.Dense
		if chol.SolveTo(&x, b) == nil {
			rest.Mul(m, &x)
			rest.Sub(b, &rest)
			if chol.SolveTo(&step, &rest) == nil {
				x.Add(&x, &step)
			}
			return &x, nil
		}
	}
	values, vectors, err := blas.EigenSym(m)
	if err != nil {
		return nil, err
	}
	floor = max(floor, values[len(values)-1]*0x1p-52)
	var t, x mat.Dense
	t.Mul(vectors.T(), b)
	for k, v := range values {
		row := t.RawRowView(k)
		for i := range row {
			row[i] /= max(v, floor)
		}
	}
	x.Mul(vectors, &t)
	return &x, nil
}
