package spectral

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// CommonRange returns an orthonormal basis (n×r) of the range of a + b: the directions in which the
// positive semidefinite n×n matrices a and b do not both vanish. It returns nil if this is the
// whole space, or if a + b is 0. Outside the range, a quotient of a and b is 0/0. Eigenvalues of at
// most 1e-12 times the largest count as 0.
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
	n, null := len(values), nullity(values)
	if null == 0 || null == n {
		return nil, nil
	}
	return mat.DenseCopyOf(vectors.Slice(0, n, null, n)), nil
}

// Restrict returns basisᵀ·a·basis, the restriction of the matrix a to the span of the columns of
// the n×r basis.
func Restrict(a *mat.SymDense, basis *mat.Dense) *mat.SymDense { return congruence(a, basis) }

// NullSpaceTop returns the d largest eigenvalues of the symmetric matrix a restricted to the null
// space of the positive semidefinite b, in descending order, with orthonormal vectors of that
// space. This is null-space LDA, and the limit of the trace-ratio problem of a and b + αI for α →
// 0. The null space is spanned by the eigenvectors of b with eigenvalues of at most 1e-12 times the
// largest; if b vanishes, it is the whole space. If it has fewer than d dimensions, the result has
// fewer columns; if it has none, the error wraps [ErrRegular].
func NullSpaceTop(a, b *mat.SymDense, d int) (*Pairs, error) {
	values, vectors, err := decompose(b)
	if err != nil {
		return nil, err
	}
	n, null := len(values), nullity(values)
	if d < 1 {
		return nil, fmt.Errorf("%w: d = %d dimensions, but d must be at least 1", ErrOption, d)
	}
	if null == 0 {
		return nil, fmt.Errorf("%w: all %d eigenvalues are above 1e-12 times the largest", ErrRegular, n)
	}
	z := mat.DenseCopyOf(vectors.Slice(0, n, 0, null))
	p, err := Top(congruence(a, z), min(d, null))
	if err != nil {
		return nil, err
	}
	w := mat.NewDense(n, min(d, null), nil)
	w.Mul(z, p.Vectors)
	FixSigns(w)
	p.Vectors = w
	return p, nil
}
