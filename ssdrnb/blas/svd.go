package blas

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/decompose"
	"github.com/ssdrnb/ssdrnb/ssdrnb/blas/internal/goblas"
)

// SVDThin factorises the m×n matrix a as u·diag(values)·vᵀ. With k = min(m, n), values holds the
// singular values in descending order, and u (m×k) and v (n×k) have orthonormal columns. a is not
// changed.
//
// The result is backward stable: a singular value is accurate to ε·‖a‖. The error wraps
// [ErrNotFinite] or [ErrNoConvergence].
func SVDThin(a *mat.Dense) (u *mat.Dense, values []float64, v *mat.Dense, err error) {
	m, n := a.Dims()
	if m == 0 || n == 0 {
		return new(mat.Dense), nil, new(mat.Dense), nil
	}
	raw := a.RawMatrix()
	if err := checkFinite(m, n, raw.Data, raw.Stride, false); err != nil {
		return nil, nil, nil, err
	}
	data := make([]float64, m*n)
	for i := range m {
		copy(data[i*n:(i+1)*n], raw.Data[i*raw.Stride:])
	}
	left, values, right, err := current.Load().thinSVD(m, n, data)
	if err != nil {
		return nil, nil, nil, err
	}
	return columns(left, len(values), m), values, columns(right, len(values), n), nil
}

// columns returns the matrix whose columns are the k rows of length n.
func columns(rows []float64, k, n int) *mat.Dense {
	out := make([]float64, n*k)
	goblas.Transpose(k, n, rows, n, out, k)
	return mat.NewDense(n, k, out)
}

// thinSVD returns the thin singular value decomposition of the m×n matrix a, which it destroys. The
// left vectors are the rows of u, and the right vectors are the rows of v.
func (e *engine) thinSVD(m, n int, a []float64) (u, values, v []float64, err error) {
	if e.svd != nil {
		return e.svd(m, n, a)
	}
	rows, cols, wide := m, n, m < n
	if wide {
		t := make([]float64, m*n)
		goblas.Transpose(m, n, a, n, t, m)
		a, rows, cols = t, n, m
	}
	u, values, v, err = decompose.SVD(e.inner(), rows, cols, a)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%w (singular value decomposition, %d×%d)", ErrNoConvergence, m, n)
	}
	if wide {
		u, v = v, u
	}
	return u, values, v, nil
}
