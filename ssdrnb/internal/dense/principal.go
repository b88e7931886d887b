package dense

import (
	"math"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
)

// Center returns the column means of x and a centred copy.
func Center(x *mat.Dense) (mean []float64, c *mat.Dense) {
	n, features := x.Dims()
	mean = make([]float64, features)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			mean[j] += v
		}
	}
	for j := range mean {
		mean[j] /= float64(n)
	}
	samples.SetConstants(mean, x)
	return mean, samples.Minus(x, mean)
}

// Principal returns the eigenvalues of cᵀc in descending order, and orthonormal eigenvectors as
// columns, for a centred n×D matrix c. It decomposes the smaller of cᵀc and c·cᵀ. For D > n, it
// returns only eigenvalues above the rounding level, but at least one.
func Principal(c *mat.Dense) (values []float64, basis *mat.Dense, err error) {
	n, features := c.Dims()
	if features <= n {
		gram := mat.NewSymDense(features, nil)
		gram.SymOuterK(1, c.T())
		ascending, vectors, err := blas.EigenSym(gram)
		if err != nil {
			return nil, nil, err
		}
		return Reversed(ascending), ReversedColumns(vectors), nil
	}
	gram := mat.NewSymDense(n, nil)
	gram.SymOuterK(1, c)
	ascending, vectors, err := blas.EigenSym(gram)
	if err != nil {
		return nil, nil, err
	}
	values, u := Reversed(ascending), ReversedColumns(vectors)
	// For unit eigenvectors u of c·cᵀ, the columns cᵀu have length √λ. Columns with λ at the
	// rounding level are dropped.
	rank := 0
	for rank < n && values[rank] > values[0]*4*float64(features)*0x1p-52 {
		rank++
	}
	rank = max(rank, 1)
	basis = mat.NewDense(features, rank, nil)
	basis.Mul(c.T(), u.Slice(0, n, 0, rank))
	for k := range rank {
		scale := 0.0
		if values[k] > 0 {
			scale = 1 / math.Sqrt(values[k])
		}
		for i := range features {
			basis.Set(i, k, basis.At(i, k)*scale)
		}
	}
	// Columns with small λ lose orthogonality in proportion to ε·λ₁/λ. One step of Cholesky QR
	// restores it.
	Orthonormalise(basis)
	return values[:rank], basis, nil
}

// Orthonormalise makes nearly orthonormal columns of b orthonormal up to rounding: b ← b·R⁻¹ with
// bᵀb = RᵀR, one step of Cholesky QR. If the columns are linearly dependent, b stays unchanged.
func Orthonormalise(b *mat.Dense) {
	_, cols := b.Dims()
	gram := mat.NewSymDense(cols, nil)
	gram.SymOuterK(1, b.T())
	var chol mat.Cholesky
	if !chol.Factorize(gram) {
		return // the columns are not nearly orthonormal, and b stays unchanged
	}
	var r mat.TriDense
	chol.UTo(&r)
	blas64.Trsm(gonumblas.Right, gonumblas.NoTrans, 1, r.RawTriangular(), b.RawMatrix())
}

// Reversed returns v in reverse order. Negative entries, which are rounding errors, become 0.
func Reversed(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[len(v)-1-i] = max(x, 0)
	}
	return out
}

// ReversedColumns returns m with its columns in reverse order.
func ReversedColumns(m *mat.Dense) *mat.Dense {
	rows, cols := m.Dims()
	out := mat.NewDense(rows, cols, nil)
	for i := range rows {
		src, dst := m.RawRowView(i), out.RawRowView(i)
		for k := range cols {
			dst[cols-1-k] = src[k]
		}
	}
	return out
}
