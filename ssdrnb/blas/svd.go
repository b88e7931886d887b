package blas

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// SVDThin factorises the m×n matrix a as u·diag(values)·vᵀ with k = min(m, n)
// singular values, falling, and orthonormal columns in u (m×k) and v (n×k). a is
// not changed.
func SVDThin(a *mat.Dense) (u *mat.Dense, values []float64, v *mat.Dense, err error) {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return nil, nil, nil, fmt.Errorf("%w: singular values", ErrNoConvergence)
	}
	u, v = new(mat.Dense), new(mat.Dense)
	svd.UTo(u)
	svd.VTo(v)
	return u, svd.Values(nil), v, nil
}
