package discriminant

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// PartialLeastSquares returns up to d projections W (r×d): the NIPALS components of centred samples
// x (m×r) for centred responses y (m×q). It also returns the share of the variance of y that each
// component explains. It returns fewer than d components if the deflated x explains no more of y,
// and nil if x explains nothing.
func PartialLeastSquares(x, y *mat.Dense, d int) (*mat.Dense, []float64) {
	x = mat.DenseCopyOf(x)
	m, r := x.Dims()
	_, q := y.Dims()
	v, p := mat.NewDense(r, d, nil), mat.NewDense(r, d, nil)
	total := mat.Norm(y, 2)
	var values []float64
	first := 0.0
	for k := range d {
		var xy mat.Dense
		xy.Mul(x.T(), y)
		w := leading(&xy, q)
		length := mat.Norm(w, 2)
		if k == 0 {
			first = length
		}
		if !(length > 1e-10*first) { // only rounding error is left
			break
		}
		w.ScaleVec(1/length, w)
		t := mat.NewVecDense(m, nil)
		t.MulVec(x, w)
		square := mat.Dot(t, t)
		load := mat.NewVecDense(r, nil)
		load.MulVec(x.T(), t)
		load.ScaleVec(1/square, load)
		x.RankOne(x, -1, t, load)
		v.SetCol(k, w.RawVector().Data)
		p.SetCol(k, load.RawVector().Data)
		explained := mat.NewVecDense(q, nil)
		explained.MulVec(y.T(), t)
		values = append(values, mat.Dot(explained, explained)/square/(total*total))
	}
	d = len(values)
	if d == 0 {
		return nil, nil
	}
	// W = V(PᵀV)⁻¹ for the weights V and loadings P. PᵀV is upper triangular with ones on the
	// diagonal, so substitution computes W in place.
	v = mat.DenseCopyOf(v.Slice(0, r, 0, d))
	for k := range d {
		load := p.ColView(k)
		for c := k + 1; c < d; c++ {
			f := mat.Dot(load, v.ColView(c))
			for i := range r {
				v.Set(i, c, v.At(i, c)-f*v.At(i, k))
			}
		}
	}
	return v, values
}

// leading returns the left singular vector of a (r×q) for its largest singular value, multiplied by
// this value.
func leading(a *mat.Dense, q int) *mat.VecDense {
	r, _ := a.Dims()
	out := mat.NewVecDense(r, nil)
	if q == 1 {
		out.CopyVec(a.ColView(0))
		return out
	}
	gram := mat.NewSymDense(q, nil)
	gram.SymOuterK(1, a.T())
	var e mat.EigenSym
	if !e.Factorize(gram, true) {
		return out
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	right := mat.Col(nil, q-1, &vectors)
	// The sign is arbitrary but must be the same on every processor.
	most := 0
	for k, v := range right {
		if math.Abs(v) > math.Abs(right[most])+1e-9 {
			most = k
		}
	}
	if right[most] < 0 {
		for k := range right {
			right[k] = -right[k]
		}
	}
	out.MulVec(a, mat.NewVecDense(q, right))
	return out
}
