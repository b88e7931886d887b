package blas

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// ErrNoConvergence says that an eigenvalue iteration failed, as it does on
// matrices with NaN or infinities.
var ErrNoConvergence = errors.New("blas: the eigenvalue iteration did not converge")

// EigenSym returns all eigenvalues of the symmetric matrix a, rising, and
// orthonormal eigenvectors as the columns of an n×n matrix. a is not changed.
func EigenSym(a *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		return nil, nil, ErrNoConvergence
	}
	vectors = &mat.Dense{}
	e.VectorsTo(vectors)
	return e.Values(nil), vectors, nil
}
