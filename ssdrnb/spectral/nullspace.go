package spectral

import (
	"gonum.org/v1/gonum/mat"
)

// CommonRange returns an orthonormal basis (n×r) of the directions in which the
// positive semidefinite matrices a and b of order n do not both vanish, the range
// of a + b; nil if that is everything. A quotient of a and b means nothing
// outside: it is 0/0 there. The bound is 1e-12 of the largest eigenvalue.
func CommonRange(a, b *mat.SymDense) (*mat.Dense, error) {
	sum := mat.NewSymDense(a.SymmetricDim(), nil)
	sum.AddSym(a, b)
	if err := finite(sum); err != nil {
		return nil, err
	}
	var chol mat.Cholesky
	if chol.Factorize(sum) && chol.Cond() < 1e-2/rankTolerance {
		return nil, nil
	}
	values, vectors, err := decompose(sum)
	if err != nil {
		return nil, err
	}
	n, null := len(values), 0
	for null < n && values[null] <= rankTolerance*values[n-1] {
		null++
	}
	if null == 0 || null == n {
		return nil, nil
	}
	return mat.DenseCopyOf(vectors.Slice(0, n, null, n)), nil
}

// Restrict returns basisᵀ·a·basis, the matrix a on the subspace that the n×r
// basis spans.
func Restrict(a *mat.SymDense, basis *mat.Dense) *mat.SymDense { return congruence(a, basis) }
